import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import { pino } from 'pino';
import { readBytes } from '../../src/http/requests/body-bytes';
import { answerParserErrors } from '../../src/http/answers/parser-errors';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { RawClient, type WireAnswer } from '../support/raw-client';

const HOST = 'Host: toolyard.test';
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';

describe('A malformed HTTP request', () => {
  let test: TestApp;
  let token: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    token = await test.token('alice');
  });

  afterAll(() => test.close());

  /** The answer to these lines, after which the server must close the connection. */
  const refusal = async (url: string, ...lines: string[]): Promise<WireAnswer> => {
    const client = await RawClient.connect(url);
    client.sendHead(...lines);
    const [answer, ...others] = await client.untilClosed();
    expect(others).toEqual([]);
    return expectRefusal(answer);
  };
  const expectRefusal = (answer: WireAnswer | undefined): WireAnswer => {
    if (!answer) throw new Error('Closed without an answer.');
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(answer.text)).toEqual({
      detail: expect.any(String) as string,
      code: expect.any(String) as string,
    });
    return answer;
  };
  const codeOf = ({ status, text }: WireAnswer) => [status, (JSON.parse(text) as { code: string }).code];

  it.each([
    ['no request line', ['nonsense']],
    ['TLS to a plain port', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
    ['an unknown version', ['GET /healthz HTTP/9.9', HOST]],
    ['a space in a header name', ['GET /healthz HTTP/1.1', HOST, 'Content Type: x']],
    ['two Content-Lengths', ['POST /v1/bundles HTTP/1.1', HOST, 'Content-Length: 2', 'Content-Length: 3']],
    [
      'both Content-Length and chunks',
      ['POST /v1/bundles HTTP/1.1', HOST, 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    ],
    ['an invalid Content-Length', ['POST /v1/bundles HTTP/1.1', HOST, 'Content-Length: -2']],
  ])('gets 400 with a request id and one of our bodies: %s', async (_, lines) => {
    expect(codeOf(await refusal(test.url, ...lines))).toEqual([400, 'bad_request']);
    expect(test.log.some((line) => line.includes('rejected by the HTTP parser'))).toBe(true);
  });

  it('gets 431 with a clear error if its address and headers are too large', async () => {
    const long = 'x'.repeat(20_000);
    for (const lines of [
      ['GET /healthz HTTP/1.1', HOST, `X-Long: ${long}`],
      [`GET /healthz?${long} HTTP/1.1`, HOST],
    ]) {
      expect(codeOf(await refusal(test.url, ...lines))).toEqual([431, 'headers_too_large']);
    }
  });

  it('gets an answer with its own request id if the error is within the body', async () => {
    const client = await RawClient.connect(test.url);
    client.sendHead(
      ...['POST /v1/bundles HTTP/1.1', HOST, `Authorization: Bearer ${token}`, 'X-Request-Id: of-the-body'],
      ...[JSON_TYPE, CHUNKED],
    );
    client.send('3\r\n{"n\r\nzz\r\n');
    const [answer] = await client.untilClosed();
    expect(codeOf(expectRefusal(answer))).toEqual([400, 'bad_request']);
    expect(answer?.headers.get('x-request-id')).toBe('of-the-body');
  });

  describe('judged by its Host header', () => {
    it.each([
      ['none', []],
      ['two', [HOST, HOST]],
      ['two, spelt differently', [HOST, 'HOST: other.test']],
      ['two in one value', ['Host: a.test, b.test']],
      ['with a path', ['Host: a.test/b']],
      ['with a user', ['Host: me@a.test']],
    ])('gets 400: %s', async (_, lines) => {
      const client = await RawClient.connect(test.url);
      client.sendHead('GET /healthz HTTP/1.1', ...lines);
      const [answer] = await client.answers(1);
      expect(codeOf(expectRefusal(answer))).toEqual([400, 'bad_request']);
      client.destroy();
    });

    it('gets 400 for a second Host after more headers than Node counts', async () => {
      const client = await RawClient.connect(test.url);
      client.sendHead('GET /healthz HTTP/1.1', HOST, ...Array<string>(2_500).fill('a:b'), HOST);
      const [answer] = await client.answers(1);
      expect(codeOf(expectRefusal(answer))).toEqual([400, 'bad_request']);
      client.destroy();
    });

    it('gets a SCIM error below SCIM paths', async () => {
      const client = await RawClient.connect(test.url);
      client.sendHead(`GET /v1/organisations/x/scim/v2/Users HTTP/1.1`, HOST, HOST);
      const [answer] = await client.answers(1);
      expect(JSON.parse(answer?.text ?? '')).toMatchObject({ status: '400' });
      expect(answer?.headers.get('x-request-id')).toBeDefined();
      client.destroy();
    });

    it.each([
      ['one', 'GET /healthz HTTP/1.1', [HOST]],
      ['with a port', 'GET /healthz HTTP/1.1', ['Host: [::1]:3000']],
      ['an empty value', 'GET /healthz HTTP/1.1', ['Host:']],
      ['none in HTTP/1.0', 'GET /healthz HTTP/1.0', []],
    ])('is served: %s', async (_, line, lines) => {
      const client = await RawClient.connect(test.url);
      client.sendHead(line, ...lines);
      expect(await client.answers(1)).toMatchObject([{ status: 200 }]);
      client.destroy();
    });
  });

  describe('that does not arrive in time', () => {
    let server: Server;
    let url: string;
    const clients: RawClient[] = [];
    /** The results of reading the bodies. */
    const bodies: Promise<string>[] = [];

    beforeAll(async () => {
      server = createServer({ headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 });
      answerParserErrors(server, pino({ level: 'silent' }));
      server.on('request', (request: Request, response: Response) => {
        // As after a token that was slow to check: by then the body has arrived late.
        const isReady = request.url === '/slow' ? once(request.socket, 'finish') : Promise.resolve();
        bodies.push(
          isReady
            .then(() => readBytes(request, response, 1_000))
            .then(String, (error: Error) => error.constructor.name),
        );
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });

    afterEach(() => clients.splice(0).forEach((client) => client.destroy()));
    afterAll(() => server.close());

    /** A client that never ends the connection itself. */
    const connect = async () => {
      const client = await RawClient.connect(url, true);
      clients.push(client);
      return client;
    };
    const expectTimeout = async (client: RawClient) => {
      const [answer] = await client.untilClosed();
      expect(codeOf(expectRefusal(answer))).toEqual([408, 'request_timeout']);
    };
    const expectNoConnections = () =>
      eventually(
        () => promisify<number>((done) => server.getConnections(done))(),
        (count) => count === 0,
        5_000,
      );

    it.each([
      ['half a head', 'GET /healthz HTTP/1.1\r\nHost: a'],
      ['nothing', ''],
    ])('gets 408, and the connection is closed even if the client keeps it open: %s', async (_, text) => {
      const client = await connect();
      client.send(text);
      await expectTimeout(client);
      await expectNoConnections();
    });

    it.each(['/', '/slow'])('gets 408 in the middle of its body, which is not read further: %s', async (path) => {
      const client = await connect();
      client.sendHead(`POST ${path} HTTP/1.1`, HOST, 'Content-Length: 4');
      client.send('ab');
      await expectTimeout(client);
      client.send('cd');
      expect(await bodies.at(-1)).toBe('UnreadableBodyError');
      await expectNoConnections();
    });

    it('is the last on its connection: data after the 408 is not parsed as a request', async () => {
      const client = await connect();
      client.sendHead('POST / HTTP/1.1', HOST, 'Content-Length: 4');
      client.send('ab');
      await expectTimeout(client);
      const { length } = bodies;
      client.send('cdPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd');
      await expectNoConnections();
      expect(bodies).toHaveLength(length);
    });
  });

  it('whose connection the client keeps open is disconnected anyway', async () => {
    const server: Server = test.app.getHttpServer();
    const sockets: Socket[] = [];
    const remember = (socket: Socket) => sockets.push(socket);
    server.on('connection', remember);
    const client = await RawClient.connect(test.url, true);
    client.sendHead('POST /v1/bundles HTTP/1.1', HOST, `Authorization: Bearer ${token}`, CHUNKED, JSON_TYPE);
    client.send('3\r\n{"n\r\nzz\r\n');
    expect(await client.untilClosed()).toMatchObject([{ status: 400 }]);
    server.off('connection', remember);
    try {
      await eventually(
        () => sockets.map(({ destroyed }) => destroyed),
        (destroyed) => destroyed.length === 1 && destroyed.every(Boolean),
        5_000,
      );
    } finally {
      client.destroy();
    }
  });

  describe('Strict-Transport-Security', () => {
    const header = async (publicUrl: string, path: string) => {
      const app = await createTestApp({ env: { PUBLIC_URL: publicUrl, RUN: 'api' } });
      try {
        return (await fetch(app.url + path)).headers.get('strict-transport-security');
      } finally {
        await app.close();
      }
    };

    it.each(['/healthz', '/docs'])('is sent only if the public address is https: %s', async (path) => {
      expect(await header('https://toolyard.test', path)).toMatch(/^max-age=\d+/);
      expect(await header('http://toolyard.test', path)).toBeNull();
    });
  });
});
