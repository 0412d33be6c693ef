import { brotliCompressSync, gzipSync } from 'node:zlib';
import { FakeClock } from '../support/app';
import { crowding, eventually } from '../support/eventually';
import { answering, onRequest, RawServer } from '../support/raw-server';
import { Receiver, verified } from '../support/receiver';
import { createSender, LOOPBACK, SECRET, webhookTo } from '../support/sender';

const KEPT = 16 * 1_024;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let receiver: Receiver;
let { sender } = createSender();
const raw: RawServer[] = [];

beforeEach(async () => {
  receiver = await Receiver.start();
  ({ sender } = createSender());
});

afterEach(async () => {
  sender.onApplicationShutdown();
  await Promise.all([receiver.close(), ...raw.splice(0).map((server) => server.close())]);
});

async function rawServer(...given: Parameters<typeof RawServer.start>): Promise<RawServer> {
  const server = await RawServer.start(...given);
  raw.push(server);
  return server;
}

describe('A webhook as it is sent', () => {
  it('arrives unchanged, with signatures that the reference library verifies', async () => {
    const body = JSON.stringify({ type: 'bundle.created', data: { name: 'Größe 👍 \u2028' } });
    const headers = { Authorization: 'Bearer abc', 'webhook-id': 'forged', 'Content-Type': 'text/plain', Host: 'evil' };
    const secrets = [OTHER_SECRET, SECRET];
    const before = Date.now();
    const result = await sender.send(
      webhookTo(`${receiver.url}/in/%C3%A4?a=b&c=%20`, { id: 'e1', body, headers, secrets }),
    );
    expect(result).toEqual({
      startedAt: result.startedAt,
      durationMs: result.durationMs,
      responseStatus: 204,
      responseBody: '',
      retryAfter: null,
      error: null,
    });
    expect(Math.abs(result.startedAt.getTime() - before)).toBeLessThan(1_000 * crowding());
    expect(Number.isInteger(result.durationMs)).toBe(true);

    const [webhook, ...others] = receiver.requests;
    if (!webhook) throw new Error('Nothing came.');
    expect(others).toEqual([]);
    expect(webhook).toMatchObject({ method: 'POST', path: '/in/%C3%A4?a=b&c=%20' });
    expect(webhook.body.toString()).toBe(body);
    expect(webhook.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Toolyard-Webhooks/1',
      'accept-encoding': 'identity',
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(result.startedAt.getTime() / 1_000)),
      'webhook-signature': expect.stringMatching(/^v1,\S+ v1,\S+$/) as string,
      authorization: 'Bearer abc',
    });
    for (const secret of secrets) expect(verified(webhook, secret)).toEqual(JSON.parse(body));
    expect(() => verified(webhook, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow();
  });

  it('carries the time of the attempt', async () => {
    const clock = new FakeClock(new Date('2026-11-21T12:00:00.999Z'));
    const { sender: late } = createSender(LOOPBACK, undefined, clock);
    expect((await late.send(webhookTo(receiver.url))).startedAt).toEqual(clock.now());
    expect(receiver.requests[0]?.headers['webhook-timestamp']).toBe('1795262400');
    late.onApplicationShutdown();
  });

  it.each([200, 201, 202, 204, 299])('succeeds with status %d', async (status) => {
    receiver.handler = (_, response) => response.writeHead(status).end();
    expect(await sender.send(webhookTo(receiver.url))).toMatchObject({ responseStatus: status, error: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503, 599])('fails with status %d', async (status) => {
    receiver.handler = (_, response) => response.writeHead(status, { 'Retry-After': '120' }).end('No.');
    expect(await sender.send(webhookTo(receiver.url))).toMatchObject({
      responseStatus: status,
      responseBody: 'No.',
      retryAfter: '120',
      error: { code: 'http_status', message: `The receiver responded with status ${status}.` },
    });
  });

  it.each([300, 301, 302, 303, 304, 307, 308])('does not follow a redirect: %d', async (status) => {
    const elsewhere = await Receiver.start();
    receiver.handler = (_, response) => response.writeHead(status, { Location: `${elsewhere.url}/in` }).end();
    expect(await sender.send(webhookTo(receiver.url))).toMatchObject({
      responseStatus: status,
      error: {
        code: 'redirect',
        message: `The receiver responded with a redirect (${status}); redirects are not followed.`,
      },
    });
    await elsewhere.close();
    expect([receiver.requests.length, elsewhere.connections]).toEqual([1, 0]);
  });

  it('returns the Retry-After of the answer, up to 100 characters', async () => {
    const waits = ['120', 'Fri, 21 Nov 2026 12:00:00 GMT', 'soon', 'x'.repeat(500)];
    for (const wait of waits) {
      receiver.handler = (_, response) => response.writeHead(503, { 'Retry-After': wait }).end();
      expect((await sender.send(webhookTo(receiver.url))).retryAfter).toBe(wait.slice(0, 100));
    }
  });

  it.each([
    ['ftp://127.0.0.1/', 'Must start with https:// or http://.'],
    ['http://alice:secret@127.0.0.1/', 'Must not contain a user name or password.'],
    ['http://127.0.0.1/#part', 'Must not contain a fragment.'],
    ['http://127.0.0.1 /', 'Must be an absolute URL.'],
    ['nonsense', 'Must be an absolute URL.'],
    ['', 'Must be an absolute URL.'],
  ])('is not sent to a URL that could not be saved: %j', async (targetUrl, message) => {
    expect(await sender.send(webhookTo(targetUrl))).toMatchObject({
      responseStatus: null,
      responseBody: null,
      error: { code: 'target_refused', message },
    });
  });

  it('is not sent by http if that is no longer allowed', async () => {
    const { sender: strict } = createSender({ WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1/32' });
    const { error } = await strict.send(webhookTo(receiver.url));
    expect(error).toEqual({ code: 'target_refused', message: 'Must start with https://.' });
    expect(receiver.connections).toBe(0);
  });

  it('is not sent with a header that would split the request', async () => {
    const { error } = await sender.send(webhookTo(receiver.url, { headers: { 'X-Tenant': '1\r\nX-Admin: 1' } }));
    expect(error).toEqual({ code: 'target_refused', message: "One of the endpoint's custom headers cannot be sent." });
    expect(receiver.requests).toEqual([]);
  });
});

describe('The stored answer to a webhook', () => {
  const answered = async (body: Buffer | string, headers: Record<string, string> = {}) => {
    receiver.handler = (_, response) => response.writeHead(200, headers).end(body);
    return sender.send(webhookTo(receiver.url));
  };

  it.each([
    ['text', 'Größe', {}, 'Größe'],
    ['another charset', Buffer.from('Größe', 'latin1'), { 'Content-Type': 'text/plain; charset=latin1' }, 'Größe'],
    ['bytes that are no text', Buffer.from([0x61, 0xff, 0, 0x62]), {}, 'a\uFFFD\uFFFDb'],
    ['gzip', gzipSync('Größe'), { 'Content-Encoding': 'gzip' }, 'Größe'],
    ['brotli', brotliCompressSync('Größe'), { 'Content-Encoding': 'br' }, 'Größe'],
    ['an encoding that is not known', 'Größe', { 'Content-Encoding': 'zstd' }, 'Größe'],
    ['an encoding that is a lie', 'Größe', { 'Content-Encoding': 'gzip' }, 'Größe'],
  ])('is decoded as text: %s', async (_what, body, headers, text) => {
    expect(await answered(body, headers)).toMatchObject({ responseStatus: 200, responseBody: text, error: null });
  });

  it('is limited to 16 KiB after decompression, without half a character', async () => {
    const long = 'ä'.repeat(50_000);
    const kept = 'a' + 'ä'.repeat(KEPT / 2 - 1);
    expect(await answered('a' + long)).toMatchObject({ responseBody: kept, error: null });
    const zipped = await answered(gzipSync('a' + long), { 'Content-Encoding': 'gzip' });
    expect(zipped).toMatchObject({ responseBody: kept, error: null });
  });

  it.each(['keep-alive', 'close'])('is kept for a failure too, even if it breaks off: %s', async (connection) => {
    const head = `HTTP/1.1 500 No\r\nContent-Length: 100\r\nConnection: ${connection}\r\n\r\n`;
    const server = await rawServer((socket) => onRequest(socket, () => socket.end(`${head}Sorry \u00c3`, 'latin1')));
    expect(await sender.send(webhookTo(server.url))).toMatchObject({
      responseStatus: 500,
      responseBody: 'Sorry ',
      error: { code: 'connection_failed', message: 'The connection was closed before the response was complete.' },
    });
  });
});

describe('The answer to a webhook', () => {
  it.each([
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'invalid_response', 'The response is not valid HTTP/1.1.'],
    ['asks for the body', 'HTTP/1.1 100 Continue\r\n\r\n', 'invalid_response', 'The response is not valid HTTP/1.1.'],
    [
      'changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
      'invalid_response',
      'The response is not valid HTTP/1.1.',
    ],
    [
      'has a head without an end',
      `HTTP/1.1 200 OK\r\n${'X-Long: value\r\n'.repeat(20_000)}`,
      'invalid_response',
      'The response headers are too long.',
    ],
    [
      'has two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok.',
      'invalid_response',
      'The response is not valid HTTP/1.1.',
    ],
  ])('is a failure if it %s', async (_what, answer, code, message) => {
    const server = await rawServer(answering(answer));
    expect(await sender.send(webhookTo(server.url))).toMatchObject({ responseStatus: null, error: { code, message } });
  });

  it('is a failure if it breaks off, whatever its status', async () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n';
    const server = await rawServer((socket) =>
      onRequest(socket, () => socket.write(chunked, () => setImmediate(() => socket.resetAndDestroy()))),
    );
    expect(await sender.send(webhookTo(server.url))).toMatchObject({
      responseStatus: 200,
      error: { code: 'connection_failed', message: 'The connection was closed before the response was complete.' },
    });
    expect(server.connections).toBe(1);
  });

  it('can follow early hints, and end with the connection', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3);
    const server = await rawServer((socket) =>
      onRequest(socket, () => socket.end(`${hints}HTTP/1.0 200 OK\r\n\r\nHello`)),
    );
    expect(await sender.send(webhookTo(server.url))).toMatchObject({
      responseStatus: 200,
      responseBody: 'Hello',
      error: null,
    });
  });

  it('is a failure if it does not come at all', async () => {
    const server = await rawServer((socket) => socket.resetAndDestroy());
    expect(await sender.send(webhookTo(server.url))).toMatchObject({
      responseStatus: null,
      error: { code: 'connection_failed', message: 'The connection was closed before a response was received.' },
    });
    expect(server.connections).toBe(1);
    const { url } = server;
    await Promise.all(raw.splice(0).map((each) => each.close()));
    expect((await sender.send(webhookTo(url))).error).toEqual({
      code: 'connection_failed',
      message: 'The connection was refused.',
    });
  });
});

describe('A webhook connection', () => {
  const sendAll = async (count: number, url = receiver.url) => {
    const results = await Promise.all(Array.from({ length: count }, () => sender.send(webhookTo(url))));
    expect(results.filter(({ error }) => error !== null)).toEqual([]);
  };

  it('is reused after an answer that was read completely', async () => {
    receiver.handler = (_, response) => response.writeHead(500).end('x'.repeat(KEPT));
    for (let n = 0; n < 20; n++) await sender.send(webhookTo(receiver.url));
    expect([receiver.requests.length, receiver.connections]).toEqual([20, 1]);
  });

  it('is closed after an answer that is too long', async () => {
    receiver.handler = (_, response) => response.end('x'.repeat(1_000_000));
    for (let n = 0; n < 3; n++) await sendAll(1);
    expect(receiver.connections).toBe(3);
    await eventually(
      () => receiver.open,
      (open) => open === 0,
      1_000,
    );
  });

  it('is not reused if the receiver does not want it', async () => {
    receiver.handler = (_, response) => response.writeHead(200, { Connection: 'close' }).end('Bye.');
    for (let n = 0; n < 10; n++) await sendAll(1);
    const server = await rawServer((socket) => onRequest(socket, () => socket.end('HTTP/1.0 200 OK\r\n\r\nHello')));
    for (let n = 0; n < 10; n++) await sendAll(1, server.url);
    expect([receiver.connections, server.connections]).toEqual([10, 10]);
  });

  it('closed by the receiver while idle causes no failure', async () => {
    for (let n = 0; n < 10; n++) {
      await sendAll(5);
      receiver.closeIdle();
    }
    expect(receiver.requests).toHaveLength(50);
  });

  it('that breaks during a webhook is replaced by a new one', async () => {
    const server = await rawServer((socket, connection) => {
      let heard = 0;
      onRequest(socket, () => {
        if (connection === 1 && ++heard === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    for (let n = 0; n < 5; n++) await sendAll(1, server.url);
    expect(server.connections).toBe(2);
  });

  it('that breaks after the head of the answer is not replaced', async () => {
    let heard = 0;
    const server = await rawServer((socket) =>
      onRequest(socket, () => {
        heard += 1;
        if (heard === 1) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', () => socket.resetAndDestroy());
      }),
    );
    await sendAll(1, server.url);
    expect(await sender.send(webhookTo(server.url))).toMatchObject({ error: { code: 'connection_failed' } });
    expect([heard, server.connections]).toEqual([2, 1]);
  });

  it('is replaced only once per webhook', async () => {
    const heard: number[] = [];
    const server = await rawServer((socket, connection) =>
      onRequest(socket, () => {
        if (heard.push(connection) === 1) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        else socket.resetAndDestroy();
      }),
    );
    await sendAll(1, server.url);
    const { error } = await sender.send(webhookTo(server.url));
    expect(error?.code).toBe('connection_failed');
    expect(heard).toEqual([1, 1, 2]);
  });

  it('is replaced after a minute, so that a receiver can move', async () => {
    await sendAll(1);
    const now = performance.now();
    const spy = jest.spyOn(performance, 'now').mockImplementation(() => now + 59_000);
    await sendAll(1);
    expect(receiver.connections).toBe(1);
    spy.mockImplementation(() => now + 61_000);
    await sendAll(1);
    spy.mockRestore();
    expect(receiver.connections).toBe(2);
  });

  it('that hangs does not delay other webhooks to the same origin', async () => {
    receiver.handler = ({ path }, response) => path === '/hangs' || response.writeHead(204).end();
    const hanging = Array.from({ length: 100 }, () => sender.send(webhookTo(`${receiver.url}/hangs`)));
    await eventually(
      () => receiver.requests.length,
      (count) => count === 100,
      5_000,
    );
    const begun = Date.now();
    await sendAll(100, `${receiver.url}/in`);
    expect(Date.now() - begun).toBeLessThan(2_000 * crowding());
    sender.onApplicationShutdown();
    await Promise.all(hanging);
  });

  it('is one of a limited number of idle ones, however many origins there are', async () => {
    ({ sender } = createSender({ ...LOOPBACK, WEBHOOKS_IN_FLIGHT: '3' }));
    const receivers = await Promise.all(Array.from({ length: 8 }, () => Receiver.start()));
    const open = () => receivers.reduce((sum, { open: count }) => sum + count, 0);
    await Promise.all(receivers.map(({ url }) => sendAll(2, url)));
    await eventually(open, (count) => count === 3, 2_000);
    // The most recently used ones stay.
    for (const { url } of receivers.slice(0, 3)) await sendAll(1, url);
    await eventually(
      () => receivers.map((each) => each.open),
      (each) => each.join() === '1,1,1,0,0,0,0,0',
      2_000,
    );
    await Promise.all(receivers.map((each) => each.close()));
  });

  it('ends with the application, including webhooks in flight', async () => {
    await sendAll(3);
    receiver.handler = () => undefined;
    const inFlight = [sender.send(webhookTo(receiver.url)), sender.send(webhookTo(receiver.url))];
    await eventually(
      () => receiver.requests.length,
      (count) => count === 5,
      2_000,
    );
    sender.onApplicationShutdown();
    const interrupted = { code: 'interrupted', message: 'The service was stopped during the attempt.' };
    for (const result of await Promise.all(inFlight))
      expect(result).toMatchObject({ error: interrupted, responseStatus: null });
    await eventually(
      () => receiver.open,
      (open) => open === 0,
      1_000,
    );
    expect((await sender.send(webhookTo(receiver.url))).error).toEqual(interrupted);
    expect(receiver.requests).toHaveLength(5);
  });
});
