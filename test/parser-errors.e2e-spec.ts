import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { answerParserErrors } from '../src/http/parser-errors';
import { createTestApp, type TestApp } from './support/app';
import { RawClient, type WireAnswer } from './support/raw-client';

const HOST = 'Host: toolyard.test';

describe('What is hardly HTTP', () => {
  let test: TestApp;
  let token: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    token = await test.token('alice');
  });

  afterAll(() => test.close());

  /** The answer to these lines, after which the server must close. */
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
    ['a blank in the name of a header', ['GET /healthz HTTP/1.1', HOST, 'Content Type: x']],
    ['two lengths', ['POST /v1/bundles HTTP/1.1', HOST, 'Content-Length: 2', 'Content-Length: 3']],
    ['a length and chunks', ['POST /v1/bundles HTTP/1.1', HOST, 'Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['a length that is none', ['POST /v1/bundles HTTP/1.1', HOST, 'Content-Length: -2']],
  ])('is 400 with a request id and one of our bodies: %s', async (_, lines) => {
    expect(codeOf(await refusal(test.url, ...lines))).toEqual([400, 'bad_request']);
    expect(test.log.some((line) => line.includes('refused before it was a request'))).toBe(true);
  });

  it('is 431 when address and headers are too large, and says so', async () => {
    const long = 'x'.repeat(20_000);
    for (const lines of [
      ['GET /healthz HTTP/1.1', HOST, `X-Long: ${long}`],
      [`GET /healthz?${long} HTTP/1.1`, HOST],
    ]) {
      expect(codeOf(await refusal(test.url, ...lines))).toEqual([431, 'headers_too_large']);
    }
  });

  it('in the middle of a body is answered with the id of that request', async () => {
    const client = await RawClient.connect(test.url);
    client.sendHead(
      ...['POST /v1/bundles HTTP/1.1', HOST, `Authorization: Bearer ${token}`, 'X-Request-Id: of-the-body'],
      ...['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    );
    client.send('3\r\n{"n\r\nzz\r\n');
    const [answer] = await client.untilClosed();
    expect(codeOf(expectRefusal(answer))).toEqual([400, 'bad_request']);
    expect(answer?.headers.get('x-request-id')).toBe('of-the-body');
  });

  describe('as it names its host', () => {
    it.each([
      ['not at all', []],
      ['twice', [HOST, HOST]],
      ['twice, in two spellings', [HOST, 'HOST: other.test']],
      ['as two in one', ['Host: a.test, b.test']],
      ['with a path', ['Host: a.test/b']],
      ['with a user', ['Host: me@a.test']],
    ])('is 400: %s', async (_, lines) => {
      const client = await RawClient.connect(test.url);
      client.sendHead('GET /healthz HTTP/1.1', ...lines);
      const [answer] = await client.answers(1);
      expect(codeOf(expectRefusal(answer))).toEqual([400, 'bad_request']);
      client.destroy();
    });

    it('twice is 400 also after more headers than Node counts', async () => {
      const client = await RawClient.connect(test.url);
      client.sendHead('GET /healthz HTTP/1.1', HOST, ...Array<string>(2_500).fill('a:b'), HOST);
      const [answer] = await client.answers(1);
      expect(codeOf(expectRefusal(answer))).toEqual([400, 'bad_request']);
      client.destroy();
    });

    it('below SCIM paths is 400 in the words of SCIM', async () => {
      const client = await RawClient.connect(test.url);
      client.sendHead(`GET /v1/organisations/x/scim/v2/Users HTTP/1.1`, HOST, HOST);
      const [answer] = await client.answers(1);
      expect(JSON.parse(answer?.text ?? '')).toMatchObject({ status: '400' });
      expect(answer?.headers.get('x-request-id')).toBeDefined();
      client.destroy();
    });

    it.each([
      ['once', 'GET /healthz HTTP/1.1', [HOST]],
      ['with a port', 'GET /healthz HTTP/1.1', ['Host: [::1]:3000']],
      ['as nothing', 'GET /healthz HTTP/1.1', ['Host:']],
      ['not at all in HTTP/1.0', 'GET /healthz HTTP/1.0', []],
    ])('is served: %s', async (_, line, lines) => {
      const client = await RawClient.connect(test.url);
      client.sendHead(line, ...lines);
      expect(await client.answers(1)).toMatchObject([{ status: 200 }]);
      client.destroy();
    });
  });

  describe('as it does not arrive in time', () => {
    let server: Server;

    beforeAll(async () => {
      server = createServer({ headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 });
      answerParserErrors(server, pino({ level: 'silent' }));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });

    afterAll(() => server.close());

    it('is 408', async () => {
      const client = await RawClient.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      client.send('GET /healthz HTTP/1.1\r\nHost: a');
      const [answer] = await client.untilClosed();
      expect(codeOf(expectRefusal(answer))).toEqual([408, 'request_timeout']);
    });
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

    it.each(['/healthz', '/docs'])(
      'is sent where the service is reached by https, and nowhere else: %s',
      async (path) => {
        expect(await header('https://toolyard.test', path)).toMatch(/^max-age=\d+/);
        expect(await header('http://toolyard.test', path)).toBeNull();
      },
    );
  });
});
