import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '../../../test/support/eventually';
import { StreamableResponse } from './streamable-response';
import { UnreadResponses } from './unread-responses';

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
    handle = (response) =>
      new StreamableResponse(response).end(['{"a":', Buffer.from('"世"'), '}'], 400, { 'Mcp-Session-Id': 'x' });
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
      const reply = new StreamableResponse(response);
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

  it.each([[true], [false]])('keeps no timer when it has ended, as a stream: %s', async (isStream) => {
    const begun = jest.spyOn(globalThis, 'setInterval');
    const ended = jest.spyOn(globalThis, 'clearInterval');
    handle = (response) => {
      begun.mockClear();
      const reply = new StreamableResponse(response);
      if (isStream) reply.open();
      reply.end(['{}']);
    };
    await (await fetch(url)).text();
    const [timer, stopped] = [begun.mock.results[0]?.value as unknown, ended.mock.calls.flat()];
    begun.mockRestore();
    ended.mockRestore();
    expect(timer).toBeDefined();
    expect(stopped.some((each) => each === timer)).toBe(true);
  });

  it('is written in pieces if it is long, with turns for others between them, however many are', async () => {
    const list = Buffer.from(JSON.stringify('世'.repeat(600_000)));
    const turns: number[] = [];
    handle = (response) => {
      const write = response.write.bind(response) as (piece: string | Buffer) => boolean;
      response.write = (piece: string | Buffer) => {
        if (piece.length > 1_000) turns.push(turn);
        return write(piece);
      };
      new StreamableResponse(response).end(['{"a":', list, '}']);
    };
    let turn = 0;
    let running = setImmediate(function next() {
      turn++;
      running = setImmediate(next);
    });
    const answers = await Promise.all(Array.from({ length: 3 }, async () => (await fetch(url)).json()));
    clearImmediate(running);
    for (const answer of answers) expect(answer).toEqual({ a: '世'.repeat(600_000) });
    expect(turns.length).toBe(3 * Math.ceil(list.length / 131_072));
    // The first of each is written when its request comes, and a turn has timers and immediates.
    expect(new Set(turns).size).toBeGreaterThan(turns.length / 2);
  });

  it('keeps its connection alive while nothing happens', async () => {
    handle = (response) => {
      const reply = new StreamableResponse(response, { keepAliveMs: 20 });
      setTimeout(() => reply.end(['{}']), 100);
    };
    const text = await (await fetch(url)).text();
    expect(text).toMatch(/^(: keep-alive\n\n){2,}event: message\ndata: \{\}\n\n$/);
  });

  it('is not begun for a client that has gone already', async () => {
    const gone = new Promise<StreamableResponse>((resolve) => {
      handle = (response) =>
        response.once('close', () => resolve(new StreamableResponse(response, { keepAliveMs: 1 })));
    });
    const controller = new AbortController();
    const request = fetch(url, { signal: controller.signal }).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    server.once('request', () => controller.abort());
    const reply = await gone;
    await request;
    expect(reply.hasRoom).toBe(false);
    expect(() => reply.end(['{}'])).not.toThrow();
  });

  it('ends with the connection of a client that does not read it', async () => {
    const large = Buffer.alloc(32 * 1_048_576, 0x20);
    const closed = new Promise<void>((resolve) => {
      handle = (response) => {
        response.once('close', resolve);
        new StreamableResponse(response, { stalledMs: 100 }).end([large]);
      };
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed;
    await new Promise((resolve) => socket.once('close', resolve).resume());
    expect(socket.bytesRead).toBeLessThan(large.length);
  });

  it('ends for a newer one, if more waits for slow readers than the process has room for', async () => {
    const large = Buffer.alloc(32 * 1_048_576, 0x20);
    const waiting = new UnreadResponses();
    waiting.mostBytes = 1.5 * large.length;
    const ends: string[] = [];
    let seen = 0;
    handle = (response) => {
      const place = seen++ === 0 ? 'first' : 'second';
      response.once('close', () => ends.push(place));
      new StreamableResponse(response, { unread: waiting }).end([place === 'first' ? Buffer.from(large) : large]);
    };
    const sockets: Socket[] = [];
    const ask = async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      sockets.push(socket.on('error', () => undefined).pause());
      const before = seen;
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await eventually(
        () => seen,
        (count) => count > before,
        2_000,
      );
    };
    await ask();
    expect(waiting.bytes).toBeGreaterThan(large.length / 2);
    await ask();
    await eventually(
      () => ends,
      ({ length }) => length > 0,
      2_000,
    );
    expect(ends).toEqual(['first']);
    sockets[1]?.destroy();
    await eventually(
      () => waiting.bytes,
      (bytes) => bytes === 0,
      2_000,
    );
    sockets[0]?.destroy();
  });

  it('counts nothing as waiting that was read', async () => {
    const waiting = new UnreadResponses();
    handle = (response) => {
      const reply = new StreamableResponse(response, { unread: waiting });
      reply.notify({ method: 'a' });
      reply.end(['{}', Buffer.alloc(1_048_576, 0x20)]);
    };
    await (await fetch(url)).text();
    await eventually(
      () => waiting.bytes,
      (bytes) => bytes === 0,
      2_000,
    );
  });

  it('has no room for a client that does not read, whose stream ends', async () => {
    const rooms: boolean[] = [];
    const closed = new Promise<void>((resolve) => {
      handle = (response) => {
        response.once('close', resolve);
        const reply = new StreamableResponse(response, { keepAliveMs: 50 });
        rooms.push(reply.hasRoom);
        for (let n = 0; n < 32; n++) reply.send({ text: ' '.repeat(1_048_576) });
        rooms.push(reply.hasRoom);
      };
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed;
    expect(rooms).toEqual([true, false]);
    socket.destroy();
  });

  it('can be left out', async () => {
    handle = (response) => new StreamableResponse(response).withdraw();
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
