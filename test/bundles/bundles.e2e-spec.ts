import { ORGANISATION_BUNDLES } from '../../src/bundles/bundle-caps';
import { lockKey } from '../../src/database/cap';
import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import type { Bundle } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, idOf, join, unique } from '../support/factories';
import { holding } from '../support/held-lock';
import { allPages, nextPage } from '../support/pages';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp();
  cast = await createCast(test);
});

afterAll(() => test.close());

const idsOf = (rows: unknown): string[] => (rows as Bundle[]).map(({ id }) => id);
const someone = () => test.as(unique('somebody'));
const addEditor = async (bundleId: string, editor: Api) =>
  test.dataSource.query<object[]>(`INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2)`, [
    bundleId,
    await idOf(editor),
  ]);

describe('Creating a bundle', () => {
  it('creates a personal one with the defaults, and its Location', async () => {
    const alice = await someone();
    const created = await alice.post('/v1/bundles', { name: 'Incident response' });
    const bundle = created.body;
    expect(bundle).toEqual({
      id: bundle.id,
      name: 'Incident response',
      slug: 'incident-response',
      description: '',
      visibility: 'PRIVATE',
      org_id: null,
      owner_id: await idOf(alice),
      version: 1,
      entry_count: 0,
      follower_count: 0,
      is_followed: false,
      may_modify: true,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    expect(created.headers.location).toBe(`/v1/bundles/${bundle.id}`);
    expect((await alice.get(`/v1/bundles/${bundle.id}`)).body).toEqual(bundle);
  });

  it('uses the fields sent; null means absent', async () => {
    const alice = await someone();
    const fields = { name: 'Ops', slug: 'the-ops', description: 'For the night shift.', visibility: 'PUBLIC' } as const;
    expect((await alice.post('/v1/bundles', { ...fields, org_id: null })).body).toMatchObject(fields);
    const nulls = { name: 'Nulls', slug: null, description: null, visibility: null, org_id: null };
    expect((await alice.post('/v1/bundles', nulls)).body).toMatchObject({
      slug: 'nulls',
      description: '',
      visibility: 'PRIVATE',
      org_id: null,
    });
  });

  it('is allowed to every member of an organisation', async () => {
    for (const api of [cast.member, cast.admin, cast.owner]) {
      const { body } = await api.post('/v1/bundles', { name: unique('Ours'), org_id: cast.orgId });
      expect(body).toMatchObject({ org_id: cast.orgId, owner_id: await idOf(api) });
    }
  });

  it('answers 404 to an outsider of the organisation', async () => {
    for (const org_id of [cast.orgId, newId()]) {
      const refused = await cast.outsider.post('/v1/bundles', { name: 'Theirs', org_id }, 404);
      expect(refused.body).toEqual({ detail: `Organisation ${org_id} was not found.`, code: 'organisation_not_found' });
    }
  });

  it('derives the slug from the name, and requires one if the name has no usable character', async () => {
    const alice = await someone();
    const created = await alice.post('/v1/bundles', { name: '  Crème brûlée & Co. (2026) ' });
    expect(created.body).toMatchObject({ slug: 'creme-brulee-co-2026' });
    const refused = await alice.post('/v1/bundles', { name: '工具' }, 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['body', 'slug'], type: 'missing' }] });
    await alice.post('/v1/bundles', { name: '工具', slug: 'tools' });
  });

  it('refuses a slug that the same owner already uses; other owners can use it', async () => {
    const [alice, bob] = [await someone(), await someone()];
    const slug = unique('taken');
    await createBundle(alice, { slug });
    const personal = await alice.post('/v1/bundles', { name: 'Again', slug }, 409);
    expect(personal.body).toEqual({ detail: 'You already have a bundle with this slug.', code: 'bundle_conflict' });
    await createBundle(bob, { slug });
    await createBundle(cast.member, { slug, org_id: cast.orgId });
    // Slugs are unique in the whole organisation, not per creator.
    const ours = await cast.owner.post('/v1/bundles', { name: 'Again', slug, org_id: cast.orgId }, 409);
    expect(ours.body).toEqual({
      detail: 'The organisation already has a bundle with this slug.',
      code: 'bundle_conflict',
    });
    await createBundle(cast.member, { slug });
  });

  it('tells outsiders nothing of an organisation, not even whether a slug is taken, and they do not wait for its members', async () => {
    const { orgId: org_id, member, outsider } = await createCast(test);
    const { slug } = await createBundle(member, { org_id });
    const missing = newId();
    const unknown = await outsider.post('/v1/bundles', { name: 'Foreign', slug, org_id: missing }, 404);
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended('${lockKey(ORGANISATION_BUNDLES, org_id)}', 0))`;
    await holding(test.dataSource, lock, async () => {
      for (const tried of [slug, unique('free')]) {
        const foreign = await outsider.post('/v1/bundles', { name: 'Foreign', slug: tried, org_id }, 404);
        expect(foreign.body).toEqual({
          ...unknown.body,
          detail: unknown.body.detail.replace(missing, org_id),
        });
      }
    });
  });

  it('lets one of ten parallel requests for the same slug succeed', async () => {
    const alice = await someone();
    await idOf(alice);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alice.call('post', '/v1/bundles', undefined, { name: 'Race', slug: 'race' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('reports all errors of a body at once', async () => {
    const body = { name: ' ', slug: 'Not A Slug', visibility: 'SECRET', org_id: 'acme', owner_id: newId() };
    const refused = await (await someone()).post('/v1/bundles', body, 422);
    const faults = refused.body.detail;
    expect(faults.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()).toEqual([
      'body.name value_error',
      'body.org_id uuid_parsing',
      'body.owner_id extra_forbidden',
      'body.slug value_error',
      'body.visibility enum',
    ]);
  });

  it('emits bundle.created to the owner’s endpoints', async () => {
    const alice = await someone();
    const personal = await createBundle(alice);
    const ours = await createBundle(cast.member, { org_id: cast.orgId });
    const events = await test.dataSource.query<object[]>(
      `SELECT type, org_id, owner_id FROM events WHERE data->>'bundle_id' = ANY ($1) ORDER BY id`,
      [[personal.id, ours.id]],
    );
    expect(events).toEqual([
      { type: 'bundle.created', org_id: null, owner_id: await idOf(alice) },
      { type: 'bundle.created', org_id: cast.orgId, owner_id: null },
    ]);
  });
});

describe('The list of bundles', () => {
  it('contains what the caller owns, edits or sees as a member, each once, newest first', async () => {
    const [alice, bob] = [await someone(), await someone()];
    const { orgId, owner } = await createCast(test);
    const mine = await createBundle(alice);
    const edited = await createBundle(bob);
    await createBundle(bob);
    await createBundle(bob, { visibility: 'PUBLIC' });
    await join(owner, orgId, alice);
    const theirs = await createBundle(owner, { org_id: orgId });
    const ours = await createBundle(alice, { org_id: orgId });
    for (const { id } of [edited, theirs, ours, mine]) await addEditor(id, alice);
    expect(idsOf((await alice.get('/v1/bundles')).body)).toEqual([ours.id, theirs.id, edited.id, mine.id]);
  });

  it('omits what the caller created or edits in an organisation they have left', async () => {
    const leaver = await someone();
    const userId = await join(cast.owner, cast.orgId, leaver);
    await createBundle(leaver, { org_id: cast.orgId });
    await addEditor((await createBundle(cast.owner, { org_id: cast.orgId })).id, leaver);
    await cast.owner.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    expect((await leaver.get('/v1/bundles')).body).toEqual([]);
    await leaver.get(`/v1/bundles?org_id=${cast.orgId}`, 404);
  });

  it('can be limited to one organisation by org_id; empty or null counts as absent', async () => {
    const { orgId, owner, member, outsider } = await createCast(test);
    const personal = await createBundle(member);
    const first = await createBundle(owner, { org_id: orgId });
    const second = await createBundle(member, { org_id: orgId });
    expect(idsOf((await member.get(`/v1/bundles?org_id=${orgId}`)).body)).toEqual([second.id, first.id]);
    for (const absent of ['', '?org_id=', '?org_id=null', '?org_id=NULL']) {
      expect(idsOf((await member.get(`/v1/bundles${absent}`)).body)).toEqual([second.id, first.id, personal.id]);
    }
    for (const id of [orgId, newId()]) {
      const refused = await outsider.get(`/v1/bundles?org_id=${id}`, 404);
      expect(refused.body).toMatchObject({ code: 'organisation_not_found' });
    }
    const refused = await member.get('/v1/bundles?org_id=acme', 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'org_id'], type: 'uuid_parsing' }] });
  });

  it('contains every row exactly once over its pages while others are inserted', async () => {
    const { orgId, owner, member } = await createCast(test);
    const bundleIds: string[] = [];
    for (let n = 0; n < 5; n++) bundleIds.push((await createBundle(member)).id);
    for (let n = 0; n < 6; n++) bundleIds.push((await createBundle(owner, { org_id: orgId })).id);
    for (const path of ['/v1/bundles?limit=2', `/v1/bundles?limit=4&org_id=${orgId}`]) {
      const rows = await allPages(member, path, async () => {
        await createBundle(member);
        await createBundle(owner, { org_id: orgId });
      });
      const expected = path.includes('org_id') ? bundleIds.slice(5) : bundleIds;
      const seen = idsOf(rows).filter((id) => expected.includes(id));
      expect(seen).toEqual([...expected].reverse());
      expect(new Set(idsOf(rows)).size).toBe(rows.length);
    }
  });

  it('loses and repeats no row while others are deleted, including the last one of a page', async () => {
    const alice = await someone();
    const bundleIds: string[] = [];
    for (let n = 0; n < 6; n++) bundleIds.unshift((await createBundle(alice)).id);
    const first = await alice.get('/v1/bundles?limit=2');
    expect(idsOf(first.body)).toEqual(bundleIds.slice(0, 2));
    await alice.delete(`/v1/bundles/${bundleIds[1]}`);
    await alice.delete(`/v1/bundles/${bundleIds[3]}`);
    const second = await alice.get(nextPage(first) ?? '');
    expect(idsOf(second.body)).toEqual([bundleIds[2], bundleIds[4]]);
    const third = await alice.get(nextPage(second) ?? '');
    expect(idsOf(third.body)).toEqual([bundleIds[5]]);
    expect(nextPage(third)).toBeUndefined();
  });

  it('rejects a cursor that was tampered with, is of another list or contradicts the filter', async () => {
    const { orgId, owner } = await createCast(test);
    for (let n = 0; n < 2; n++) await createBundle(owner, { org_id: orgId });
    const next = nextPage(await owner.get(`/v1/bundles?limit=1&org_id=${orgId}`)) ?? '';
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
    for (const path of [
      `/v1/bundles?cursor=${cursor}A`,
      `/v1/bundles?cursor=${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`,
      `/v1/organisations?cursor=${cursor}`,
    ]) {
      const refused = await owner.get(path, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'cursor'], type: 'value_error' }] });
    }
    const contradicted = await owner.get(`${next}&org_id=${newId()}`, 422);
    expect(contradicted.body).toMatchObject({ detail: [{ loc: ['query', 'org_id'], type: 'value_error' }] });
    // The cursor alone is enough, and returns nothing to users who cannot see the organisation.
    expect((await owner.get(`/v1/bundles?limit=1&cursor=${cursor}`)).body).toHaveLength(1);
    await cast.outsider.get(`/v1/bundles?limit=1&cursor=${cursor}`, 404);
  });
});

describe('The scopes of the list of bundles', () => {
  it('separate the caller’s own, their organisations’, followed and public bundles', async () => {
    const { orgId, owner, member, outsider } = await createCast(test);
    const [alice, bob] = [await someone(), await someone()];
    await join(owner, orgId, alice);
    const own = await createBundle(alice);
    const edited = await createBundle(bob);
    const ours = await createBundle(alice, { org_id: orgId });
    const theirs = await createBundle(member, { org_id: orgId });
    const editedOfOurs = await createBundle(owner, { org_id: orgId });
    const open = await createBundle(outsider, { visibility: 'PUBLIC' });
    const openOfOurs = await createBundle(owner, { org_id: orgId, visibility: 'PUBLIC' });
    const foreign = await createBundle(outsider);
    for (const { id } of [edited, editedOfOurs]) await addEditor(id, alice);
    for (const { id } of [theirs, open, own]) await alice.put(`/v1/bundles/${id}/follow`);
    const list = async (query: string) => idsOf((await alice.get(`/v1/bundles?limit=100${query}`)).body);
    const known = [own, edited, ours, theirs, editedOfOurs, open, openOfOurs, foreign].map(({ id }) => id);

    expect(await list('&scope=mine')).toEqual([editedOfOurs.id, ours.id, edited.id, own.id]);
    expect(await list('&scope=organisations')).toEqual([openOfOurs.id, editedOfOurs.id, theirs.id, ours.id]);
    expect(await list('&scope=followed')).toEqual([open.id, theirs.id, own.id]);
    expect((await list('&scope=public')).filter((id) => known.includes(id))).toEqual([openOfOurs.id, open.id]);
    for (const query of ['', '&scope=', '&scope=null']) {
      const all = [openOfOurs.id, editedOfOurs.id, theirs.id, ours.id, edited.id, own.id];
      expect(await list(query)).toEqual(all);
    }
    const within = `&org_id=${orgId}`;
    expect(await list(`&scope=mine${within}`)).toEqual([editedOfOurs.id, ours.id]);
    expect(await list(`&scope=organisations${within}`)).toEqual([openOfOurs.id, editedOfOurs.id, theirs.id, ours.id]);
    expect(await list(`&scope=followed${within}`)).toEqual([theirs.id]);
    expect(await list(`&scope=public${within}`)).toEqual([openOfOurs.id]);
  });

  it('show for each bundle whether the caller follows it and can change it', async () => {
    const { orgId, owner, member, outsider } = await createCast(test);
    const { id } = await createBundle(owner, { org_id: orgId, visibility: 'PUBLIC' });
    await outsider.put(`/v1/bundles/${id}/follow`);
    const seenBy = async (api: Api) => {
      const rows = (await api.get(`/v1/bundles?scope=public&org_id=${orgId}`)).body;
      return rows.map((row) => [row.is_followed, row.may_modify, row.follower_count]);
    };
    expect(await seenBy(owner)).toEqual([[false, true, 1]]);
    expect(await seenBy(member)).toEqual([[false, false, 1]]);
    expect(await seenBy(outsider)).toEqual([[true, false, 1]]);
  });

  it('contain nothing that the caller cannot see, whatever they follow, edit or once belonged to', async () => {
    const leaver = await someone();
    const userId = await join(cast.owner, cast.orgId, leaver);
    const members = `/v1/organisations/${cast.orgId}/members` as const;
    const ownBundle = await createBundle(leaver, { org_id: cast.orgId });
    const hidden = await createBundle(cast.owner, { visibility: 'PUBLIC' });
    for (const { id } of [ownBundle, hidden]) await leaver.put(`/v1/bundles/${id}/follow`);
    await addEditor(ownBundle.id, leaver);
    await cast.owner.delete(`${members}/${userId}`);
    await cast.owner.patch(`/v1/bundles/${hidden.id}`, { visibility: 'PRIVATE' });
    for (const scope of ['mine', 'organisations', 'followed']) {
      expect((await leaver.get(`/v1/bundles?scope=${scope}`)).body).toEqual([]);
    }
    for (const scope of ['mine', 'organisations']) {
      const refused = await leaver.get(`/v1/bundles?scope=${scope}&org_id=${cast.orgId}`, 404);
      expect(refused.body).toMatchObject({ code: 'organisation_not_found' });
    }
    for (const scope of ['followed', 'public']) {
      expect((await leaver.get(`/v1/bundles?scope=${scope}&org_id=${newId()}`)).body).toEqual([]);
    }
  });

  it('are carried by the cursor, and unknown ones are rejected', async () => {
    const alice = await someone();
    for (let n = 0; n < 3; n++) await createBundle(alice);
    const first = await alice.get('/v1/bundles?limit=2&scope=mine');
    expect((await alice.get(nextPage(first) ?? '')).body).toHaveLength(1);
    const contradicted = await alice.get(`${nextPage(first)}&scope=public`, 422);
    expect(contradicted.body).toMatchObject({ detail: [{ loc: ['query', 'scope'], type: 'value_error' }] });
    const refused = await alice.get('/v1/bundles?scope=all', 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'scope'], type: 'enum' }] });
  });
});

describe('Changing a bundle', () => {
  const updates = (id: string) =>
    test.dataSource.query<{ data: Record<string, unknown> }[]>(
      `SELECT data FROM events WHERE type = 'bundle.updated' AND data->>'bundle_id' = $1 ORDER BY id`,
      [id],
    );

  it('changes the fields sent; absent and null fields keep their values', async () => {
    const { id } = await createBundle(cast.member, { org_id: cast.orgId, description: 'Old.' });
    const before = (await cast.member.get(`/v1/bundles/${id}`)).body;
    const fields = { name: 'New', slug: unique('new'), visibility: 'PUBLIC' } as const;
    const after = (await cast.admin.patch(`/v1/bundles/${id}`, { ...fields, description: null })).body;
    expect(after).toEqual({ ...before, ...fields, updated_at: expect.any(String) as string });
    expect(String(after.updated_at) > String(before.updated_at)).toBe(true);
    expect((await cast.member.get(`/v1/bundles/${id}`)).body).toEqual(after);
    expect((await cast.member.patch(`/v1/bundles/${id}`, { description: '' })).body).toMatchObject({ description: '' });
    const { name, slug, visibility } = fields;
    const data = { bundle_id: id, name, slug, visibility, bundle_version: 1, org_id: cast.orgId };
    expect((await updates(id)).map((event) => event.data)).toEqual([
      { ...data, changed: ['name', 'slug', 'visibility'] },
      { ...data, changed: ['description'] },
    ]);
  });

  it('writes and emits nothing if nothing differs', async () => {
    const { id, slug } = await createBundle(cast.owner, { description: 'Same.' });
    const before = (await cast.owner.get(`/v1/bundles/${id}`)).body;
    for (const body of [{}, { name: null }, { slug, description: 'Same.', visibility: 'PRIVATE' }] as const) {
      expect((await cast.owner.patch(`/v1/bundles/${id}`, body)).body).toEqual(before);
    }
    expect(await updates(id)).toEqual([]);
  });

  it('refuses a slug that is taken, and reports all invalid fields', async () => {
    const alice = await someone();
    const [one, other] = [await createBundle(alice), await createBundle(alice)];
    const refused = await alice.patch(`/v1/bundles/${one.id}`, { slug: other.slug }, 409);
    expect(refused.body).toMatchObject({ code: 'bundle_conflict' });
    const body = { name: '', slug: 'A b', visibility: 'SECRET', description: 'x'.repeat(2_001), org_id: newId() };
    const faults = (await alice.patch(`/v1/bundles/${one.id}`, body, 422)).body;
    expect(faults.detail.map(({ loc }) => loc[1]).sort()).toEqual([
      'description',
      'name',
      'org_id',
      'slug',
      'visibility',
    ]);
  });
});

describe('Reading a bundle', () => {
  it('is open to all for a public one, otherwise to its people', async () => {
    const { orgId, owner, admin, member, outsider } = await createCast(test);
    const [alice, editor, reader] = [await someone(), await someone(), await someone()];
    await join(owner, orgId, reader);
    const others = [outsider, admin, member];
    const personal = { api: alice, org_id: null, editors: [alice, editor], readers: [], others: [owner, ...others] };
    const mine = {
      org_id: orgId,
      editors: [owner, admin, member],
      readers: [reader],
      others: [outsider, editor, alice],
    };
    for (const { api, org_id, editors, readers, others } of [personal, { api: member, ...mine }]) {
      const hidden = await createBundle(api, { org_id });
      const shown = await createBundle(api, { org_id, visibility: 'PUBLIC' });
      for (const { id } of [hidden, shown]) await addEditor(id, editor);
      const seenBy = async (api: Api, { id }: Bundle) => (await api.get(`/v1/bundles/${id}`)).body;
      for (const api of editors) {
        expect(await seenBy(api, shown)).toEqual(shown);
        expect(await seenBy(api, hidden)).toEqual(hidden);
      }
      for (const api of readers) expect(await seenBy(api, hidden)).toEqual({ ...hidden, may_modify: false });
      for (const api of [...readers, ...others]) {
        expect(await seenBy(api, shown)).toEqual({ ...shown, may_modify: false });
        await api.get(`/v1/bundles/${shown.id}/entries`);
      }
      for (const other of others) {
        const refused = await other.get(`/v1/bundles/${hidden.id}`, 404);
        expect(refused.body).toEqual({ detail: `Bundle ${hidden.id} was not found.`, code: 'bundle_not_found' });
        await other.get(`/v1/bundles/${hidden.id}/entries`, 404);
      }
    }
  });

  it('requires a UUID, in any case', async () => {
    const refused = await cast.owner.get('/v1/bundles/incident-response', 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['path', 'bundle_id'], type: 'uuid_parsing' }] });
    const { id } = await createBundle(cast.owner);
    expect((await cast.owner.get(`/v1/bundles/${id.toUpperCase()}`)).body).toMatchObject({ id });
  });
});
