import { Secrets } from '../../src/config/secrets';
import { ReEncryption } from '../../src/operations/secrets-keys/re-encryption';
import { SEALED_COLUMNS } from '../../src/schema';
import { give, given, OVER_LOOPBACK, requireKey, secretListing } from './support/credential-stage';
import { createStage, type Person, type Stage } from './support/endpoint-stage';
import { type Json, TestUpstream } from './support/test-upstream';

const [VALUE, FORMER_VALUE, REFUSED] = ['value-at-rest-4XK9', 'value-of-before-7PL2', 'refused-value-8WQ3\n'];

describe('The values of credentials', () => {
  let stage: Stage;
  let upstream: TestUpstream;
  let owner: Person;
  let place: Json;
  let id: string;
  const answers: string[] = [];

  beforeAll(async () => {
    stage = await createStage(1, { env: OVER_LOOPBACK });
    owner = await stage.person();
    upstream = await TestUpstream.start();
    requireKey(upstream, new Set([VALUE]));
    const endpoint = await owner.endpoint([]);
    const entryId = await endpoint.add(await secretListing(stage, upstream.url), { credential_mode: 'SHARED' });
    place = { bundle_id: endpoint.bundleId, entry_id: entryId };
    const credential = await given(owner, { ...place, values: { 'X-Api-Key': FORMER_VALUE } });
    id = credential.id;
    const client = await owner.modern(endpoint);
    await client.all('tools/list', 'tools');
    await owner.api.raw('patch', `/v1/credentials/${id}`).send({ values: { 'X-Api-Key': VALUE } });
    const [tool] = await client.all('tools/list', 'tools');
    const name = String(tool?.name);
    expect(await client.result('tools/call', { name })).not.toHaveProperty('isError');
    // Every kind of failure has a chance to say it.
    upstream.fault = ({ response }) => {
      response.destroy();
      return true;
    };
    expect(await client.result('tools/call', { name })).toMatchObject({ isError: true });
    requireKey(upstream, new Set());
    expect(await client.result('tools/call', { name })).toMatchObject({
      _meta: { 'com.toolyard/error': { code: 'credential_required' } },
    });
    const refused = await give(owner, { ...place, is_personal: true, values: { 'X-Api-Key': REFUSED } });
    answers.push(refused.text, (await owner.api.raw('post', `/v1/bundles/${endpoint.bundleId}/compile`)).text);
  });
  afterAll(async () => {
    await upstream.close();
    await stage.close();
  });

  it('are in no column of the database, in no text, JSON or bytes', async () => {
    const { dataSource } = stage.test;
    const columns = await dataSource.query<{ table_name: string; column_name: string; data_type: string }[]>(
      `SELECT table_name, column_name, data_type FROM information_schema.columns
       WHERE table_schema = current_schema() AND data_type IN ('text', 'json', 'jsonb', 'bytea', 'ARRAY', 'character varying')`,
    );
    expect(columns.length).toBeGreaterThan(200);
    const found = [];
    for (const { table_name: table, column_name: column, data_type: type } of columns) {
      const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
      const [row] = await dataSource.query<{ n: number }[]>(
        `SELECT count(*)::int AS n FROM "${table}" WHERE ${text} ~ $1`,
        [[VALUE, FORMER_VALUE, REFUSED.trim()].join('|')],
      );
      if (row?.n !== 0) found.push(`${table}.${column}`);
    }
    expect(found).toEqual([]);
  });

  it('are in no log, answer or error', () => {
    const { log } = stage.test;
    expect(log.length).toBeGreaterThan(10);
    const all = [...log, ...answers].join('\n');
    for (const value of [VALUE, FORMER_VALUE, REFUSED.trim()]) expect(all).not.toContain(value);
  });

  it('are sealed for their name and credential: a value in another place does not open', async () => {
    const { dataSource } = stage.test;
    const other = await given(owner, await anotherPlace());
    await dataSource.query(
      `UPDATE credential_values SET sealed = (SELECT sealed FROM credential_values WHERE credential_id = $1)
       WHERE credential_id = $2`,
      [id, other.id],
    );
    const check = new ReEncryption(dataSource, stage.test.app.get(Secrets), columnsOfCredentials());
    expect(await check.check()).toMatchObject([{ current: 1, unreadable: 1 }]);
    await owner.api.delete(`/v1/credentials/${other.id}`, 204);
  });

  it('are sealed again when the key changes', async () => {
    const { dataSource } = stage.test;
    const [former, next] = [stage.test.app.get(Secrets), Buffer.alloc(32, 9)];
    const keys = former as unknown as { keys: Buffer[] };
    await dataSource.query(`DELETE FROM secrets_key_holders`);
    const both = new Secrets(next, keys.keys);
    const counts = await new ReEncryption(dataSource, both, columnsOfCredentials()).run(() => undefined);
    expect(counts).toMatchObject([{ current: 1, other: 0, unreadable: 0 }]);
    const alone = new ReEncryption(dataSource, new Secrets(next), columnsOfCredentials());
    expect(await alone.check()).toMatchObject([{ current: 1, other: 0, unreadable: 0 }]);
  });

  const columnsOfCredentials = () => SEALED_COLUMNS.filter(({ table }) => table === 'credential_values');

  async function anotherPlace() {
    const endpoint = await owner.endpoint([]);
    const entryId = await endpoint.add(await secretListing(stage, upstream.url), { credential_mode: 'SHARED' });
    return { bundle_id: endpoint.bundleId, entry_id: entryId, values: { 'X-Api-Key': 'other' } };
  }
});
