import { randomUUID } from 'node:crypto';
import { Secrets } from '../../../src/config/secrets';
import type { UpstreamCall, UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { type Json, LEGACY, TestUpstream } from '../support/test-upstream';
import { callOf, createStack, ENTRY, known, LEGACY_CLIENT, type UpstreamStack } from '../support/upstream-stack';

describe('A session with an upstream of the legacy era', () => {
  let database: TestDatabase;
  let replicas: UpstreamStack[];
  let upstream: TestUpstream;
  let state: UpstreamState;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    replicas = await Promise.all([createStack(database), createStack(database), createStack(database)]);
    upstream = await TestUpstream.start({ eras: new Set(['legacy']) });
    state = await known(replicas[0] as UpstreamStack, upstream);
  });

  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await upstream.close();
    await database.dataSource.query(`DELETE FROM upstreams`);
  });

  const callOn = (n: number, fields: Partial<UpstreamCall> = {}) =>
    (replicas[n % replicas.length] as UpstreamStack).caller.call(
      callOf(state, 'echo', { client: LEGACY_CLIENT, ...fields }),
    );
  const callEach = (count: number, fields?: Partial<UpstreamCall>) =>
    Promise.all(Array.from({ length: count }, (_, n) => callOn(n, fields)));
  const sql = <Row>(text: string, values: unknown[] = []) => database.dataSource.query<Row[]>(text, values);
  const sessionsUsed = () => new Set(upstream.of('tools/call').map(({ headers }) => headers['mcp-session-id']));

  it('is begun once, and used by every replica', async () => {
    await callEach(15);
    expect(upstream.of('initialize')).toHaveLength(1);
    expect(upstream.of('notifications/initialized')).toHaveLength(1);
    expect(upstream.calls.begun).toHaveLength(15);
    expect(sessionsUsed()).toEqual(new Set(upstream.sessions.keys()));
    expect(upstream.of('tools/call')[0]?.headers['mcp-protocol-version']).toBe('2025-11-25');
  });

  it('is begun again once, for all replicas, when the upstream has forgotten it; no call is made twice', async () => {
    await callEach(3);
    upstream.forgetSessions();
    await callEach(15);
    expect(upstream.of('initialize')).toHaveLength(2);
    expect(upstream.calls.begun).toHaveLength(18);
  });

  it('is begun again where the upstream says 400, as servers on the official SDK do', async () => {
    await callEach(3);
    upstream.unknownSession = 400;
    upstream.forgetSessions();
    await callEach(3);
    expect(upstream.of('initialize')).toHaveLength(2);
    expect(upstream.calls.begun).toHaveLength(6);
  });

  it('is begun again where a look-up that was under way has only found the lost one', async () => {
    const { signal } = new AbortController();
    const { capabilities } = LEGACY_CLIENT;
    const owner = { upstream: state, principal: 'user ada', entryId: ENTRY, holder: undefined, capabilities };
    const [first, , fresh] = replicas as [UpstreamStack, UpstreamStack, UpstreamStack];
    const lost = await first.sessions.of({ ...owner, wanted: LEGACY }, signal);
    upstream.forgetSessions();
    const [found, renewed] = await Promise.all([
      fresh.sessions.of({ ...owner, wanted: LEGACY }, signal),
      fresh.sessions.renew({ ...owner, wanted: LEGACY }, lost, true, signal),
    ]);
    expect(found.sessionId).toBe(lost.sessionId);
    expect(renewed?.sessionId).not.toBe(lost.sessionId);
    expect([...upstream.sessions.keys()]).toEqual([renewed?.sessionId]);
  });

  it('is not waited for longer than a request may while the database does not answer', async () => {
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`LOCK TABLE upstream_sessions`);
      await expect(callOn(0)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    expect(upstream.received).toEqual([]);
    await callOn(0);
  });

  it('is not begun again and again: a call is sent twice at most', async () => {
    await callOn(0);
    upstream.fault = ({ received, response }) =>
      received.method === 'tools/call' && Boolean(response.writeHead(404).end());
    await expect(callOn(0)).rejects.toMatchObject({ code: 'upstream_error', status: 404 });
    expect(upstream.of('tools/call')).toHaveLength(3);
    expect(upstream.of('initialize')).toHaveLength(2);
  });

  it('is of 2024-11-05 where the upstream speaks nothing else', async () => {
    upstream.revisions = ['2024-11-05'];
    await callEach(3);
    expect(upstream.of('initialize')).toHaveLength(1);
    expect(upstream.of('tools/call')[0]?.headers['mcp-protocol-version']).toBe('2024-11-05');
  });

  it('has no id where the upstream keeps none', async () => {
    upstream.isStateful = false;
    await callEach(6);
    expect(upstream.of('initialize')).toHaveLength(1);
    expect(sessionsUsed()).toEqual(new Set([undefined]));
  });

  it.each<[string, Partial<UpstreamCall>]>([
    ['principal', { principal: 'user bob' }],
    ['entry', { entryId: randomUUID() }],
    ['set of capabilities', { client: { ...LEGACY_CLIENT, capabilities: { sampling: {} } } }],
    ['revision', { client: { ...LEGACY_CLIENT, revision: '2025-06-18' } }],
  ])('is never that of another %s', async (_, fields) => {
    await callOn(0);
    await callOn(0, fields);
    await callOn(1, fields);
    expect(upstream.sessions.size).toBe(2);
    expect(sessionsUsed().size).toBe(2);
    const [first, second] = [...upstream.sessions.values()];
    expect(first?.capabilities).toEqual(LEGACY_CLIENT.capabilities);
    expect(second?.capabilities).toEqual(fields.client?.capabilities ?? LEGACY_CLIENT.capabilities);
  });

  it('is sealed in the database, for its owner', async () => {
    await callOn(0);
    await callOn(0, { principal: 'user bob' });
    const [id = ''] = upstream.sessions.keys();
    const [{ text } = { text: '' }] = await sql<{ text: string }>(
      `SELECT string_agg(sessions::text || encode(session_id, 'escape'), ' ') AS text FROM upstream_sessions AS sessions`,
    );
    expect(text).not.toContain(id);
    // Whoever can write to the table cannot make one use the other’s: it cannot be opened, and is begun again.
    await sql(
      `UPDATE upstream_sessions SET session_id = (SELECT session_id FROM upstream_sessions WHERE principal = 'user ada')`,
    );
    await callOn(1, { principal: 'user bob' });
    expect(upstream.sessions.size).toBe(3);
  });

  it('is begun again where it cannot be opened, because SECRETS_KEY is another one now', async () => {
    await callOn(0);
    const changed = await createStack(database, { secrets: new Secrets(Buffer.alloc(32, 8)) });
    try {
      await changed.caller.call(callOf(state, 'echo', { client: LEGACY_CLIENT }));
      await changed.caller.call(callOf(state, 'echo', { client: LEGACY_CLIENT }));
      expect(upstream.of('initialize')).toHaveLength(2);
      expect(upstream.calls.begun).toHaveLength(3);
      // What an upstream has asked in the one before cannot be answered any more, and nothing is sent there.
      expect(await sql(`SELECT FROM upstream_sessions`)).toHaveLength(1);
    } finally {
      await changed.close();
    }
  });

  it('is ended at the upstream when the last session of a client ends that has used it, and not before', async () => {
    const [first, second] = ['Zmlyc3Q', 'c2Vjb25k'];
    await callOn(0, { session: first });
    await callOn(1, { session: second });
    await callOn(2, { principal: 'user bob', session: first });
    await replicas[2]?.caller.leave('user ada', first);
    await callOn(1, { session: second });
    expect(upstream.ended).toEqual([]);
    await replicas[0]?.caller.leave('user ada', second);
    await eventually(
      () => upstream.ended.length,
      (count) => count === 1,
      2_000,
    );
    expect(upstream.sessions.size).toBe(1);
    expect(await sql(`SELECT principal FROM upstream_sessions`)).toEqual([{ principal: 'user bob' }]);
    // Every replica that remembers it begins another one, without asking the upstream in the one that is over.
    await callOn(0, { session: 'dGhpcmQ' });
    await callOn(1, { session: 'dGhpcmQ' });
    expect(upstream.of('initialize')).toHaveLength(3);
    expect(upstream.of('tools/call')).toHaveLength(6);
  });

  it('is not ended by a client where others may use it whose sessions nobody knows', async () => {
    await callOn(0, { session: 'Zmlyc3Q' });
    await callOn(1);
    await replicas[0]?.caller.leave('user ada', 'Zmlyc3Q');
    await sql(`SELECT pg_sleep(0.2)`);
    expect(upstream.ended).toEqual([]);
    expect(await sql(`SELECT FROM upstream_sessions`)).toHaveLength(1);
  });

  it('is begun by another replica where the first one died at it', async () => {
    upstream.fault = ({ received }) => received.method === 'initialize';
    const lost = callOn(0).catch(() => undefined);
    await eventually(
      () => upstream.of('initialize').length,
      (count) => count === 1,
      3_000,
    );
    upstream.fault = () => false;
    const waiting = callOn(1);
    await sql(`UPDATE upstream_sessions SET used_at = now() - interval '21 seconds'`);
    await waiting;
    expect(upstream.of('initialize')).toHaveLength(2);
    upstream.breakStreams();
    void lost;
  });

  it('is tried again by the next caller where the upstream did not begin it', async () => {
    upstream.fault = ({ received, response }) =>
      received.method === 'initialize' && Boolean(response.writeHead(503).end());
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => callOn(0)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(upstream.of('tools/call')).toEqual([]);
    upstream.fault = () => false;
    await callOn(1);
  });

  it('is over after half an hour without use, and ended at the upstream', async () => {
    await callOn(0);
    await sql(`UPDATE upstream_sessions SET used_at = now() - interval '29 minutes'`);
    expect(await replicas[1]?.sessions.removeSome()).toBe(false);
    await callOn(1);
    expect(upstream.of('initialize')).toHaveLength(1);
    const used = () =>
      sql<{ recent: boolean }>(`SELECT used_at > now() - interval '1 minute' AS recent FROM upstream_sessions`);
    await eventually(used, ([row]) => row?.recent === true, 2_000);
    await sql(`UPDATE upstream_sessions SET used_at = now() - interval '31 minutes'`);
    await replicas[2]?.sessions.removeSome();
    expect(upstream.ended).toHaveLength(1);
    expect(await sql(`SELECT FROM upstream_sessions`)).toEqual([]);
    // A replica that remembers it begins another one.
    await callOn(0);
    expect(upstream.of('initialize')).toHaveLength(2);
  });

  it('is bounded: a principal may have 500', async () => {
    await sql(
      `INSERT INTO upstream_sessions (principal, entry_id, upstream_id, capabilities, revision)
       SELECT 'user ada', uuid_v7(), $1, '', '2025-11-25' FROM generate_series(1, 500)`,
      [state.id],
    );
    await expect(callOn(0)).rejects.toMatchObject({ code: 'rate_limited' });
    await callOn(0, { principal: 'user bob' });
    // Those that are over do not count, whenever they are removed; and one that was lost can be begun again.
    await sql(`UPDATE upstream_sessions SET used_at = now() - interval '31 minutes'
               WHERE ctid = (SELECT ctid FROM upstream_sessions WHERE principal = 'user ada' LIMIT 1)`);
    await callOn(0);
    upstream.forgetSessions();
    await callOn(0);
  });

  it.each<[string, Json]>([
    ['no valid id', { 'mcp-session-id': 'a b' }],
    ['an endless id', { 'mcp-session-id': 'x'.repeat(5_000) }],
  ])('is refused where it has %s', async (_, headers) => {
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'initialize') return false;
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
      const all = { 'content-type': 'application/json', ...(headers as Record<string, string>) };
      response.writeHead(200, all).end(JSON.stringify({ jsonrpc: '2.0', id: received.id, result }));
      return true;
    };
    await expect(callOn(0)).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The id of its session is not valid.',
    });
  });
});
