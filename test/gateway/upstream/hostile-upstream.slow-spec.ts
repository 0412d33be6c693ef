import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UpstreamCall, UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { createDatabase, type TestDatabase } from '../../support/database';
import { DnsServer } from '../../support/dns-server';
import { eventually } from '../../support/eventually';
import { EVENTS, eventOf, type Exchange, JSON_TYPE, TestUpstream } from '../support/test-upstream';
import {
  callOf,
  createStack,
  known,
  LEGACY_CLIENT,
  MODERN_CLIENT,
  type UpstreamStack,
} from '../support/upstream-stack';

/** What becomes of a call: the code, the message, and whether it may have run. */
type Refusal = [code: string, message: string, mayHaveRun: boolean];

const MEBIBYTE = Buffer.alloc(1_048_576, 'x');

const isCall = ({ received }: Exchange) => received.method === 'tools/call';
const answer = (exchange: Exchange, fields: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: exchange.received.id, ...fields });

/** Writes until nobody reads any more. @returns how much was written, in MiB */
function flood({ response }: Exchange, head: Record<string, string>): { sent: number } {
  const state = { sent: 0 };
  response.writeHead(200, head);
  const more = () => {
    if (response.destroyed || state.sent >= 10_240) return;
    state.sent++;
    response.write(MEBIBYTE, more);
  };
  more();
  return state;
}

const FAULTS: [string, (exchange: Exchange) => unknown, Refusal][] = [
  ['does not answer', () => undefined, ['upstream_timeout', 'It did not begin to answer within 1 s.', true]],
  [
    'begins to answer, and stops',
    ({ response }) => response.writeHead(200, EVENTS).write(': hello\n\n'),
    ['upstream_timeout', 'It did not answer within 2 s.', true],
  ],
  [
    'breaks off before it answers',
    ({ response }) => response.destroy(),
    ['upstream_unreachable', 'The connection was closed before it had answered.', true],
  ],
  [
    'breaks off in the middle',
    ({ response }) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' }).write('{', () => response.destroy()),
    ['upstream_unreachable', 'The connection was closed before it had answered.', true],
  ],
  [
    'ends its stream without an answer',
    ({ response }) => response.writeHead(200, EVENTS).end(': bye\n\n'),
    ['upstream_error', 'It did not answer the request as the protocol prescribes.', true],
  ],
  [
    'answers 401',
    ({ response }) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    ['credential_required', 'It requires credentials (status 401).', false],
  ],
  [
    'answers 403',
    ({ response }) => response.writeHead(403).end(),
    ['upstream_error', 'It refuses access (status 403).', false],
  ],
  [
    'answers 429',
    ({ response }) => response.writeHead(429).end(),
    ['rate_limited', 'It accepts no more requests for now (status 429).', false],
  ],
  [
    'answers 500',
    ({ response }) => response.writeHead(500).end('<h1>'),
    ['upstream_error', 'It answered with status 500.', true],
  ],
  [
    'redirects to the metadata of a cloud',
    ({ response }) => response.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end(),
    ['upstream_error', 'It redirects (status 307), and redirects are not followed.', false],
  ],
  [
    'answers with invalid JSON',
    ({ response }) => response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":'),
    ['upstream_error', 'It did not answer the request as the protocol prescribes.', true],
  ],
  [
    'answers with JSON of 100,000 levels',
    ({ response }) => response.writeHead(200, JSON_TYPE).end('{"a":'.repeat(100_000)),
    ['upstream_error', 'It did not answer the request as the protocol prescribes.', true],
  ],
  [
    'answers another’s request',
    (exchange) => exchange.response.writeHead(200, JSON_TYPE).end(answer(exchange, { id: 'other', result: {} })),
    ['upstream_error', 'It did not answer the request as the protocol prescribes.', true],
  ],
  [
    'answers another’s request on a stream',
    (exchange) => exchange.response.writeHead(200, EVENTS).end(eventOf({ jsonrpc: '2.0', id: 'other', result: {} })),
    ['upstream_error', 'It did not answer the request as the protocol prescribes.', true],
  ],
  [
    'answers with a page',
    ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
    ['upstream_error', 'It did not answer the request as the protocol prescribes.', true],
  ],
  [
    'answers with 10 GB',
    (exchange) => flood(exchange, JSON_TYPE),
    ['too_large', 'It has answered with more than 10 MiB.', true],
  ],
  [
    'sends an event of 10 GB',
    (exchange) => flood(exchange, EVENTS),
    ['too_large', 'It has answered with more than 10 MiB.', true],
  ],
  [
    'answers with endless headers',
    ({ response }) => response.writeHead(200, { 'x-a': 'x'.repeat(100_000) }).end(),
    ['too_large', 'The headers of its answer are too large.', true],
  ],
];

describe('An upstream', () => {
  let database: TestDatabase;
  let stack: UpstreamStack;
  let upstream: TestUpstream;
  let state: UpstreamState;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    stack = await createStack(database);
    Object.assign(stack.limits, { firstByteMs: 1_000, callMs: 2_000 });
    upstream = await TestUpstream.start();
    state = await known(stack, upstream);
  });

  afterEach(async () => {
    await stack.close();
    await upstream.close();
  });

  const call = (fields: Partial<UpstreamCall> = {}) => stack.caller.call(callOf(state, 'echo', fields));

  describe.each([
    ['modern', MODERN_CLIENT],
    ['legacy', LEGACY_CLIENT],
  ] as const)('that is called in the %s era', (era, client) => {
    it.each(FAULTS)(
      'and %s fails with a reason, is called once where it may have begun, and harms no other',
      async (name, fault, [code, message, mayHaveRun]) => {
        await call({ client });
        upstream.fault = (exchange) => isCall(exchange) && (fault(exchange), true);
        const before = upstream.of('tools/call').length;
        const other = await TestUpstream.start();
        const [failure, unharmed] = await Promise.all([
          call({ client }).catch((error: unknown) => error),
          stack.caller.call(
            callOf(await known(stack, other), 'echo', { client, entryId: '00000000-0000-4000-8000-000000000001' }),
          ),
        ]);
        expect(failure).toMatchObject({ name: 'UpstreamFailure', code, message, mayHaveRun });
        expect(unharmed).toMatchObject({ result: { content: [{ text: '{"a":1}' }] } });
        // With a session a 401 says that the session is gone: it was begun again, and nothing had begun.
        const calls = era === 'legacy' && name === 'answers 401' ? 2 : 1;
        expect(upstream.of('tools/call').length - before).toBe(calls);
        await other.close();
        // And it works when it works.
        upstream.fault = () => false;
        await call({ client });
      },
    );
  });

  it('is given more time by its progress, but not for ever', async () => {
    Object.assign(stack.limits, { callMs: 600, wholeMs: 2_000 });
    upstream.fault = (exchange) => {
      if (!isCall(exchange)) return false;
      const { response } = exchange;
      response.writeHead(200, EVENTS);
      const timer = setInterval(
        () => response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })),
        200,
      );
      response.once('close', () => clearInterval(timer));
      return true;
    };
    const began = performance.now();
    await expect(call()).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(performance.now() - began).toBeGreaterThan(1_900);
  });

  it('that refuses connections, or cannot be connected to in time, has not run', async () => {
    const { port } = upstream;
    await upstream.close();
    const [gone] = await stack.upstreams.ensure([{ url: `http://127.0.0.1:${port}/gone`, headers: {} }]);
    await expect(stack.caller.call(callOf(gone ?? state, 'echo'))).rejects.toMatchObject({
      code: 'upstream_unreachable',
      message: 'It could not be reached (ECONNREFUSED).',
      mayHaveRun: false,
    });
  });

  describe('at an address that is not public', () => {
    let dns: DnsServer;
    let trap: Server;
    let trapped = 0;

    beforeEach(async () => {
      trapped = 0;
      dns = await DnsServer.start();
      trap = createServer((_request, response) => {
        trapped++;
        response.writeHead(200, JSON_TYPE).end('{}');
      });
      await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    });

    afterEach(async () => {
      trap.closeAllConnections();
      trap.close();
      await dns.close();
    });

    const REFUSED = {
      code: 'upstream_unreachable',
      message: 'Its address is not allowed: it is not public.',
      mayHaveRun: false,
    };

    it.each([
      'http://127.0.0.1:1/',
      'http://169.254.169.254/',
      'http://[::1]:1/',
      'http://localhost:1/',
      'http://2130706433/',
    ])('is not dialled: %s', async (url) => {
      const strict = await createStack(database, { networks: '', dns: dns.resolver });
      const [target] = await strict.upstreams.ensure([{ url: `${url}${Math.random()}`, headers: {} }]);
      await expect(strict.caller.call(callOf(target ?? state, 'echo'))).rejects.toMatchObject(REFUSED);
      await strict.upstreams.refresh([target?.id ?? ''], new AbortController().signal);
      const [after] = await strict.upstreams.ensure([{ url: target?.url ?? '', headers: {} }]);
      expect(after?.listError).toBe(REFUSED.message);
      await strict.close();
    });

    it('is not dialled where its name has another one at the second look', async () => {
      // Only 127.0.0.2 is allowed, where the upstream listens; 127.0.0.1 stands for what must not be reached.
      const allowed = createServer((request, response) => {
        request.resume();
        response.writeHead(200, { ...JSON_TYPE, connection: 'close' }).end('{"jsonrpc":"2.0","id":1,"result":{}}');
      });
      const { port } = trap.address() as AddressInfo;
      await new Promise<void>((resolve) => allowed.listen(port, '127.0.0.2', resolve));
      const strict = await createStack(database, { networks: '127.0.0.2/32', dns: dns.resolver });
      const [target] = await strict.upstreams.ensure([{ url: `http://rebinding.example:${port}/mcp`, headers: {} }]);
      dns.answer = (_name, family) => (family === 4 ? ['127.0.0.2'] : []);
      await expect(strict.caller.call(callOf(target ?? state, 'echo'))).rejects.toMatchObject({
        code: 'upstream_error',
      });
      dns.answer = (_name, family) => (family === 4 ? ['127.0.0.1'] : []);
      await expect(
        strict.caller.call(callOf(target ?? state, 'echo', { entryId: '00000000-0000-4000-8000-000000000002' })),
      ).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching('revision') as string });
      await strict.upstreams.refresh([target?.id ?? ''], new AbortController().signal);
      const [after] = await strict.upstreams.ensure([{ url: target?.url ?? '', headers: {} }]);
      expect(after?.listError).toBe(REFUSED.message);
      expect(trapped).toBe(0);
      await strict.close();
      allowed.closeAllConnections();
      allowed.close();
    });

    it('is not dialled where the DNS does not know its name', async () => {
      const strict = await createStack(database, { networks: '', dns: dns.resolver });
      const [target] = await strict.upstreams.ensure([{ url: 'http://nowhere.example/mcp', headers: {} }]);
      await expect(strict.caller.call(callOf(target ?? state, 'echo'))).rejects.toMatchObject({
        code: 'upstream_unreachable',
        message: 'The DNS has no address for it.',
      });
      await strict.close();
    });
  });

  describe('that fails five times in half a minute', () => {
    const other = '00000000-0000-4000-8000-000000000003';

    it('is not asked for half a minute, by that entry', async () => {
      await call();
      upstream.fault = (exchange) => isCall(exchange) && Boolean(exchange.response.destroy());
      for (let n = 0; n < 5; n++)
        await expect(call()).rejects.toMatchObject({ code: 'upstream_unreachable', mayHaveRun: true });
      const { length } = upstream.received;
      await expect(call()).rejects.toMatchObject({
        code: 'upstream_unreachable',
        message: expect.stringMatching(
          /^It has failed repeatedly, so it is not asked now; try again in \d+ s\.$/,
        ) as string,
        mayHaveRun: false,
      });
      expect(upstream.received).toHaveLength(length);
      expect(stack.caller.breakerOpenFor(callOf(state, '').entryId)).toBeGreaterThan(25);
      upstream.fault = () => false;
      await call({ entryId: other });
    });

    it('is still asked where only the rest of its answers takes too long: callers could bring that about', async () => {
      await call();
      stack.limits.callMs = 1_000;
      upstream.fault = (exchange) =>
        isCall(exchange) && (exchange.response.writeHead(200, EVENTS).write(': hello\n\n'), true);
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => call()));
      const late = { status: 'rejected', reason: { code: 'upstream_timeout', status: 200, mayHaveRun: true } };
      expect(outcomes).toMatchObject(Array.from({ length: 6 }, () => late));
      expect(stack.caller.breakerOpenFor(callOf(state, '').entryId)).toBe(0);
    });

    it('is not asked where it does not begin to answer', async () => {
      await call();
      upstream.fault = isCall;
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => call()));
      expect(outcomes.map((outcome) => 'reason' in outcome && (outcome.reason as { code: unknown }).code)).toEqual(
        Array.from({ length: 5 }, () => 'upstream_timeout'),
      );
      expect(stack.caller.breakerOpenFor(callOf(state, '').entryId)).toBeGreaterThan(25);
    });

    it('is not asked, whatever limits of ours were reached in between', async () => {
      await call();
      await database.dataSource.query(
        `INSERT INTO upstream_sessions (principal, entry_id, upstream_id, capabilities, revision)
         SELECT 'user bob', uuid_v7(), $1, '', '2025-11-25' FROM generate_series(1, 500)`,
        [state.id],
      );
      upstream.fault = (exchange) => isCall(exchange) && Boolean(exchange.response.destroy());
      const fail = () => expect(call()).rejects.toMatchObject({ code: 'upstream_unreachable' });
      for (let n = 0; n < 4; n++) await fail();
      // Neither a failure of the upstream nor an answer.
      await expect(call({ client: LEGACY_CLIENT, principal: 'user bob' })).rejects.toMatchObject({
        code: 'rate_limited',
        status: undefined,
      });
      expect(stack.caller.breakerOpenFor(callOf(state, '').entryId)).toBe(0);
      await fail();
      expect(stack.caller.breakerOpenFor(callOf(state, '').entryId)).toBeGreaterThan(25);
    });

    it.each([401, 403, 500])('is asked again if it answered, even with %d', async (status) => {
      await call();
      upstream.fault = (exchange) => isCall(exchange) && Boolean(exchange.response.writeHead(status).end());
      for (let n = 0; n < 7; n++) await expect(call()).rejects.toMatchObject({ status });
      expect(upstream.of('tools/call')).toHaveLength(8);
    });
  });

  describe('with many calls', () => {
    it('gets 20 at once of a principal, and 50 of a bundle, which leaves others alone', async () => {
      await call();
      Object.assign(stack.limits, { firstByteMs: 20_000, callMs: 20_000 });
      const slow = (principal: string, fields: Partial<UpstreamCall> = {}) =>
        call({ principal, params: { name: 'slow' }, ...fields });
      const calls = ['ada', 'bob', 'cyd'].flatMap((principal, index) =>
        Array.from({ length: index === 2 ? 10 : 20 }, () => slow(principal)),
      );
      await eventually(
        () => upstream.calls.held,
        (held) => held === 50,
        5_000,
      );
      await expect(slow('ada')).rejects.toMatchObject({
        code: 'rate_limited',
        message: expect.stringMatching('20 calls') as string,
      });
      await expect(slow('dan')).rejects.toMatchObject({
        code: 'rate_limited',
        message: expect.stringMatching('50 calls of this bundle') as string,
      });
      const ofOthers = slow('dan', { bundleId: '00000000-0000-4000-8000-000000000004' });
      await eventually(
        () => upstream.calls.held,
        (held) => held === 51,
        5_000,
      );
      upstream.calls.release();
      await Promise.all([...calls, ofOthers]);
      await call({ principal: 'dan' });
      expect(stack.caller.breakerOpenFor(callOf(state, '').entryId)).toBe(0);
    });

    it('uses connections again, also after streams of events', async () => {
      for (const answersBy of ['json', 'events'] as const) {
        upstream.answersBy = answersBy;
        for (let n = 0; n < 10; n++) await call();
      }
      expect(upstream.connections).toBeLessThanOrEqual(2);
    });
  });
});
