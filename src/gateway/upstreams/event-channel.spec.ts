import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { openChannel } from './event-channel';

const EVENTS = { 'content-type': 'text/event-stream' };

describe('A stream that stays open', () => {
  let server: Server;
  let agent: Agent;
  let handle: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.on('error', () => undefined);
      response.writeHead(200, EVENTS);
      handle(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    agent = new Agent();
  });

  afterAll(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  const open = async () => {
    const methods: unknown[] = [];
    const { ended } = await openChannel(agent, {
      url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
      headers: {},
      signal: new AbortController().signal,
      firstByteMs: 5_000,
      onMessage: ({ method }) => methods.push(method),
    });
    await ended;
    return methods;
  };

  it('ends where more comes in a minute than lists and resources can change', async () => {
    handle = (response) => response.write('data: {"method":"x"}\n\n'.repeat(601));
    expect(await open()).toHaveLength(600);
  });

  it.each([
    ['events that are no messages', 'data: [\n\n'.repeat(601)],
    ['events without data', 'id: 1\ndata:\n\n'.repeat(601)],
    ['comments', `: ${'x'.repeat(65_534)}\n`.repeat(257)],
  ])('ends where too many bytes or events come, also of %s', async (_, text) => {
    handle = (response) => response.write(text);
    expect(await open()).toEqual([]);
  });
});
