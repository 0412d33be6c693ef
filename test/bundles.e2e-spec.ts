import { newId } from '../src/database/id';
import type { Api } from './support/api';
import { createTestApp, TestApp } from './support/app';
import { Cast, createBundle, createCast, idOf, unique } from './support/factories';
import { allPages, nextPage } from './support/pages';

interface Bundle {
  id: string;
  slug: string;
}

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
  it('gives a personal one with the defaults, at its address', async () => {
    const alice = await someone();
    const created = await alice.post('/v1/bundles', { name: 'Incident response' });
    const bundle = created.body as Bundle;
    expect(bundle).toEqual({
      id: bundle.id,
      name: 'Incident response',
      slug: 'incident-response',
      description: '',
      visibility: 'PRIVATE',
      org_id: null,
      owner_id: await idOf(alice),
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    expect(created.headers.location).toBe(`/v1/bundles/${bundle.id}`);
    expect((await alice.get(`/v1/bundles/${bundle.id}`)).body).toEqual(bundle);
  });

  it('takes what is given, null like absent', async () => {
    const alice = await someone();
    const fields = { name: 'Ops', slug: 'the-ops', description: 'For the night shift.', visibility: 'PUBLIC' };
    expect((await alice.post('/v1/bundles', { ...fields, org_id: null })).body).toMatchObject(fields);
    const nulls = { name: 'Nulls', slug: null, description: null, visibility: null, org_id: null };
    expect((await alice.post('/v1/bundles', nulls)).body).toMatchObject({
      slug: 'nulls',
      description: '',
      visibility: 'PRIVATE',
      org_id: null,
    });
  });

  it('is every member’s right in an organisation', async () => {
    for (const api of [cast.member, cast.admin, cast.owner]) {
      const { body } = (await api.post('/v1/bundles', { name: unique('Ours'), org_id: cast.orgId })) as {
        body: unknown;
      };
      expect(body).toMatchObject({ org_id: cast.orgId, owner_id: await idOf(api) });
    }
  });

  it('does not find the organisation for an outsider, as if there were none', async () => {
    for (const org_id of [cast.orgId, newId()]) {
      const refused = await cast.outsider.post('/v1/bundles', { name: 'Theirs', org_id }, 404);
      expect(refused.body).toEqual({ detail: `Organisation ${org_id} was not found.`, code: 'organisation_not_found' });
    }
  });

  it('makes the slug from the name, and asks for one when nothing of the name can stand in it', async () => {
    const alice = await someone();
    const made = await alice.post('/v1/bundles', { name: '  Crème brûlée & Co. (2026) ' });
    expect(made.body).toMatchObject({ slug: 'creme-brulee-co-2026' });
    const refused = await alice.post('/v1/bundles', { name: '工具' }, 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['body', 'slug'], type: 'missing' }] });
    await alice.post('/v1/bundles', { name: '工具', slug: 'tools' });
  });

  it('refuses a slug that the same owner has already, and only that', async () => {
    const [alice, bob] = [await someone(), await someone()];
    const slug = unique('taken');
    await createBundle(alice, { slug });
    const personal = await alice.post('/v1/bundles', { name: 'Again', slug }, 409);
    expect(personal.body).toEqual({ detail: 'You have a bundle with this slug already.', code: 'bundle_conflict' });
    await createBundle(bob, { slug });
    await createBundle(cast.member, { slug, org_id: cast.orgId });
    // One scope for the whole organisation, whoever makes the bundle.
    const ours = await cast.owner.post('/v1/bundles', { name: 'Again', slug, org_id: cast.orgId }, 409);
    expect(ours.body).toEqual({
      detail: 'The organisation has a bundle with this slug already.',
      code: 'bundle_conflict',
    });
    await createBundle(cast.member, { slug });
  });

  it('lets one of ten parallel requests for the same slug through', async () => {
    const alice = await someone();
    await idOf(alice);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alice.call('post', '/v1/bundles', undefined, { name: 'Race', slug: 'race' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('names every fault of a body at once', async () => {
    const body = { name: ' ', slug: 'Not A Slug', visibility: 'SECRET', org_id: 'acme', owner_id: newId() };
    const refused = await (await someone()).post('/v1/bundles', body, 422);
    const faults = (refused.body as { detail: { loc: string[]; type: string }[] }).detail;
    expect(faults.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()).toEqual([
      'body.name value_error',
      'body.org_id uuid_parsing',
      'body.owner_id extra_forbidden',
      'body.slug value_error',
      'body.visibility enum',
    ]);
  });

  it('is told to the owner’s endpoints by bundle.created', async () => {
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
  it('holds what the caller owns, edits or sees as a member, each once, newest first', async () => {
    const [alice, bob] = [await someone(), await someone()];
    const { orgId, owner } = await createCast(test);
    const mine = await createBundle(alice);
    const edited = await createBundle(bob);
    await createBundle(bob);
    await createBundle(bob, { visibility: 'PUBLIC' });
    await owner.post(`/v1/organisations/${orgId}/members`, { user_id: await idOf(alice), role: 'MEMBER' });
    const theirs = await createBundle(owner, { org_id: orgId });
    const ours = await createBundle(alice, { org_id: orgId });
    for (const { id } of [edited, theirs, ours, mine]) await addEditor(id, alice);
    expect(idsOf((await alice.get('/v1/bundles')).body)).toEqual([ours.id, theirs.id, edited.id, mine.id]);
  });

  it('does not hold what the caller made or edits in an organisation that they left', async () => {
    const leaver = await someone();
    const userId = await idOf(leaver);
    await cast.owner.post(`/v1/organisations/${cast.orgId}/members`, { user_id: userId, role: 'MEMBER' });
    await createBundle(leaver, { org_id: cast.orgId });
    await addEditor((await createBundle(cast.owner, { org_id: cast.orgId })).id, leaver);
    await cast.owner.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    expect((await leaver.get('/v1/bundles')).body).toEqual([]);
    await leaver.get(`/v1/bundles?org_id=${cast.orgId}`, 404);
  });

  it('is narrowed to one organisation by org_id, which counts as absent when it is empty or null', async () => {
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

  it('comes in pages that hold every row exactly once while others are inserted', async () => {
    const { orgId, owner, member } = await createCast(test);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push((await createBundle(member)).id);
    for (let n = 0; n < 6; n++) made.push((await createBundle(owner, { org_id: orgId })).id);
    for (const path of ['/v1/bundles?limit=2', `/v1/bundles?limit=4&org_id=${orgId}`]) {
      const rows = await allPages<Bundle>(member, path, async () => {
        await createBundle(member);
        await createBundle(owner, { org_id: orgId });
      });
      const expected = path.includes('org_id') ? made.slice(5) : made;
      const seen = idsOf(rows).filter((id) => expected.includes(id));
      expect(seen).toEqual([...expected].reverse());
      expect(new Set(idsOf(rows)).size).toBe(rows.length);
    }
  });

  it('loses no row and repeats none while others are deleted, the last one of a page included', async () => {
    const alice = await someone();
    const made: string[] = [];
    for (let n = 0; n < 6; n++) made.unshift((await createBundle(alice)).id);
    const first = await alice.get('/v1/bundles?limit=2');
    expect(idsOf(first.body)).toEqual(made.slice(0, 2));
    await alice.delete(`/v1/bundles/${made[1]}`);
    await alice.delete(`/v1/bundles/${made[3]}`);
    const second = await alice.get(nextPage(first) ?? '');
    expect(idsOf(second.body)).toEqual([made[2], made[4]]);
    const third = await alice.get(nextPage(second) ?? '');
    expect(idsOf(third.body)).toEqual([made[5]]);
    expect(nextPage(third)).toBeUndefined();
  });

  it('takes no cursor that was tampered with, is of another list or contradicts the filter', async () => {
    const { orgId, owner } = await createCast(test);
    for (let n = 0; n < 2; n++) await createBundle(owner, { org_id: orgId });
    const next = nextPage(await owner.get(`/v1/bundles?limit=1&org_id=${orgId}`)) ?? '';
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
    for (const path of [
      `/v1/bundles?cursor=${cursor}A`,
      `/v1/bundles?cursor=A${cursor.slice(1)}`,
      `/v1/bundles?cursor=`,
      `/v1/organisations?cursor=${cursor}`,
    ]) {
      const refused = await owner.get(path, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'cursor'], type: 'value_error' }] });
    }
    const contradicted = await owner.get(`${next}&org_id=${newId()}`, 422);
    expect(contradicted.body).toMatchObject({ detail: [{ loc: ['query', 'org_id'], type: 'value_error' }] });
    // The cursor alone is enough, and gives nothing to somebody who may not see the organisation.
    expect((await owner.get(`/v1/bundles?limit=1&cursor=${cursor}`)).body).toHaveLength(1);
    await cast.outsider.get(`/v1/bundles?limit=1&cursor=${cursor}`, 404);
  });
});

describe('Reading a bundle', () => {
  it('is for those who may see it: everybody for a public one, else its people', async () => {
    const { orgId, owner, admin, member, outsider } = await createCast(test);
    const [alice, editor] = [await someone(), await someone()];
    const personal = { api: alice, org_id: null, readers: [alice, editor], others: [owner, admin, member, outsider] };
    const ours = { api: member, org_id: orgId, readers: [owner, admin, member], others: [outsider, editor, alice] };
    for (const { api, org_id, readers, others } of [personal, ours]) {
      const hidden = await createBundle(api, { org_id });
      const shown = await createBundle(api, { org_id, visibility: 'PUBLIC' });
      for (const { id } of [hidden, shown]) await addEditor(id, editor);
      for (const reader of [...readers, ...others]) {
        expect((await reader.get(`/v1/bundles/${shown.id}`)).body).toEqual(shown);
        await reader.get(`/v1/bundles/${shown.id}/entries`);
      }
      for (const reader of readers) expect((await reader.get(`/v1/bundles/${hidden.id}`)).body).toEqual(hidden);
      for (const other of others) {
        const refused = await other.get(`/v1/bundles/${hidden.id}`, 404);
        expect(refused.body).toEqual({ detail: `Bundle ${hidden.id} was not found.`, code: 'bundle_not_found' });
        await other.get(`/v1/bundles/${hidden.id}/entries`, 404);
      }
    }
  });

  it('takes no id that is no UUID, and takes a UUID in capitals', async () => {
    const refused = await cast.owner.get('/v1/bundles/incident-response', 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['path', 'bundle_id'], type: 'uuid_parsing' }] });
    const { id } = await createBundle(cast.owner);
    expect((await cast.owner.get(`/v1/bundles/${id.toUpperCase()}`)).body).toMatchObject({ id });
  });
});
