import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Server } from 'node:http';
import express, { type Request, type Response } from 'express';
import { ToolyardExpressAdapter } from './toolyard-express-adapter';

describe('Our Express adapter', () => {
  const app = express();
  const adapter = new ToolyardExpressAdapter(app);
  adapter.initHttpServer();
  const server = adapter.getHttpServer() as Server;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });

  it('creates requests and responses that Express does not have to change', async () => {
    const before: unknown[] = [];
    server.prependListener('request', (request, response) =>
      before.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response)),
    );
    const after: unknown[] = [];
    app.get('/things', (request: Request, response: Response) => {
      after.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
      response.status(201).json({ path: request.path, query: request.query });
    });
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/things?a=1`);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 201,
      body: { path: '/things', query: { a: '1' } },
    });
    expect(after).toHaveLength(2);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });
});
