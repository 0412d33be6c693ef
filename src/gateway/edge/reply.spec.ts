import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Reply } from './reply';

describe('An answer to a client', () => {
  let server: Server;
  let url: string;
  let handle: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((_request, response) => handle(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('is JSON if it comes at once', async () => {
    handle = (response) => new Reply(response).end(['{"a":', Buffer.from('"世"'), '}'], 400, { 'Mcp-Session-Id': 'x' });
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type'), response.headers.get('mcp-session-id')]).toEqual([
      400,
      'application/json',
      'x',
    ]);
    expect(await response.json()).toEqual({ a: '世' });
  });

  it('is the last event of a stream if something precedes it', async () => {
    handle = (response) => {
      const reply = new Reply(response);
      reply.notify({ method: 'a' });
      reply.send({ id: 1, method: 'b' });
      reply.end(['{"id":2}'], 400);
      reply.send({ method: 'too late' });
    };
    const response = await fetch(url);
    expect([response.status, response.headers.get('x-accel-buffering')]).toEqual([200, 'no']);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const data = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect(data).toEqual(['data: {"method":"a"}', 'data: {"id":1,"method":"b"}', 'data: {"id":2}']);
  });

  it('keeps its connection alive while nothing happens', async () => {
    handle = (response) => {
      const reply = new Reply(response, 20);
      setTimeout(() => reply.end(['{}']), 100);
    };
    const text = await (await fetch(url)).text();
    expect(text).toMatch(/^(: keep-alive\n\n){2,}event: message\ndata: \{\}\n\n$/);
  });

  it('can be left out', async () => {
    handle = (response) => new Reply(response).withdraw();
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
