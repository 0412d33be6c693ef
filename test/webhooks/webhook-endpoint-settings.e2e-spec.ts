import { FanOut } from '../../src/webhooks/engine/fan-out';
import { DnsError, DnsResolver } from '../../src/outbound/dns-resolver';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createEndpoint } from '../support/factories';
import { eventually } from '../support/eventually';
import { statementsOf } from '../support/statements';

/** Names with their addresses, and the names that were queried. */
class TestDns extends DnsResolver {
  readonly names = new Map<string, string[]>();
  readonly asked: string[] = [];
  /** What happens while a query is in progress. */
  meanwhile: () => Promise<void> = () => Promise.resolve();

  override async lookup(hostname: string): Promise<string[]> {
    this.asked.push(hostname);
    await this.meanwhile();
    const addresses = this.names.get(hostname);
    if (!addresses) throw new DnsError(true);
    return addresses;
  }
}

interface Lane {
  generation: number;
  active_since: Date;
  is_draining: boolean;
  failing_since: Date | null;
}

const dns = new TestDns();
let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  // The API only: queued deliveries stay queued.
  test = await createTestApp({ dns, env: { RUN: 'api' } });
  cast = await createCast(test);
  dns.names.set('public.example.com', ['8.8.8.8']);
  dns.names.set('private.example.com', ['10.0.0.1', '::1']);
  dns.names.set('mixed.example.com', ['10.0.0.1', '8.8.8.8']);
});

afterAll(() => test.close());

const create = (fields: object = {}) => createEndpoint(cast.owner, { org_id: cast.orgId, ...fields });
const patch = async <S extends number = 200>(id: string, body: object, status = 200 as S, api: Api = cast.admin) =>
  (await api.call('patch', `/v1/webhooks/${id}`, status, body)).body;
const read = async (id: string) => (await cast.admin.get(`/v1/webhooks/${id}`)).body;

async function lane(id: string): Promise<Lane | undefined> {
  const [row] = await test.dataSource.query<Lane[]>(
    `SELECT generation, active_since, is_draining, failing_since FROM webhook_lanes WHERE endpoint_id = $1`,
    [id],
  );
  return row;
}

describe('The rate limit of a webhook endpoint', () => {
  it.each([
    [undefined, null],
    [null, null],
    [0, null],
    [1, 1],
    [1_000, 1_000],
  ])('is, if created with %p, %p', async (sent, shown) => {
    const { id } = await create({ rate_limit_per_second: sent });
    expect(await read(id)).toMatchObject({ rate_limit_per_second: shown });
  });

  it.each([
    [-1, 'greater_than_equal'],
    [1_001, 'less_than_equal'],
    [1.5, 'int_parsing'],
    ['5', 'int_parsing'],
    [true, 'int_parsing'],
  ])('rejects %p', async (rate_limit_per_second, type) => {
    const { id } = await create({ rate_limit_per_second: 7 });
    const body = { target_url: 'https://public.example.com/', event_types: [], rate_limit_per_second };
    for (const answer of [
      await cast.owner.post('/v1/webhooks', body, 422),
      await cast.owner.patch(`/v1/webhooks/${id}`, { rate_limit_per_second }, 422),
    ]) {
      expect(answer.body).toMatchObject({ detail: [{ loc: ['body', 'rate_limit_per_second'], type }] });
    }
    expect(await read(id)).toMatchObject({ rate_limit_per_second: 7 });
  });

  it('keeps its value if absent or null, is removed by 0, and updates updated_at when it changes', async () => {
    const { id } = await create({ rate_limit_per_second: 7 });
    let { updated_at: last } = await read(id);
    for (const body of [{}, { rate_limit_per_second: null }, { rate_limit_per_second: 7 }]) {
      expect(await patch(id, body)).toMatchObject({ updated_at: last });
      expect(await read(id)).toMatchObject({ rate_limit_per_second: 7 });
    }
    for (const [sent, shown] of [
      [8, 8],
      [0, null],
      [1, 1],
    ]) {
      const { updated_at } = await patch(id, { rate_limit_per_second: sent });
      expect(updated_at > last).toBe(true);
      last = updated_at;
      expect(await read(id)).toMatchObject({ rate_limit_per_second: shown });
    }
    await patch(id, { rate_limit_per_second: 0 });
    const { updated_at } = await read(id);
    expect(await patch(id, { rate_limit_per_second: 0 })).toMatchObject({ updated_at });
  });
});

describe('The DNS check of a webhook target', () => {
  const refused = { detail: [{ loc: ['body', 'target_url'], type: 'value_error' }] };
  const target = (name: string) => `https://${name}.example.com/in`;

  it('refuses a name only if all of its addresses are refused', async () => {
    const { id } = await create({ target_url: target('public') });
    for (const name of ['mixed', 'unknown']) {
      await create({ target_url: target(name) });
      await patch(id, { target_url: target(name) });
      expect(await read(id)).toMatchObject({ target_url: target(name) });
    }
    const body = { org_id: cast.orgId, target_url: target('private'), event_types: [] };
    expect((await cast.owner.post('/v1/webhooks', body, 422)).body).toMatchObject(refused);
    expect(await patch(id, { target_url: target('private'), description: 'Changed.' }, 422)).toMatchObject(refused);
    expect(await read(id)).toMatchObject({ target_url: target('unknown'), description: '' });
  });

  it('comes after the permission check, and only if the target changes', async () => {
    const { id } = await create({ target_url: target('public') });
    dns.names.set('public.example.com', ['10.0.0.1']);
    dns.asked.length = 0;
    try {
      await patch(id, { target_url: target('public'), description: 'Changed.' });
      await patch(id, { target_url: null });
      await patch(id, { target_url: target('private') }, 403, cast.member);
      await patch(id, { target_url: target('private') }, 404, cast.outsider);
      const body = { org_id: cast.orgId, target_url: target('private'), event_types: [] };
      await cast.member.post('/v1/webhooks', body, 403);
      await cast.outsider.post('/v1/webhooks', body, 404);
      expect(dns.asked).toEqual([]);
      await patch(id, { target_url: `${target('public')}?changed` }, 422);
      expect(dns.asked).toEqual(['public.example.com']);
    } finally {
      dns.names.set('public.example.com', ['8.8.8.8']);
    }
  });

  it('keeps no transaction open while waiting for the DNS', async () => {
    const { id } = await create({ target_url: target('public') });
    const waiting: unknown[] = [];
    dns.meanwhile = async () => {
      const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
      waiting.push(await test.dataSource.query(sql));
    };
    try {
      await patch(id, { target_url: target('other') });
      await create({ target_url: target('third') });
    } finally {
      dns.meanwhile = () => Promise.resolve();
    }
    expect(waiting).toEqual([[], []]);
  });
});

describe('The lane of a webhook endpoint', () => {
  const queued = (id: string) =>
    test.dataSource.query<{ status: string; waits: boolean }[]>(
      `SELECT deliveries.status, queue.delivery_id IS NOT NULL AS waits
       FROM webhook_deliveries AS deliveries LEFT JOIN webhook_queue AS queue ON queue.delivery_id = deliveries.id
       WHERE deliveries.endpoint_id = $1`,
      [id],
    );

  it('is created by a trigger in the same statement, and deleted with the endpoint', async () => {
    let id = '';
    const statements = await statementsOf(test, async () => ({ id } = await create({ is_active: false })));
    expect(statements.filter(({ sql }) => sql.includes('INSERT INTO webhook_'))).toHaveLength(1);
    expect(await lane(id)).toMatchObject({ generation: 1, is_draining: false, failing_since: null });
    await cast.admin.delete(`/v1/webhooks/${id}`);
    expect(await lane(id)).toBeUndefined();
  });

  it('is closed and opened again only by updates of is_active', async () => {
    const { id } = await create();
    const opened = await lane(id);
    await patch(id, { is_active: true, description: 'Changed.' });
    expect(await lane(id)).toEqual(opened);
    await patch(id, { is_active: false });
    expect(await lane(id)).toMatchObject({ generation: 2, active_since: opened?.active_since });
    await patch(id, { is_active: false, description: 'Again.' });
    expect(await lane(id)).toMatchObject({ generation: 2, active_since: opened?.active_since });
    expect((await cast.admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      disabled_reason: null,
      disabled_at: null,
    });
    await test.dataSource.query(`UPDATE webhook_lanes SET failing_since = now() WHERE endpoint_id = $1`, [id]);
    await patch(id, { is_active: true });
    const reopened = await lane(id);
    expect(reopened).toMatchObject({ generation: 2, failing_since: null });
    expect(reopened && opened && reopened.active_since > opened.active_since).toBe(true);
  });

  it('loses its queue when the endpoint is disabled, and gets events again once it is enabled', async () => {
    const { id } = await create({ event_types: ['bundle.created'] });
    const happen = async () => {
      await createBundle(cast.owner, { org_id: cast.orgId });
      await eventually(
        () => test.app.get(FanOut).step(),
        (hasMore) => !hasMore,
        5_000,
      );
    };
    await happen();
    expect(await queued(id)).toEqual([{ status: 'PENDING', waits: true }]);
    await patch(id, { is_active: false });
    expect(await queued(id)).toEqual([{ status: 'CANCELLED', waits: false }]);
    await happen();
    await patch(id, { is_active: true });
    await happen();
    expect((await queued(id)).map(({ status }) => status).sort()).toEqual(['CANCELLED', 'PENDING']);
  });
});
