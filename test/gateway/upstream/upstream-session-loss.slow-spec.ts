import type { ServerResponse } from 'node:http';
import type { UpstreamCall, UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { createDatabase, type TestDatabase } from '../../support/database';
import { type Exchange, type Json, JSON_TYPE, TestUpstream } from '../support/test-upstream';
import {
  callOf,
  createStack,
  known,
  LEGACY_CLIENT,
  MODERN_CLIENT,
  type UpstreamStack,
} from '../support/upstream-stack';

/** How a server answers to a request in a session that it does not know. */
type Refusal = (response: ServerResponse) => unknown;

const plain =
  (status: number, text = ''): Refusal =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
const error =
  (status: number, code: number, message: string): Refusal =>
  (response) =>
    response.writeHead(status, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));

describe('A session that an upstream has lost', () => {
  let database: TestDatabase;
  let replicas: UpstreamStack[];
  let upstream: TestUpstream;
  let state: UpstreamState;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    replicas = await Promise.all([createStack(database), createStack(database)]);
    upstream = await TestUpstream.start({ eras: new Set(['legacy']) });
    state = await known(replicas[0] as UpstreamStack, upstream);
  });

  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await upstream.close();
    await database.dataSource.query(`DELETE FROM upstreams`);
  });

  const callOn = (n: number, fields: Partial<UpstreamCall> = {}) =>
    (replicas[n] as UpstreamStack).caller.call(callOf(state, 'echo', { client: LEGACY_CLIENT, ...fields }));
  const sql = <Row>(text: string, values: unknown[] = []) => database.dataSource.query<Row[]>(text, values);
  const begun = () => upstream.of('initialize').length;
  const pings = () => upstream.of('ping').length;
  const isLost = ({ received: { headers }, session }: Exchange) =>
    headers['mcp-session-id'] !== undefined && session === undefined;

  /** The upstream forgets its sessions, and answers so from now on to requests in one that it does not know. */
  const loseBy = (refusal: Refusal) => {
    upstream.forgetSessions();
    upstream.fault = (exchange) => isLost(exchange) && Boolean(refusal(exchange.response));
  };
  /** It answers so to each call of a tool, whatever the session. */
  const failCallsBy = (refusal: Refusal) => {
    upstream.fault = ({ received, response }) => received.method === 'tools/call' && Boolean(refusal(response));
  };
  const answered = { era: 'legacy', result: expect.anything() as unknown };

  describe.each([
    ['modern', MODERN_CLIENT],
    ['legacy', LEGACY_CLIENT],
  ] as const)('used by clients of the %s era', (_, client) => {
    it.each<[string, Refusal]>([
      ['404', plain(404, 'session not found')],
      ['410', plain(410)],
      ['401, as rmcp did', plain(401, 'Unauthorized: Session not found')],
      ['401 and an error of the protocol', error(401, -32_000, 'Unauthorized')],
      ['400 and a word about it', error(400, -32_000, 'Bad Request: No valid session ID provided')],
      ['400 without a word', plain(400)],
    ])('is begun again, and the call sent once more, after %s', async (_how, refusal) => {
      await callOn(0, { client });
      await callOn(1, { client });
      loseBy(refusal);
      expect(await callOn(0, { client })).toMatchObject(answered);
      expect(await callOn(1, { client })).toMatchObject(answered);
      expect(begun()).toBe(2);
      expect(upstream.calls.begun).toHaveLength(4);
    });

    it.each<[string, Refusal]>([
      ['500 without a word', plain(500)],
      ['500 and an error of the protocol', error(500, -32_603, 'Internal error')],
      ['500 and a word about it', error(500, -32_603, 'Unknown session')],
      ['500 and the code for it', error(500, -32_001, 'Not found')],
      ['200 and the code for it', error(200, -32_001, 'Not found')],
      ['200 and a word about it', error(200, -32_000, 'No such session')],
      ['200, because what is behind it has gone', error(200, -32_000, 'Connection closed')],
      ['202', plain(202)],
      ['403', plain(403)],
    ])('is begun again by the next call in any process after %s', async (_how, refusal) => {
      await callOn(0, { client });
      await callOn(1, { client });
      loseBy(refusal);
      const [first] = await Promise.allSettled([callOn(0, { client })]);
      expect(first).not.toMatchObject({ value: answered });
      await heard();
      expect(await callOn(1, { client })).toMatchObject(answered);
      expect(await callOn(0, { client })).toMatchObject(answered);
      expect(begun()).toBe(2);
      // A request that may have begun is not sent again.
      expect(upstream.of('tools/call')).toHaveLength(2 + 1 + 2);
    });
  });

  /** Until the other process has heard of what the first one has done. */
  const heard = async () => {
    const mark = `mark ${Math.random()}`;
    const news = replicas.map(
      (replica) =>
        new Promise<void>((resolve) =>
          replica.upstreams.onChange((id) => {
            if (id === mark) resolve();
          }),
        ),
    );
    await sql(`SELECT pg_notify('toolyard_definitions', $1)`, [mark]);
    await Promise.all(news);
  };

  it.each<[string, Refusal]>([
    ['429', plain(429)],
    ['429 and an error of the protocol', error(429, -32_000, 'Too many sessions')],
    ['503', plain(503)],
    ['500', error(500, -32_603, 'Internal error')],
    ['400', error(400, -32_000, 'That is no region.')],
    ['403', plain(403)],
    ['504', plain(504)],
    ['a time-out of what it has asked', error(200, -32_001, 'MCP error -32001: Request timed out')],
    ['a lost session of its own', error(200, -32_603, 'The browser session has ended.')],
    ['an error of the tool', error(200, -32_602, 'Unknown tool')],
  ])('is not what the upstream means by %s, where it answers ping', async (_how, refusal) => {
    await callOn(0);
    failCallsBy(refusal);
    for (let n = 0; n < 3; n++) await callOn(0).catch(() => undefined);
    upstream.fault = () => false;
    expect(await callOn(0)).toMatchObject(answered);
    expect(begun()).toBe(1);
    // Each was sent once.
    expect(upstream.of('tools/call')).toHaveLength(5);
    expect(upstream.ended).toEqual([]);
  });

  it('is not asked for after 429 and after what took too long', async () => {
    for (const { limits } of replicas) Object.assign(limits, { callMs: 200, firstByteMs: 200 });
    await callOn(0);
    failCallsBy(plain(429));
    await callOn(0).catch(() => undefined);
    upstream.fault = ({ received }) => received.method === 'tools/call';
    await expect(callOn(0)).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(pings()).toBe(0);
    upstream.fault = () => false;
    expect(await callOn(0)).toMatchObject(answered);
    expect(begun()).toBe(1);
  });

  it('is not what a connection means that was closed, where it answers ping', async () => {
    await callOn(0);
    failCallsBy((response) => response.destroy());
    await expect(callOn(0)).rejects.toMatchObject({ code: 'upstream_unreachable' });
    upstream.fault = () => false;
    await callOn(0);
    expect([begun(), pings()]).toEqual([1, 1]);
  });

  it('is kept while the upstream is away for a moment, also for ping', async () => {
    await callOn(0);
    upstream.fault = ({ response }) => Boolean(response.writeHead(503).end());
    for (let n = 0; n < 4; n++) await expect(callOn(0)).rejects.toMatchObject({ status: 503 });
    upstream.fault = () => false;
    await callOn(0);
    expect(begun()).toBe(1);
  });

  it('is asked for once by all who want to know', async () => {
    await callOn(0);
    failCallsBy(plain(500));
    await Promise.allSettled(Array.from({ length: 15 }, () => callOn(0)));
    expect(pings()).toBeLessThan(15);
    expect(begun()).toBe(1);
  });

  it('is begun again once in a while only, where the upstream refuses calls in any session', async () => {
    await callOn(0);
    failCallsBy(plain(401));
    for (let n = 0; n < 4; n++) await expect(callOn(0)).rejects.toMatchObject({ code: 'credential_required' });
    expect(begun()).toBe(2);
    // Only the first of them was sent twice.
    expect(upstream.of('tools/call')).toHaveLength(1 + 5);
  });

  it('is begun again once in a while only, where the upstream fails at calls and at ping', async () => {
    await callOn(0);
    upstream.fault = ({ received: { method }, response }) =>
      ['tools/call', 'ping'].includes(method) && Boolean(plain(500)(response));
    for (let n = 0; n < 4; n++) await expect(callOn(0)).rejects.toMatchObject({ status: 500 });
    upstream.fault = () => false;
    await callOn(0);
    expect(begun()).toBe(2);
  });

  it('is begun again as often as it is lost and has worked in between', async () => {
    for (let n = 1; n <= 3; n++) {
      await callOn(0);
      loseBy(plain(401));
      await callOn(0);
      expect(begun()).toBe(n + 1);
    }
  });

  it('is still used by those who used it, so that the last of them ends it', async () => {
    await callOn(0, { session: 'Zmlyc3Q' });
    loseBy(plain(500));
    await callOn(0, { session: 'Zmlyc3Q' }).catch(() => undefined);
    await callOn(0, { session: 'Zmlyc3Q' });
    const [row] = await sql<Json>(`SELECT holders FROM upstream_sessions`);
    expect(row).toEqual({ holders: [Buffer.from('first')] });
  });

  it('is forgotten in every process and ended, when that is wanted of its entry', async () => {
    await callOn(0);
    await callOn(1);
    const other = { entryId: '01890000-0000-7000-8000-000000000000' };
    await callOn(0, other);
    await replicas[0]?.sessions.forget([callOf(state, 'echo').entryId], [state.id]);
    await heard();
    await callOn(1);
    await callOn(0);
    await callOn(0, other);
    expect(begun()).toBe(3);
  });
});
