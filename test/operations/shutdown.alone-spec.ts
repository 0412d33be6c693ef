import { createDatabase, type TestDatabase } from '../support/database';
import { newFolder, removeFolders } from '../support/embedded';
import { eventually } from '../support/eventually';
import { freePort, killToolyards, startToolyard } from '../support/toolyard-process';

describe('A process that is asked to end', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    await killToolyards();
    removeFolders();
    await database.drop();
  });

  it('says so to the load balancer, and goes on serving until that has had time to notice', async () => {
    const metrics = await freePort();
    const service = await startToolyard({
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: newFolder(),
      SHUTDOWN_DELAY_SECONDS: '2',
      METRICS_PORT: String(metrics),
    });
    await service.ready();
    const status = async (path: string) => (await fetch(service.url + path)).status;
    expect(await status('/readyz')).toBe(200);
    const asked = performance.now();
    service.signal('SIGTERM');
    await eventually(
      () => status('/readyz'),
      (code) => code === 503,
      1_500,
    );
    const answer = await fetch(`${service.url}/v0.1/servers`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await status('/healthz')).toBe(200);
    expect((await fetch(`http://127.0.0.1:${metrics}/metrics`)).status).toBe(200);
    expect(await service.ended(15_000)).toEqual({ code: 0, signal: null });
    expect(performance.now() - asked).toBeGreaterThanOrEqual(2_000);
  });
});
