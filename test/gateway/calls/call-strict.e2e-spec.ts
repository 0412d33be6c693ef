import { CallStore } from '../../../src/gateway/calls/call-store';
import { CallWriter } from '../../../src/gateway/calls/call-writer';
import { eventually } from '../../support/eventually';
import { growth } from '../../support/metrics';
import { statementsOf } from '../../support/statements';
import { createStage, type Endpoint, type Person, type Stage } from '../support/endpoint-stage';
import type { ModernClient } from '../support/mcp-client';
import { rowsOf, untilRecorded } from '../support/recorded-calls';
import { type Json, TestUpstream } from '../support/test-upstream';

const AT_ONCE = 15;
const AWAY = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

let stage: Stage;
let upstream: TestUpstream;
let person: Person;

beforeAll(async () => {
  stage = await createStage(1, { env: { RUN: 'api' } });
  upstream = await TestUpstream.start();
  person = await stage.person();
});

afterEach(() => {
  jest.restoreAllMocks();
  upstream.fault = () => false;
});

afterAll(async () => {
  await stage.close();
  await upstream.close();
});

async function scene(record: string): Promise<{ endpoint: Endpoint; modern: ModernClient }> {
  const endpoint = await person.endpoint([upstream.url], { naming: 'PLAIN', record });
  const modern = await person.modern(endpoint);
  await modern.all('tools/list', 'tools');
  return { endpoint, modern };
}

/** What the server finds in the record when it is asked. */
function lookedAt({ bundleId }: Endpoint): Json[][] {
  const seen: Json[][] = [];
  upstream.fault = async ({ received }) => {
    if (received.method === 'tools/call') seen.push(await rowsOf(stage.test.dataSource, bundleId));
    return false;
  };
  return seen;
}

describe('With STRICT', () => {
  it('the row is there before the server is asked, and completed afterwards', async () => {
    const { endpoint, modern } = await scene('STRICT');
    const seen = lookedAt(endpoint);
    await modern.result('tools/call', { name: 'echo' });
    expect(seen).toEqual([
      [
        expect.objectContaining({
          outcome: 'STARTED',
          name: 'echo',
          principal_type: 'person',
          duration_us: null,
          upstream_us: null,
          bytes_out: null,
        }),
      ],
    ]);
    const [row, ...others] = await untilRecorded(stage.test, endpoint.bundleId, 1);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ id: seen[0]?.[0]?.id, outcome: 'OK' });
    expect(row?.duration_us).toBeGreaterThan(0);
  });

  it('the row of a call that is refused is there with its answer', async () => {
    const { endpoint, modern } = await scene('STRICT');
    await modern.error('tools/call', { name: 'none' });
    const rows = await rowsOf(stage.test.dataSource, endpoint.bundleId);
    expect(rows).toMatchObject([{ outcome: 'DENIED', error_code: '-32602', exposed_name: 'none' }]);
  });

  it('a call that cannot be recorded is refused, and its server not asked', async () => {
    const { endpoint, modern } = await scene('STRICT');
    const before = upstream.calls.begun.length;
    const store = jest.spyOn(stage.test.app.get(CallStore), 'write').mockRejectedValue(AWAY);
    const tool = await modern.error('tools/call', { name: 'echo' });
    const prompt = await modern.error('prompts/get', { name: 'greet', arguments: { name: 'Ada' } });
    for (const error of [tool, prompt])
      expect(error).toMatchObject({
        status: 503,
        code: 503,
        message: expect.stringContaining('could not be recorded') as string,
      });
    expect(upstream.calls.begun).toHaveLength(before);
    store.mockRestore();
    // Of that, too, there is a row as soon as it can be written.
    const rows = await untilRecorded(stage.test, endpoint.bundleId, 2);
    expect(rows.map(({ outcome, error_code }) => [outcome, error_code])).toEqual([
      ['DENIED', 'not_recorded'],
      ['DENIED', 'not_recorded'],
    ]);
  });

  it('calls that come together share statements', async () => {
    const { endpoint, modern } = await scene('STRICT');
    const statements = await statementsOf(stage.test, async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => modern.result('tools/call', { name: 'echo' })));
    });
    const writes = statements.filter(({ sql }) => sql.includes('INSERT INTO endpoint_calls'));
    const ids = new Set(writes.flatMap(({ parameters }) => parameters[1] as string[]));
    expect(ids.size).toBe(AT_ONCE);
    expect(writes.length).toBeLessThan(2 * AT_ONCE);
    await untilRecorded(stage.test, endpoint.bundleId, AT_ONCE);
  });
});

describe('With BUFFERED', () => {
  it('no call costs a statement of its own', async () => {
    const { endpoint, modern } = await scene('BUFFERED');
    await modern.result('tools/call', { name: 'echo' });
    await untilRecorded(stage.test, endpoint.bundleId, 1);
    const statements = await statementsOf(stage.test, async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => modern.result('tools/call', { name: 'echo' })));
      await untilRecorded(stage.test, endpoint.bundleId, 1 + AT_ONCE);
    });
    const writes = statements.filter(({ sql }) => sql.includes('INSERT INTO endpoint_calls'));
    const written = writes.reduce((sum, { parameters }) => sum + (parameters[0] as string[]).length, 0);
    expect(written).toBe(AT_ONCE);
    expect(writes.length).toBeLessThan(AT_ONCE / 2);
  });

  it('the row is there soon after the call, and not before', async () => {
    const { endpoint, modern } = await scene('BUFFERED');
    const seen = lookedAt(endpoint);
    await modern.result('tools/call', { name: 'echo' });
    expect(seen).toEqual([[]]);
    await eventually(
      () => rowsOf(stage.test.dataSource, endpoint.bundleId),
      (rows) => rows.length === 1,
      5_000,
    );
  });

  it('calls go on while the database does not take rows, and the rows follow', async () => {
    const { endpoint, modern } = await scene('BUFFERED');
    const store = jest.spyOn(stage.test.app.get(CallStore), 'write').mockRejectedValue(AWAY);
    for (let n = 0; n < 3; n++) await modern.result('tools/call', { name: 'echo' });
    await eventually(
      () => store.mock.calls.length,
      (calls) => calls > 1,
      5_000,
    );
    expect(stage.test.app.get(CallWriter).waiting).toBe(3);
    store.mockRestore();
    expect(await untilRecorded(stage.test, endpoint.bundleId, 3)).toHaveLength(3);
  });

  it('a group of which it is not known whether it was written is not written twice', async () => {
    const { endpoint, modern } = await scene('BUFFERED');
    const store = stage.test.app.get(CallStore);
    const write = store.write.bind(store);
    jest.spyOn(store, 'write').mockImplementationOnce(async (rows) => {
      await write(rows);
      throw AWAY;
    });
    await modern.result('tools/call', { name: 'echo' });
    const test = stage.test;
    const grown = await growth(test, ['toolyard_gateway_call_rows_total'], async () => {
      await untilRecorded(test, endpoint.bundleId, 1);
      await eventually(
        () => test.app.get(CallWriter).waiting,
        (waiting) => waiting === 0,
        5_000,
      );
    });
    expect(grown).toEqual({ 'toolyard_gateway_call_rows_total{result="written"}': 1 });
    expect(await rowsOf(test.dataSource, endpoint.bundleId)).toHaveLength(1);
  });

  it('what waits is written when the process ends', async () => {
    const { database, dataDir } = stage.test;
    const other = await createStage(1, { database, dataDir, env: { RUN: 'api' } });
    const { endpoint } = await scene('BUFFERED');
    const client = await person.modern(endpoint);
    const at = other.test.url + endpoint.path;
    Object.assign(client, { urls: [at] });
    const store = jest.spyOn(other.test.app.get(CallStore), 'write').mockRejectedValueOnce(AWAY);
    await client.result('tools/call', { name: 'echo' });
    await eventually(
      () => store.mock.calls.length,
      (calls) => calls > 0,
      5_000,
    );
    // It would be tried again in a second.
    await other.test.app.close();
    expect(await rowsOf(stage.test.dataSource, endpoint.bundleId)).toMatchObject([{ outcome: 'OK' }]);
  });
});
