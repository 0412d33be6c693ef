import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_MAP } from '../../src/catalog/import/category-map';
import { Import } from '../../src/catalog/import/import.service';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { createListing, idOf, unique } from '../support/factories';
import { holding } from '../support/held-lock';
import { allPages } from '../support/pages';

const QUARANTINE = '/v1/mcp/imports/quarantine';
const folder = mkdtempSync(join(tmpdir(), 'toolyard-quarantine-'));

let test: TestApp;
let chief: Api;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief' } });
  chief = await test.as('chief');
});

afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

const serverOf = (name: string, more: object = {}) => ({
  name,
  description: 'A tool server.',
  version: '1.0.0',
  ...more,
});

async function load(...servers: object[]) {
  const path = join(folder, 'servers.json');
  writeFileSync(path, JSON.stringify({ servers: servers.map((server) => ({ server })) }));
  return test.app.get(Import).run({ from: path, map: NO_MAP });
}

const named = async (name: string, state = 'OPEN') =>
  (await allPages(chief, `${QUARANTINE}?state=${state}&limit=100`)).filter((one) => one.name === name);

async function quarantined(server: { name: string }) {
  await load(server);
  const [row] = await named(server.name);
  if (!row) throw new Error(`${server.name} is not in quarantine.`);
  return row;
}

const name = () => `io.quarantine/${unique('server')}`;
const shown = async (of: string) => (await chief.get(`/v1/mcp/listings?search=${encodeURIComponent(of)}`)).body[0];

describe('A document in quarantine', () => {
  it('is read with the place of each error, and listed by kind, source and state', async () => {
    const own = name();
    const row = await quarantined(serverOf(own, { version: 'latest', packages: [{ identifier: 5 }] }));
    const { body } = await chief.get(`${QUARANTINE}/${row.id}`);
    expect(body).toMatchObject({ state: 'OPEN', kind: 'INVALID', source: 'file', name: own, decided_by: null });
    const lines = (body.text ?? '').split('\n');
    const identifier = body.faults.find(({ path }) => path === '/packages/0/identifier');
    expect(lines[(identifier?.line ?? 0) - 1]?.slice((identifier?.column ?? 0) - 1)).toMatch(/^"identifier": 5/);
    const filtered = await chief.get(`${QUARANTINE}?kind=INVALID&source=file&with_document=false&limit=1`);
    expect(filtered.body).toMatchObject([{ id: row.id, document: null }]);
    expect((await chief.get(`${QUARANTINE}?kind=TOO_LARGE&limit=100`)).body.map(({ id }) => id)).not.toContain(row.id);
    expect((await chief.get(`${QUARANTINE}?source=elsewhere`)).body).toEqual([]);
    const overview = (await chief.get('/v1/mcp/imports/overview')).body;
    expect(overview).toMatchObject({ scheduled_source: null, sources: [{ address: 'file', is_running: false }] });
    expect(overview.quarantine.find(({ kind }) => kind === 'INVALID')?.documents).toBeGreaterThan(0);
    await chief.get(`${QUARANTINE}/019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10`, 404);
    expect((await chief.post('/v1/mcp/imports', undefined, 409)).body).toMatchObject({ code: 'import_conflict' });
  });

  it('is imported after an edit, which stands for it as long as the source sends it', async () => {
    const own = name();
    const broken = serverOf(own, { description: '' });
    const row = await quarantined(broken);
    const path = `${QUARANTINE}/${row.id}/import`;
    const wrong = { ...broken, description: 5, websiteUrl: 'javascript:alert(1)' };
    const { body: refusal } = await chief.post(path, { server: wrong }, 422);
    expect(JSON.stringify(refusal)).toContain('["body","server","description"]');
    expect(JSON.stringify(refusal)).toContain('["body","server","websiteUrl"]');
    const edited = { ...broken, description: 'Mended.' };
    const outcome = (await chief.post(path, { server: edited }, 200)).body;
    expect(outcome).toMatchObject({ is_imported: true, listing_id: (await shown(own))?.id });
    expect(await named(own)).toEqual([]);
    expect((await chief.get(`${QUARANTINE}/${row.id}`)).body).toMatchObject({
      state: 'EDITED',
      document: { server: broken },
      edited_text: JSON.stringify(edited, null, 2),
      decided_by: { user_id: await idOf(chief) },
    });
    expect((await chief.get('/v1/audit-log?limit=1')).body).toMatchObject([
      {
        action: 'import_document.edited',
        actor: { id: await idOf(chief) },
        subject_id: row.id,
        details: { source: 'file', name: own, imported_version: '1.0.0', changed: ['description'] },
      },
    ]);
    // The same document again: the edit stands.
    expect(await load(broken)).toMatchObject({ quarantined: 0, unchanged: 1 });
    expect(await shown(own)).toMatchObject({ description: 'Mended.' });
    expect(await named(own)).toEqual([]);
    // Another one for the same version: it says that there is an edit, and does not replace it.
    expect(await load(serverOf(own, { description: 'By the source.' }))).toMatchObject({ quarantined: 1 });
    expect(await named(own)).toMatchObject([
      { kind: 'VERSION_TAKEN', reasons: [{ message: expect.stringContaining('edited here') as string }] },
    ]);
    expect(await shown(own)).toMatchObject({ description: 'Mended.' });
    // The next version is imported as ever.
    expect(await load(serverOf(own, { version: '1.0.1', description: 'New.' }))).toMatchObject({ quarantined: 0 });
    expect(await shown(own)).toMatchObject({ description: 'New.' });
    expect((await chief.post(path, { server: edited }, 409)).body).toMatchObject({ code: 'import_conflict' });
  });

  it('is imported as it is once the name is free, and says until then why not', async () => {
    const own = name();
    const listing = await createListing(test.dataSource, { visibility: 'PUBLIC' });
    await test.dataSource.query(`UPDATE listings SET name = $2 WHERE id = $1`, [listing, own]);
    const row = await quarantined(serverOf(own));
    const { body } = await chief.get(`${QUARANTINE}/${row.id}`);
    expect(body).toMatchObject({ kind: 'NAME_TAKEN', name_holder: { listing_id: listing, source: null } });
    const retry = async () => (await chief.post(`${QUARANTINE}/${row.id}/retry`, undefined, 200)).body;
    expect(await retry()).toMatchObject({ is_imported: false, faults: [{ path: '/name' }] });
    const { body: edit } = await chief.post(`${QUARANTINE}/${row.id}/import`, { server: serverOf(own) }, 422);
    expect(JSON.stringify(edit)).toContain('["body","server","name"]');
    expect((await named(own)).map(({ id }) => id)).toEqual([row.id]);
    await test.dataSource.query(`UPDATE listings SET name = $2 WHERE id = $1`, [listing, name()]);
    expect(await retry()).toMatchObject({ is_imported: true });
    expect(await named(own)).toEqual([]);
    await chief.post(`${QUARANTINE}/${row.id}/retry`, undefined, 404);
  });

  it('is left out of imports once it is dismissed, until that is taken back or the source sends another', async () => {
    const own = name();
    const broken = serverOf(own, { description: '' });
    const { id } = await quarantined(broken);
    const dismissed = await chief.post(`${QUARANTINE}/${id}/dismiss`, undefined, 200);
    expect(dismissed.body).toMatchObject({ state: 'DISMISSED', decided_by: { user_id: await idOf(chief) } });
    expect(await load(broken)).toMatchObject({ quarantined: 0, unchanged: 1 });
    expect(await named(own)).toEqual([]);
    expect(await named(own, 'DISMISSED')).toHaveLength(1);
    expect((await chief.post(`${QUARANTINE}/${id}/reopen`, undefined, 200)).body).toMatchObject({ state: 'OPEN' });
    expect(await load(broken)).toMatchObject({ quarantined: 1 });
    await chief.post(`${QUARANTINE}/${id}/dismiss`, undefined, 200);
    expect(await load(serverOf(own, { description: 7 }))).toMatchObject({ quarantined: 1 });
    expect(await named(own)).toHaveLength(1);
    expect(await named(own, 'DISMISSED')).toEqual([]);
  });

  it('is not touched while its source is being imported', async () => {
    const own = name();
    const { id } = await quarantined(serverOf(own, { description: '' }));
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended('import file', 0))`;
    await holding(test.dataSource, lock, async (commit) => {
      const { body } = await chief.post(`${QUARANTINE}/${id}/dismiss`, undefined, 409);
      expect(body).toMatchObject({ code: 'import_conflict' });
      expect((await chief.get('/v1/mcp/imports/overview')).body.sources).toMatchObject([{ is_running: true }]);
      await commit();
    });
    await chief.post(`${QUARANTINE}/${id}/dismiss`, undefined, 200);
  });
});
