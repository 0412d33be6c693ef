import { Upstreams } from '../../src/gateway/upstreams/upstreams.service';
import { UpstreamOutages } from '../../src/gateway/administration/upstream-outages';
import { eventually } from '../support/eventually';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { TestUpstream } from './support/test-upstream';

interface ToldEvent {
  type: string;
  org_id: string | null;
  owner_id: string | null;
  data: Record<string, unknown>;
}

describe('The owner of an endpoint', () => {
  let stage: Stage;
  let person: Person;
  let upstream: TestUpstream;
  let endpoint: Endpoint;
  let upstreamId: string;

  beforeAll(async () => {
    stage = await createStage(2, { env: { RUN: 'api,worker' } });
    person = await stage.person();
  });

  afterAll(() => stage.close());

  beforeEach(async () => {
    upstream = await TestUpstream.start();
    endpoint = await person.endpoint([upstream.url]);
    await (await person.modern(endpoint)).request('tools/list');
    const [row] = await eventually(
      () =>
        sql<{ upstream_id: string }>(`SELECT upstream_id FROM endpoint_upstreams WHERE bundle_id = $1`, [
          endpoint.bundleId,
        ]),
      (rows) => rows.length === 1,
      2_000,
    );
    upstreamId = row?.upstream_id ?? '';
  });

  afterEach(async () => {
    await sql(`DELETE FROM upstreams WHERE id = $1`, [upstreamId]);
    await upstream.close();
  });

  const sql = <Row>(text: string, values: unknown[] = []) => stage.test.dataSource.query<Row[]>(text, values);
  const refresh = () => stage.test.app.get(Upstreams).refresh([upstreamId], new AbortController().signal);
  const look = () => Promise.all([stage.test, ...stage.others].map(({ app }) => app.get(UpstreamOutages).look()));
  const told = () =>
    sql<ToldEvent>(
      `SELECT type, org_id, owner_id, data FROM events WHERE type LIKE 'endpoint.upstream%' AND data->>'bundle_id' = $1 ORDER BY id`,
      [endpoint.bundleId],
    );
  const types = async () => (await told()).map(({ type }) => type.replace('endpoint.upstream_', ''));
  const fail = async () => {
    upstream.fault = ({ response }) => Boolean(response.writeHead(500).end());
    await refresh();
  };
  const recover = async () => {
    upstream.fault = () => false;
    await refresh();
  };
  const aMinuteLater = () =>
    sql(`UPDATE upstreams SET down_since = down_since - interval '61 seconds' WHERE id = $1`, [upstreamId]);
  const forget = (column: 'told_down_at' | 'told_recovered_at') =>
    sql(`UPDATE endpoint_upstreams SET ${column} = ${column} - interval '5 minutes' WHERE bundle_id = $1`, [
      endpoint.bundleId,
    ]);

  it('is told once when a server has not answered for a minute, and when it answers again', async () => {
    await fail();
    await look();
    expect(await told()).toEqual([]);
    await aMinuteLater();
    await look();
    await look();
    const [event, ...others] = await told();
    expect(others).toEqual([]);
    const [{ id: entryId } = { id: '' }] = await sql<{ id: string }>(
      `SELECT id FROM bundle_entries WHERE bundle_id = $1`,
      [endpoint.bundleId],
    );
    expect(event).toMatchObject({
      type: 'endpoint.upstream_down',
      org_id: null,
      data: { bundle_id: endpoint.bundleId, entry_id: entryId, org_id: null, reason: 'It answered with status 500.' },
    });
    expect(event?.owner_id).not.toBeNull();
    expect(event?.data.down_since).toMatch(/^\d{4}-.*Z$/);
    await recover();
    await look();
    await look();
    expect(await types()).toEqual(['down', 'recovered']);
  });

  it('is not told of it again within five minutes, but then of what is so', async () => {
    const again = async () => {
      await fail();
      await aMinuteLater();
      await look();
    };
    await again();
    await recover();
    await look();
    await again();
    expect(await types()).toEqual(['down', 'recovered']);
    await forget('told_down_at');
    await look();
    expect(await types()).toEqual(['down', 'recovered', 'down']);
    await recover();
    await look();
    expect(await types()).toEqual(['down', 'recovered', 'down']);
    await forget('told_recovered_at');
    await look();
    expect(await types()).toEqual(['down', 'recovered', 'down', 'recovered']);
  });

  it.each([401, 403, 429])('is not told of a server that refuses us with %d: it has answered', async (status) => {
    upstream.fault = ({ response }) => Boolean(response.writeHead(status).end());
    await refresh();
    expect(
      await sql(`SELECT down_since, list_error IS NOT NULL AS failed FROM upstreams WHERE id = $1`, [upstreamId]),
    ).toEqual([{ down_since: null, failed: true }]);
  });

  it('is not told of servers behind a disabled endpoint', async () => {
    await endpoint.set({ is_enabled: false });
    await fail();
    await aMinuteLater();
    await look();
    expect(await told()).toEqual([]);
    await endpoint.set({ is_enabled: true });
    await look();
    expect(await types()).toEqual(['down']);
  });

  it('has its lists read again soon where a server did not answer once', async () => {
    await fail();
    const [row] = await sql<{ rest: number }>(
      `SELECT extract(epoch FROM due_at - now())::int AS rest FROM upstreams WHERE id = $1`,
      [upstreamId],
    );
    expect(row?.rest).toBeLessThanOrEqual(36);
  });
});
