import { setTimeout as sleep } from 'node:timers/promises';
import { newFolder, removeFolders } from '../../support/embedded';
import { killToolyards, startToolyard, type ToolyardProcess } from '../../support/toolyard-process';
import { createStage, type Endpoint, ON_LOOPBACK, type Person, type Stage } from '../support/endpoint-stage';
import { ModernClient } from '../support/mcp-client';
import { rowsOf } from '../support/recorded-calls';
import { TestUpstream } from '../support/test-upstream';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const CLIENTS = 4;
const SECONDS = 3;
/** How long the server takes, so that a fast machine stays below the limit of calls in a minute: refused ones have rows, too. */
const CALL_MS = 50;
/** What a crash may take with BUFFERED: the calls of the last second. */
const LOST_MS = 1_000;

/** A process that is killed while clients call: what is in the record afterwards, and what the server has seen. */
describe('A process that is killed', () => {
  let stage: Stage;
  let upstream: TestUpstream;
  let person: Person;
  let service: ToolyardProcess;

  beforeAll(async () => {
    stage = await createStage(1, { env: { RUN: 'api', SECRETS_KEY } });
    upstream = await TestUpstream.start();
    person = await stage.person();
  });

  beforeEach(async () => {
    const env = {
      ...ON_LOOPBACK,
      RUN: 'api',
      DATABASE_URL: stage.test.database.url,
      SECRETS_KEY,
      DATA_DIR: newFolder(),
    };
    service = await (await startToolyard(env)).ready();
  });

  afterEach(() => killToolyards());

  afterAll(async () => {
    await stage.close();
    await upstream.close();
    removeFolders();
  });

  /** Calls from several clients until the process is killed. @returns when each call reached the server */
  async function callUntilKilled(endpoint: Endpoint): Promise<number[]> {
    const reached: number[] = [];
    upstream.fault = async ({ received: { method } }) => {
      if (method !== 'tools/call') return false;
      reached.push(Date.now());
      await sleep(CALL_MS);
      return false;
    };
    const token = await endpoint.bundleToken();
    const client = new ModernClient([service.url + endpoint.path], token);
    await client.all('tools/list', 'tools');
    let isOver = false;
    const call = async () => {
      while (!isOver) await client.request('tools/call', { name: 'echo' }).catch(() => (isOver = true));
    };
    const calling = Promise.all(Array.from({ length: CLIENTS }, call));
    await sleep(SECONDS * 1_000);
    service.signal('SIGKILL');
    await service.exit;
    isOver = true;
    await calling;
    return reached;
  }

  const endpointWith = (record: string) => person.endpoint([upstream.url], { naming: 'PLAIN', record });

  it('loses the calls of the last second at most with BUFFERED', async () => {
    const endpoint = await endpointWith('BUFFERED');
    const reached = await callUntilKilled(endpoint);
    const killedAt = Math.max(...reached);
    const early = reached.filter((time) => time < killedAt - LOST_MS).length;
    const rows = await rowsOf(stage.test.dataSource, endpoint.bundleId);
    expect(early).toBeGreaterThan(20);
    expect(rows.length).toBeGreaterThanOrEqual(early);
    expect(rows.length).toBeLessThanOrEqual(reached.length);
    for (const { outcome } of rows) expect(outcome).toBe('OK');
  });

  it('loses no call with STRICT: each that a server has seen is on record', async () => {
    const endpoint = await endpointWith('STRICT');
    const reached = await callUntilKilled(endpoint);
    const rows = await rowsOf(stage.test.dataSource, endpoint.bundleId);
    expect(reached.length).toBeGreaterThan(20);
    expect(rows.length).toBeGreaterThanOrEqual(reached.length);
    // Those that were about to be made as well.
    expect(rows.length).toBeLessThanOrEqual(reached.length + CLIENTS);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['OK', 'STARTED']));
  });
});
