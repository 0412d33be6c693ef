import { NO_MAP } from '../../src/catalog/import/category-map';
import { Import } from '../../src/catalog/import/import.service';
import { createTestApp, TestApp } from '../support/app';
import { describeRegistries } from '../support/registries';
import { expectRegistryList } from '../support/registry-schema';

describeRegistries('The registry API over everything that was imported', (file) => {
  let test: TestApp;
  let created: number;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief' } });
    ({ created } = await test.app.get(Import).run({ from: file.path, map: NO_MAP }));
  });

  afterAll(() => test.close());

  it('returns every permanent row exactly once, valid by the contract, while others are published and archived', async () => {
    const chief = await test.as('chief');
    await chief.post('/v1/mcp/categories', { name: 'Passing' });
    const expected = await test.dataSource.query<{ key: string }[]>(
      `SELECT server_name || ' ' || version AS key FROM listing_versions WHERE status <> 'deleted'`,
    );
    const passing: string[] = [];
    let turn = 0;
    const churn = async () => {
      turn++;
      // Before, within and after the position of the crawl.
      for (const letter of ['a', 'm', 'z']) {
        const server = { name: `${letter}.passing/n${turn}`, description: 'Passes by.', version: '1.0.0' };
        const made = await chief.post('/v1/mcp/listings', { server, category: 'passing', visibility: 'PUBLIC' });
        const { id } = made.body;
        await chief.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
        passing.push(id);
      }
      const gone = passing.splice(0, 2);
      for (const id of gone) await chief.post(`/v1/mcp/listings/${id}/archive`, undefined, 200);
    };
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const path = cursor === undefined ? '/v0.1/servers?limit=100' : `/v0.1/servers?limit=100&cursor=${cursor}`;
      const page = expectRegistryList((await test.anonymous.get(path)).body);
      seen.push(...page.servers.map(({ server }) => `${server.name} ${server.version}`));
      cursor = page.metadata.nextCursor;
      await churn();
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    const imported = seen.filter((key) => !key.includes('.passing/'));
    expect(imported.sort()).toEqual(expected.map(({ key }) => key).sort());
    expect(created).toBe(file.versions - file.refused);
    const [deleted] = await test.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM listing_versions WHERE status = 'deleted'`,
    );
    expect(imported.length).toBe(created - (deleted?.count ?? 0));
  });

  it('returns the latest version of every server by its name', async () => {
    const rows = await test.dataSource.query<{ server_name: string; version: string }[]>(
      `SELECT server_name, version FROM listing_versions WHERE is_latest AND audience = 'public' AND status <> 'deleted'`,
    );
    for (const { server_name, version } of rows.filter((_, index) => index % 10 === 0)) {
      const latest = await test.anonymous.get(`/v0.1/servers/${encodeURIComponent(server_name)}/versions/latest`);
      expect(latest.body).toMatchObject({ server: { name: server_name, version } });
    }
  });
});
