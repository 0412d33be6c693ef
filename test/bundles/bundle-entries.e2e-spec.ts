import fc from 'fast-check';
import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import type { BundleEntry } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createListing, idOf } from '../support/factories';
import { allPages } from '../support/pages';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp();
  cast = await createCast(test);
});

afterAll(() => test.close());

const newListing = (fields = {}) => createListing(test.dataSource, fields);
const entriesOf = async (api: Api, bundleId: string) =>
  (await api.get(`/v1/bundles/${bundleId}/entries?limit=100`)).body;

async function add(api: Api, bundleId: string, body: object = {}): Promise<BundleEntry> {
  const entry = { listing_id: await newListing(), ...body };
  return (await api.post(`/v1/bundles/${bundleId}/entries`, entry)).body;
}

describe('Adding an entry to a bundle', () => {
  it('appends the listing, with its name and an empty configuration', async () => {
    const { id } = await createBundle(cast.owner);
    const listing_id = await newListing();
    const created = await cast.owner.post(`/v1/bundles/${id}/entries`, { listing_id });
    const entry = created.body;
    expect(entry).toMatchObject({ listing_id, position: 0, is_enabled: true, is_available: true, config: {} });
    expect(entry.listing_name).toMatch(/^io\.github\.test\/server-/);
    expect(created.headers.location).toBe(`/v1/bundles/${id}/entries/${entry.id}`);
    expect((await cast.owner.get(created.headers.location as string)).body).toEqual(entry);
    expect(entry.key).toMatch(/^server-\d+$/);
    expect(await add(cast.owner, id, { position: null, config: null })).toMatchObject({ position: 1, config: {} });
    expect((await entriesOf(cast.owner, id)).map(({ position }) => position)).toEqual([0, 1]);
  });

  it('inserts it at a position and moves the later entries on by one', async () => {
    const { id } = await createBundle(cast.owner);
    const [a, b] = [await add(cast.owner, id), await add(cast.owner, id)];
    const first = await add(cast.owner, id, { position: 0 });
    const middle = await add(cast.owner, id, { position: 2 });
    const last = await add(cast.owner, id, { position: 4 });
    const entries = await entriesOf(cast.owner, id);
    expect(entries.map((entry) => entry.id)).toEqual([first.id, a.id, middle.id, b.id, last.id]);
    expect(entries.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  it('rejects a position that would leave a gap, is negative or is not an integer', async () => {
    const { id } = await createBundle(cast.owner);
    await add(cast.owner, id);
    const body = { listing_id: await newListing() };
    for (const [position, type, msg] of [
      [2, 'less_than_equal', 'Must be at most 1.'],
      [9e14, 'less_than_equal', 'Must be at most 1.'],
      [-1, 'greater_than_equal', 'Must be at least 0.'],
      [0.5, 'int_parsing', 'Must be an integer.'],
      ['0', 'int_parsing', 'Must be an integer.'],
    ] as const) {
      const refused = await cast.owner.post(`/v1/bundles/${id}/entries`, { ...body, position }, 422);
      expect(refused.body).toEqual({ detail: [{ loc: ['body', 'position'], msg, type }] });
    }
    expect(await entriesOf(cast.owner, id)).toHaveLength(1);
  });

  it('refuses a listing that is already in the bundle', async () => {
    const { id } = await createBundle(cast.owner);
    const { listing_id } = await add(cast.owner, id);
    for (const position of [0, 1]) {
      const refused = await cast.owner.post(`/v1/bundles/${id}/entries`, { listing_id, position }, 409);
      expect(refused.body).toEqual({
        detail: 'The bundle already contains this listing.',
        code: 'bundle_entry_conflict',
      });
    }
    expect((await entriesOf(cast.owner, id)).map(({ position }) => position)).toEqual([0]);
    await add(cast.owner, (await createBundle(cast.owner)).id, { listing_id });
  });

  it('answers 404 for a listing that the caller cannot see', async () => {
    const { id } = await createBundle(cast.owner);
    const stranger = await idOf(cast.outsider);
    const { orgId } = await createCast(test);
    for (const listing_id of [
      newId(),
      await newListing({ status: 'DRAFT' }),
      await newListing({ status: 'ARCHIVED' }),
      await newListing({ visibility: 'PRIVATE', ownerId: stranger }),
      await newListing({ visibility: 'PRIVATE', orgId }),
    ]) {
      const refused = await cast.owner.post(`/v1/bundles/${id}/entries`, { listing_id }, 404);
      expect(refused.body).toEqual({ detail: `Listing ${listing_id} was not found.`, code: 'listing_not_found' });
    }
  });

  it('accepts a private listing of the organisation from a member, and a draft from its owner', async () => {
    const { id } = await createBundle(cast.member, { org_id: cast.orgId });
    const ours = await newListing({ visibility: 'PRIVATE', orgId: cast.orgId });
    expect(await add(cast.member, id, { listing_id: ours })).toMatchObject({ is_available: true });
    const ownerId = await idOf(cast.member);
    const draft = await newListing({ visibility: 'PRIVATE', status: 'DRAFT', ownerId });
    expect(await add(cast.member, id, { listing_id: draft })).toMatchObject({ is_available: false });
  });

  it('checks the body, then the bundle, then the listing', async () => {
    const missing = newId();
    const bundle = await createBundle(cast.owner);
    const listing_id = newId();
    const first = await cast.outsider.post(`/v1/bundles/${bundle.id}/entries`, { listing_id }, 404);
    expect(first.body).toMatchObject({ code: 'bundle_not_found' });
    const invalid = await cast.outsider.post(`/v1/bundles/${missing}/entries`, { listing_id: 'weather', no: 1 }, 422);
    expect(invalid.body.detail).toHaveLength(2);
  });

  it('records bundle.entry_added and updates the bundle’s updated_at', async () => {
    const bundle = await createBundle(cast.member, { org_id: cast.orgId });
    const entry = await add(cast.admin, bundle.id);
    const events = await test.dataSource.query<object[]>(
      `SELECT org_id, owner_id, data FROM events WHERE type = 'bundle.entry_added' AND data->>'bundle_id' = $1`,
      [bundle.id],
    );
    const { id, listing_id, listing_name, position } = entry;
    const where = { bundle_id: bundle.id, org_id: cast.orgId, bundle_version: 2 };
    const data = { ...where, entry_id: id, listing_id, listing_name, version: null, position };
    expect(events).toEqual([{ org_id: cast.orgId, owner_id: null, data }]);
    const after = (await cast.member.get(`/v1/bundles/${bundle.id}`)).body;
    expect(after.updated_at > after.created_at).toBe(true);
  });

  it('keeps positions without gaps when many are added concurrently', async () => {
    const { id } = await createBundle(cast.owner);
    const listings = await Promise.all(Array.from({ length: 20 }, () => newListing()));
    await Promise.all(
      listings.map((listing_id, n) => add(cast.owner, id, { listing_id, position: n % 2 ? 0 : undefined })),
    );
    const entries = await entriesOf(cast.owner, id);
    expect(entries.map(({ position }) => position)).toEqual(listings.map((_, n) => n));
    expect(new Set(entries.map(({ listing_id }) => listing_id))).toEqual(new Set(listings));
  });

  it('lets one of ten parallel requests for the same listing succeed', async () => {
    const { id } = await createBundle(cast.owner);
    const body = { listing_id: await newListing() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => cast.owner.call('post', `/v1/bundles/${id}/entries`, undefined, body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });
});

describe('The configuration of a bundle entry', () => {
  let bundleId: string;
  beforeAll(async () => ({ id: bundleId } = await createBundle(cast.owner)));

  it('is returned as it was sent, whatever the JSON', async () => {
    // PostgreSQL keeps the value of a number, not "-0" or its notation.
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed());
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, false, 0, -1.5, 1e21, 123456789.123456),
        fc.integer(),
        text,
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(text, tie('node'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).node;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, value, { maxKeys: 5, noNullPrototype: true }), async (config) => {
        expect((await add(cast.owner, bundleId, { config })).config).toEqual(config);
      }),
      { numRuns: 60 },
    );
  });

  it('is harmless if its keys are those of a prototype', async () => {
    const config = `{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toString": "no"}`;
    const sent = await cast.owner
      .raw('post', `/v1/bundles/${bundleId}/entries`)
      .type('application/json')
      .send(`{"listing_id": "${await newListing()}", "config": ${config}}`);
    expect(sent.status).toBe(201);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const stored = JSON.stringify((JSON.parse(sent.text) as BundleEntry).config);
    for (const key of ['"__proto__":{"polluted":true}', '"constructor":', '"toString":"no"']) {
      expect(stored).toContain(key);
    }
  });

  it('must be an object of storable text with limited nesting', async () => {
    let deep: unknown = 1;
    for (let n = 0; n < 100; n++) deep = { deep };
    for (const [config, type] of [
      [[], 'dict_type'],
      ['{}', 'dict_type'],
      [{ 'a\0b': 1 }, 'value_error'],
      [{ a: '\ud800' }, 'value_error'],
      [deep, 'value_error'],
    ] as const) {
      const body = { listing_id: await newListing(), config };
      const refused = await cast.owner.post(`/v1/bundles/${bundleId}/entries`, body, 422);
      expect(refused.body.detail.map((fault) => fault.type)).toEqual([type]);
    }
  });
});

describe('The entries of a bundle', () => {
  it('stay when their listing is archived, marked unavailable', async () => {
    const { id } = await createBundle(cast.owner);
    const entry = await add(cast.owner, id, { config: { region: 'eu' } });
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED', archived_at = now() WHERE id = $1`, [
      entry.listing_id,
    ]);
    expect(await entriesOf(cast.owner, id)).toEqual([{ ...entry, is_available: false }]);
    await test.dataSource.query(`UPDATE listings SET status = 'PUBLISHED', archived_at = NULL WHERE id = $1`, [
      entry.listing_id,
    ]);
    expect(await entriesOf(cast.owner, id)).toEqual([entry]);
  });

  it('stay when their listing is deleted, with the name it had', async () => {
    const { id } = await createBundle(cast.owner);
    const [gone, alsoGone, there] = [await add(cast.owner, id), await add(cast.owner, id), await add(cast.owner, id)];
    await test.dataSource.query(`DELETE FROM listings WHERE id = ANY ($1)`, [[gone.listing_id, alsoGone.listing_id]]);
    expect(await entriesOf(cast.owner, id)).toEqual([
      { ...gone, listing_id: null, listing_title: null, listing_version: null, is_available: false },
      { ...alsoGone, listing_id: null, listing_title: null, listing_version: null, is_available: false },
      there,
    ]);
    expect(await add(cast.owner, id, { position: 0 })).toMatchObject({ position: 0 });
  });

  it('hide private listings and drafts from those who cannot see them, even in a public bundle', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    const ours = { orgId: cast.orgId };
    const hidden = [
      await add(cast.owner, id, { listing_id: await newListing({ ...ours, visibility: 'PRIVATE' }) }),
      await add(cast.owner, id, { listing_id: await newListing({ ...ours, status: 'DRAFT' }) }),
    ];
    const shown = await add(cast.owner, id);
    expect(await entriesOf(cast.member, id)).toMatchObject([...hidden.map((entry) => ({ id: entry.id })), shown]);
    expect(await entriesOf(cast.outsider, id)).toEqual([shown]);
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [shown.listing_id]);
    expect(await entriesOf(cast.outsider, id)).toEqual([{ ...shown, is_available: false }]);
  });

  it('are paged in the order of their positions', async () => {
    const { id } = await createBundle(cast.owner);
    const entryIds: string[] = [];
    for (let n = 0; n < 12; n++) entryIds.push((await add(cast.owner, id)).id);
    const rows = await allPages(cast.owner, `/v1/bundles/${id}/entries?limit=5`, () => add(cast.owner, id));
    expect(rows.map((row) => row.id).slice(0, 12)).toEqual(entryIds);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });
});
