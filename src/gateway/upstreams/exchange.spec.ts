import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { eventually } from '../../../test/support/eventually';
import { CALL_MESSAGE } from '../protocol/message-readings';
import { jsonText } from '../protocol/json-writing';
import { AnswerBudget } from './answer-budget';
import { exchange, type ExchangeLimits, EXCHANGE_LIMITS, type UpstreamMessage } from './exchange';

const RESULT = { jsonrpc: '2.0', id: 7, result: { content: [] } };
const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream; charset=utf-8' };
const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };

/** @param length of the message as JSON */
function answerOf(length: number) {
  const frame = JSON.stringify({ ...RESULT, result: { text: '' } });
  return { ...RESULT, result: { text: 'x'.repeat(length - frame.length) } };
}

describe('An exchange with an upstream', () => {
  let server: Server;
  let agent: Agent;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  let requests = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests++;
      request.resume().on('end', () => handle(request, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => {
    requests = 0;
    agent = new Agent({ connect: { timeout: 1_000 }, headersTimeout: 30_000, bodyTimeout: 0 });
  });

  afterEach(() => agent.destroy());

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (fields: Partial<UpstreamMessage> = {}, limits: Partial<ExchangeLimits> = {}) =>
    exchange(
      agent,
      {
        url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?a=1`),
        headers: { 'mcp-method': 'tools/call' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call' }),
        id: 7,
        signal: new AbortController().signal,
        ...fields,
      },
      { ...EXCHANGE_LIMITS, ...limits },
    );

  it('gives the answer that comes as JSON, and the session', async () => {
    let seen: IncomingMessage['headers'] = {};
    handle = ({ headers }, response) => {
      seen = headers;
      response.writeHead(200, { ...json, 'mcp-session-id': 's-1' }).end(JSON.stringify(RESULT));
    };
    expect(await send()).toEqual({ status: 200, sessionId: 's-1', message: RESULT });
    expect(seen).toMatchObject({ accept: 'application/json, text/event-stream', 'mcp-method': 'tools/call' });
    expect(Object.keys(seen).sort()).toEqual(
      ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'mcp-method'].sort(),
    );
  });

  it('gives the answer that comes on a stream, and what came before it, as it came', async () => {
    const before: unknown[] = [];
    let respond: ServerResponse | undefined;
    handle = (_, response) => {
      respond = response.writeHead(200, events);
      response.write(`id: 1\ndata:\n\n${event(progress)}`);
    };
    const answer = send({ onMessage: (message) => before.push(message) });
    await eventually(
      () => before,
      ({ length }) => length === 1,
      2_000,
    );
    respond?.write(event({ jsonrpc: '2.0', id: 9, result: {} }) + event(RESULT));
    expect(await answer).toEqual({ status: 200, sessionId: undefined, message: RESULT });
    expect(before).toEqual([progress]);
  });

  it.each<[string, number, Record<string, string>, string, object | undefined]>([
    ['an error', 400, json, '{"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"no"}}', { id: 7 }],
    [
      'an error without an id',
      400,
      json,
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}',
      { error: { code: -32700 } },
    ],
    ['another’s id', 200, json, '{"jsonrpc":"2.0","id":8,"result":{}}', undefined],
    ['no JSON', 200, json, '{"jsonrpc"', undefined],
    ['an array', 200, json, '[]', undefined],
    ['a page', 502, { 'content-type': 'text/html' }, '<h1>', undefined],
    ['a stream that ends', 200, events, event(progress), undefined],
    ['a redirect', 302, { location: 'http://169.254.169.254/' }, '', undefined],
  ])('gives the status, and the message if it answers the request: %s', async (_, status, headers, body, expected) => {
    handle = (_request, response) => response.writeHead(status, headers).end(body);
    const { status: seen, message } = await send();
    expect(seen).toBe(status);
    if (expected) expect(message).toMatchObject(expected);
    else expect(message).toBeUndefined();
    expect(requests).toBe(1);
  });

  it('ends when the upstream does not answer, and each progress gives it more time', async () => {
    handle = (_, response) => {
      response.writeHead(200, events);
      let count = 0;
      const timer = setInterval(() => (++count <= 4 ? response.write(event(progress)) : clearInterval(timer)), 150);
    };
    const began = Date.now();
    await expect(send({}, { callMs: 400 })).rejects.toMatchObject({ code: 'upstream_timeout', mayHaveRun: true });
    expect(Date.now() - began).toBeGreaterThanOrEqual(4 * 150 + 350);
  });

  it('has the time of a person after a question, and not after one that no one is asked', async () => {
    handle = (_request, response) =>
      response.writeHead(200, events).write(event({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    const limits = { callMs: 100, askedMs: 1_000 };
    const waited = async (onMessage: () => unknown) => {
      const began = performance.now();
      await expect(send({ onMessage }, limits)).rejects.toMatchObject({ code: 'upstream_timeout' });
      return performance.now() - began;
    };
    expect(await waited(() => true)).toBeGreaterThan(990);
    expect(await waited(() => false)).toBeLessThan(900);
  });

  it('ends at the latest after the whole time, whatever progress there is', async () => {
    handle = (_, response) => {
      response.writeHead(200, events);
      const timer = setInterval(() => response.write(event(progress)), 50);
      response.on('close', () => clearInterval(timer));
    };
    await expect(send({}, { callMs: 400, wholeMs: 800 })).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('closes the connection when it is cancelled', async () => {
    const cancel = new AbortController();
    let isClosed = false;
    handle = (_, response) => {
      response.on('close', () => (isClosed = true));
      response.writeHead(200, events).write(event(progress));
    };
    const answer = send({ signal: cancel.signal, onMessage: () => cancel.abort(new Error('gone')) });
    await expect(answer).rejects.toThrow('gone');
    await eventually(() => isClosed, Boolean, 1_000);
  });

  it('refuses an answer or an event that is too large, without reading on', async () => {
    const piece = Buffer.alloc(65_536, 'x');
    let sent = 0;
    handle = (_, response) => {
      sent = 0;
      response.writeHead(200, requests === 1 ? json : events);
      // Once the connection is gone each write fails at once, on Node 24 long before the response knows.
      const more = (error?: Error | null) => {
        sent += piece.length;
        if (!error && sent < 1e9) response.write(piece, more);
      };
      more();
    };
    await expect(send()).rejects.toMatchObject({ code: 'too_large', mayHaveRun: true });
    expect(sent).toBeLessThan(100e6);
    await expect(send()).rejects.toMatchObject({ code: 'too_large' });
    expect(sent).toBeLessThan(100e6);
  });

  it('takes an event that is the answer to be as long as an answer, and no longer', async () => {
    for (const [kind, write] of [
      ['json', JSON.stringify],
      ['events', (message: object) => event(progress) + event(message)],
    ] as const) {
      const head = kind === 'json' ? json : events;
      handle = (_, response) => response.writeHead(200, head).end(write(answerOf(EXCHANGE_LIMITS.answerBytes)));
      expect((await send()).message).toEqual(answerOf(EXCHANGE_LIMITS.answerBytes));
      handle = (_, response) => response.writeHead(200, head).end(write(answerOf(EXCHANGE_LIMITS.answerBytes + 1)));
      await expect(send()).rejects.toMatchObject({
        code: 'too_large',
        message: 'It has answered with more than 10 MiB.',
      });
    }
  });

  it('refuses a long event that is not the answer, and answers that say more than can be read', async () => {
    const long = { ...progress, params: { ...progress.params, message: 'x'.repeat(1_048_576) } };
    handle = (_, response) => response.writeHead(200, events).end(event(long) + event(RESULT));
    await expect(send()).rejects.toMatchObject({ code: 'too_large' });
    const many = `[${'{},'.repeat(100_000)}{}]`;
    handle = (_, response) =>
      response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":7,"result":{"content":${many}}}`);
    await expect(send()).rejects.toMatchObject({ code: 'too_large' });
    const { message } = await send({ reading: CALL_MESSAGE });
    expect(message?.result).toMatchObject({ content: { values: 100_002 } });
    handle = (_, response) =>
      response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":7,"result":{"resultType":${many}}}`);
    await expect(send({ reading: CALL_MESSAGE })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('reads an answer that says how long it is, and ends with one that breaks off', async () => {
    for (const length of [100, 65_536, 65_537]) {
      const text = JSON.stringify(answerOf(length));
      const head = { ...json, 'content-length': length };
      handle = (_, response) => response.writeHead(200, head).end(text);
      expect((await send()).message).toEqual(answerOf(length));
      handle = (_, response) => response.writeHead(200, head).write('{', () => response.destroy());
      await expect(send()).rejects.toMatchObject({ code: 'upstream_unreachable', mayHaveRun: true });
      handle = (_, response) => response.writeHead(200, head).write('{');
      await expect(send({}, { callMs: 100 })).rejects.toMatchObject({ code: 'upstream_timeout', mayHaveRun: true });
      const cancel = new AbortController();
      handle = (_, response) =>
        response.writeHead(200, head).write('{', () => setImmediate(() => cancel.abort(new Error('gone'))));
      await expect(send({ signal: cancel.signal })).rejects.toThrow('gone');
    }
  });

  it('keeps the memory of a short answer, and no more', async () => {
    const budget = new AnswerBudget();
    for (const length of [100, 65_536]) {
      const share = budget.open('a');
      await share.begin(new AbortController().signal);
      handle = (_, response) =>
        response.writeHead(200, { ...json, 'content-length': length }).end(JSON.stringify(answerOf(length)));
      await send({ share });
      expect(budget.bytes).toBe(length);
      share.release();
    }
  });

  it('gives results as they came, but for what belongs to the message, also what is no UTF-8', async () => {
    const text =
      '{"jsonrpc":"2.0","id":7,"result":{"isError": false,"structuredContent":{"id":725653563933458432,"f":1.0}, "u":"\\u00e9"}}';
    for (const write of [
      (body: string) => body,
      (body: string) => `data: ${body.replace('"result"', '\ndata: "result"')}\n\n`,
    ]) {
      handle = (_, response) => response.writeHead(200, write('') === '' ? json : events).end(write(text));
      const { message } = await send({ reading: CALL_MESSAGE });
      expect(jsonText(message?.result)).toBe(
        '{"isError":false,"structuredContent":{"id":725653563933458432,"f":1.0},"u":"\\u00e9"}',
      );
    }
    handle = (_, response) =>
      response.writeHead(200, json).end(Buffer.from('{"id":7,"result":{"a":"gr\xfcn"}}', 'latin1'));
    expect((await send({ reading: CALL_MESSAGE })).message).toEqual({ id: 7, result: { a: 'gr\ufffdn' } });
  });

  it('says whether the upstream may have begun', async () => {
    handle = (request) => request.socket.destroy();
    await expect(send()).rejects.toMatchObject({ code: 'upstream_unreachable', mayHaveRun: true });
    const nobody = new URL('http://127.0.0.1:1/');
    await expect(send({ url: nobody })).rejects.toMatchObject({ code: 'upstream_unreachable', mayHaveRun: false });
  });
});
