import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import type { Organisation, OrganisationCreate } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, idOf, join, unique } from '../support/factories';
import { createMembership, watchEvents } from '../support/organisations';
import { allPages } from '../support/pages';

describe('Organisations', () => {
  let test: TestApp;
  let alice: Api;

  beforeAll(async () => {
    test = await createTestApp();
    alice = await test.as('alice');
  });

  afterAll(() => test.close());

  const create = async (api: Api, fields: OrganisationCreate): Promise<Organisation> =>
    (await api.post('/v1/organisations', fields)).body;
  const read = async (api: Api, id: string): Promise<Organisation> => (await api.get(`/v1/organisations/${id}`)).body;

  describe('creating an organisation', () => {
    it('makes the caller its OWNER and returns its Location', async () => {
      const created = await alice.post('/v1/organisations', { name: 'Acme', slug: 'acme-inc' });
      const { id } = created.body;
      expect(created.body).toMatchObject({ name: 'Acme', slug: 'acme-inc', role: 'OWNER' });
      expect(created.headers.location).toBe(`/v1/organisations/${id}`);
      expect(await read(alice, id)).toEqual(created.body);
      const members = (await alice.get(`/v1/organisations/${id}/members`)).body;
      expect(members).toEqual([
        expect.objectContaining({ user_id: await idOf(alice), role: 'OWNER', manual_role: 'OWNER', scim_role: null }),
      ]);
    });

    it('emits member.added for its OWNER', async () => {
      const { id } = await create(alice, { name: unique('Told') });
      expect(await watchEvents(test.dataSource, id)()).toEqual([
        {
          type: 'member.added',
          data: {
            org_id: id,
            user_id: await idOf(alice),
            role: 'OWNER',
            role_before: null,
            reason: 'created_organisation',
          },
        },
      ]);
    });

    it('starts with the default settings for its directory', async () => {
      const { id } = await create(alice, { name: unique('Settings') });
      expect(await test.dataSource.query(`SELECT * FROM scim_settings WHERE org_id = $1`, [id])).toEqual([
        { org_id: id, default_role: 'MEMBER', allow_owner_mapping: false, last_owner_policy: 'retain' },
      ]);
    });

    it.each([
      ['Blue  Ocean & Söhne GmbH', 'blue-ocean-sohne-gmbh'],
      ['  -- Ünïcodé 3000! ', 'unicode-3000'],
      ['Ⅻ', 'xii'],
      [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
    ])('derives the slug from the name %j', async (name, slug) => {
      expect(await create(alice, { name, slug: null })).toMatchObject({ name, slug });
    });

    it.each(['🎉🚀', '株式会社', '---'])('requires a slug if none can be derived from the name %j', async (name) => {
      const body = (await alice.post('/v1/organisations', { name }, 422)).body;
      expect(body).toEqual({
        detail: [{ loc: ['body', 'slug'], msg: expect.any(String) as string, type: 'missing' }],
      });
      expect(await create(alice, { name, slug: unique('given') })).toMatchObject({ name });
    });

    it('refuses a slug that is taken, whether sent or derived, and leaves nothing behind', async () => {
      await create(alice, { name: 'Taken' });
      const counts = () =>
        test.dataSource.query(
          `SELECT (SELECT count(*) FROM organisations) AS organisations, (SELECT count(*) FROM memberships) AS memberships,
                  (SELECT count(*) FROM events) AS events`,
        );
      const before: unknown = await counts();
      for (const body of [{ name: 'Taken' }, { name: 'Another', slug: 'taken' }]) {
        const error = (await (await test.as('bob')).post('/v1/organisations', body, 409)).body;
        expect(error).toMatchObject({ code: 'organisation_conflict' });
      }
      expect(await counts()).toEqual(before);
    });

    it('gives a slug to only one of many concurrent requests', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => alice.call('post', '/v1/organisations', undefined, { name: 'Coveted' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    });

    it.each([
      ['no name', {}, ['body.name missing']],
      ['an empty name', { name: '' }, ['body.name string_too_short']],
      ['a name of white space', { name: ' \t ' }, ['body.name value_error']],
      ['a name of 201 characters', { name: 'x'.repeat(201) }, ['body.name string_too_long']],
      ['an invalid slug', { name: 'Fine', slug: 'Not A Slug' }, ['body.slug value_error']],
      [
        'wrong types and unknown fields',
        { name: null, slug: 7, role: 'OWNER' },
        ['body.name string_type', 'body.role extra_forbidden', 'body.slug string_type'],
      ],
    ])('rejects %s', async (_, fields, faults) => {
      const { detail } = (await alice.post('/v1/organisations', fields, 422)).body;
      expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()).toEqual(faults);
    });
  });

  describe('renaming an organisation', () => {
    let cast: Cast;

    beforeAll(async () => {
      cast = await createCast(test);
    });

    it('changes the fields sent; absent and null fields keep their values', async () => {
      const before = await read(cast.owner, cast.orgId);
      const path = `/v1/organisations/${cast.orgId}` as const;
      const renamed = (await cast.admin.patch(path, { name: 'New name' })).body;
      expect(renamed).toMatchObject({ name: 'New name', slug: before.slug, role: 'ADMIN' });
      const slug = unique('new-slug');
      const moved = (await cast.owner.patch(path, { name: null, slug })).body;
      expect(moved).toMatchObject({ name: 'New name', slug, role: 'OWNER' });
      expect(await read(cast.member, cast.orgId)).toMatchObject({ name: 'New name', slug, role: 'MEMBER' });
    });

    it('changes updated_at and emits an event only if something changes', async () => {
      const path = `/v1/organisations/${cast.orgId}` as const;
      const events = watchEvents(test.dataSource, cast.orgId);
      await events();
      const { name, slug, updated_at, created_at } = await read(cast.owner, cast.orgId);
      for (const body of [{}, { name: null, slug: null }, { name }, { slug }, { name, slug }]) {
        expect((await cast.owner.patch(path, body)).body).toMatchObject({ updated_at });
      }
      expect(await events()).toEqual([]);
      const body = (await cast.owner.patch(path, { name: `${name} & Co.` })).body;
      const after = body;
      expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(updated_at));
      expect(after.created_at).toBe(created_at);
      expect(await events()).toEqual([
        { type: 'organisation.updated', data: { org_id: cast.orgId, name: `${name} & Co.`, slug } },
      ]);
    });

    it('refuses a slug of another organisation and changes nothing', async () => {
      const other = await create(alice, { name: unique('Other') });
      const before = await read(cast.owner, cast.orgId);
      const body = (
        await cast.owner.patch(`/v1/organisations/${cast.orgId}`, { name: 'Not this', slug: other.slug }, 409)
      ).body;
      expect(body).toMatchObject({ code: 'organisation_conflict' });
      expect(await read(cast.owner, cast.orgId)).toEqual(before);
    });

    it('is for ADMINs and OWNERs; outsiders do not find the organisation', async () => {
      const path = `/v1/organisations/${cast.orgId}` as const;
      expect((await cast.member.patch(path, { name: 'Mine' }, 403)).body).toMatchObject({ code: 'insufficient_role' });
      const unseen = (await cast.outsider.patch(path, { name: 'Mine' }, 404)).body;
      expect(unseen).toMatchObject({ code: 'organisation_not_found' });
      const missing = newId();
      const absent = (await cast.outsider.patch(`/v1/organisations/${missing}`, { name: 'Mine' }, 404)).body;
      expect(JSON.stringify(unseen).replaceAll(cast.orgId, missing)).toBe(JSON.stringify(absent));
      await test.anonymous.patch(path, { name: 'Mine' }, 401);
    });
  });

  describe('listing organisations', () => {
    it('returns the caller’s own, oldest first, with the caller’s role, each exactly once over all pages', async () => {
      const carol = await test.as('carol');
      const own: string[] = [];
      for (let n = 0; n < 7; n++) own.push((await create(carol, { name: unique('Carol') })).id);
      const { orgId, owner } = await createCast(test);
      await join(owner, orgId, carol, 'ADMIN');
      const listed = await allPages(carol, '/v1/organisations?limit=3');
      expect(listed.map(({ id, role }) => ({ id, role }))).toEqual([
        ...own.map((id) => ({ id, role: 'OWNER' })),
        { id: orgId, role: 'ADMIN' },
      ]);
    });

    it('omits those in which the caller is suspended; the account shows them, so that they can be left', async () => {
      const dora = await test.as('dora');
      const kept = await create(dora, { name: unique('Dora') });
      const { orgId, owner } = await createCast(test);
      await createMembership(test.dataSource, orgId, { userId: await idOf(dora), manual: 'ADMIN', suspended: true });
      expect((await dora.get('/v1/organisations')).body).toEqual([kept]);
      await dora.get(`/v1/organisations/${orgId}`, 404);
      expect((await dora.get('/v1/users/me')).body).toMatchObject({
        organisations: [
          { org_id: kept.id, name: kept.name, slug: kept.slug, role: 'OWNER', suspended: false },
          { org_id: orgId, role: null, suspended: true },
        ],
      });
      await owner.get(`/v1/organisations/${orgId}`);
    });

    it('rejects a made-up cursor', async () => {
      const body = (await alice.get('/v1/organisations?cursor=bm9wZQ', 422)).body;
      expect(body).toMatchObject({ detail: [{ loc: ['query', 'cursor'], type: 'value_error' }] });
    });
  });

  it('are found by ids in upper case too', async () => {
    const { id } = await create(alice, { name: unique('Upper') });
    expect(await read(alice, id.toUpperCase())).toMatchObject({ id });
  });
});
