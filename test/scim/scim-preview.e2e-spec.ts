import type { Response } from 'supertest';
import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { type Cast, createCast, createRoleMapping, createScimGroup, createScimUser, idOf } from '../support/factories';
import { type Counts, storedMemberships, type SyncChange, syncOf } from '../support/organisations';
import { allPages, nextPage } from '../support/pages';

interface Preview extends Counts {
  scanned: number;
  members: number;
  would_be_refused: boolean;
  needs_confirmation: boolean;
  changes: SyncChange[];
}

describe('POST /v1/organisations/{org_id}/scim/sync/preview', () => {
  let test: TestApp;
  let cast: Cast;
  let scim: string;

  beforeAll(async () => {
    test = await createTestApp();
  });

  beforeEach(async () => {
    cast = await createCast(test);
    scim = `/v1/organisations/${cast.orgId}/scim`;
  });

  afterAll(() => test.close());

  const provision = async (count: number, groupId?: string): Promise<string[]> => {
    const people: string[] = [];
    for (let n = 0; n < count; n++) {
      const { id, userId } = await createScimUser(test.dataSource, cast.orgId);
      people.push(userId);
      if (groupId) {
        await test.dataSource.query(`INSERT INTO scim_group_members (group_id, scim_user_id) VALUES ($1, $2)`, [
          groupId,
          id,
        ]);
      }
    }
    return people.sort();
  };
  const preview = async (body?: object, query = '', api: Api = cast.admin): Promise<Preview> =>
    (await api.post(`${scim}/sync/preview${query}`, body, 200)).body as Preview;
  const refusal = async (body: object, status: number): Promise<string> =>
    ((await cast.owner.post(`${scim}/sync/preview`, body, status)).body as { code: string }).code;
  const faults = (response: Response): string[] =>
    (response.body as { detail: { loc: string[]; type: string }[] }).detail.map(
      ({ loc, type }) => `${type} at ${loc.join(' ')}`,
    );

  it('says what the sync would do, and does nothing', async () => {
    const groupId = await createScimGroup(test.dataSource, cast.orgId);
    const mappingId = await createRoleMapping(test.dataSource, cast.orgId, groupId, 'ADMIN');
    const [lead] = await provision(1, groupId);
    await provision(1);
    const traces = async () => {
      const [row] = await test.dataSource.query<object[]>(
        `SELECT (SELECT count(*) FROM events WHERE org_id = $1), (SELECT count(*) FROM audit_log WHERE org_id = $1),
                (SELECT count(*) FROM scim_sync_runs WHERE org_id = $1)`,
        [cast.orgId],
      );
      return [row, await storedMemberships(test.dataSource, cast.orgId)];
    };
    const before = await traces();

    const foretold = await preview();

    expect(await traces()).toEqual(before);
    expect(foretold).toMatchObject({ scanned: 2, joined: 2, members: 3, would_be_refused: false });
    expect(foretold.changes).toContainEqual({
      user_id: lead,
      change: 'joined',
      role_before: null,
      role_after: 'ADMIN',
      reason: 'mapping',
      mapping_id: mappingId,
      group_id: groupId,
    });
    expect((await syncOf(cast.owner, cast.orgId)).changes).toEqual(foretold.changes);
    expect(await preview({})).toMatchObject({ scanned: 2, unchanged: 2, changes: [] });
  });

  it('says what would follow from other settings and mappings, which stay as they are', async () => {
    const [everybody, leads] = [
      await createScimGroup(test.dataSource, cast.orgId),
      await createScimGroup(test.dataSource, cast.orgId),
    ];
    const mappingId = await createRoleMapping(test.dataSource, cast.orgId, everybody, 'MEMBER');
    const [lead] = await provision(1, leads);
    const [person] = await provision(1, everybody);
    await syncOf(cast.owner, cast.orgId);

    const rolesAfter = async (body: object) =>
      Object.fromEntries((await preview(body)).changes.map(({ user_id, role_after }) => [user_id, role_after]));
    expect(await rolesAfter({ settings: { default_role: null } })).toEqual({ [lead ?? '']: null });
    expect(await rolesAfter({ settings: { default_role: 'ADMIN' } })).toEqual({ [lead ?? '']: 'ADMIN' });
    const { update, create } = { update: [{ id: mappingId, role: 'ADMIN' }], create: { group_id: leads } };
    expect(await rolesAfter({ role_mappings: { update } })).toEqual({ [person ?? '']: 'ADMIN' });
    expect(await rolesAfter({ settings: { default_role: null }, role_mappings: { delete: [mappingId] } })).toEqual({
      [lead ?? '']: null,
      [person ?? '']: null,
    });
    const created = await preview({ role_mappings: { create: [{ ...create, role: 'ADMIN' }] } });
    expect(created.changes).toEqual([
      {
        user_id: lead,
        change: 'promoted',
        role_before: 'MEMBER',
        role_after: 'ADMIN',
        reason: 'mapping',
        mapping_id: null,
        group_id: leads,
      },
    ]);
    expect(
      await rolesAfter({
        settings: { allow_owner_mapping: true },
        role_mappings: { delete: [mappingId], create: [{ group_id: everybody.toUpperCase(), role: 'OWNER' }] },
      }),
    ).toEqual({ [person ?? '']: 'OWNER' });
    // None of it was done.
    expect(await preview()).toMatchObject({ unchanged: 2, changes: [] });
  });

  it('takes a group by its name in any case of letters, and lets a name of none wait', async () => {
    const groupId = await createScimGroup(test.dataSource, cast.orgId);
    await test.dataSource.query(`UPDATE scim_groups SET display_name = 'Platform Engineers' WHERE id = $1`, [groupId]);
    const [person] = await provision(1, groupId);
    const create = (group_name: string) => ({ role_mappings: { create: [{ group_name, role: 'ADMIN' }] } });
    expect((await preview(create('platform engineers'))).changes).toMatchObject([
      { user_id: person, role_after: 'ADMIN', group_id: groupId },
    ]);
    expect((await preview(create('Choir'))).changes).toMatchObject([{ role_after: 'MEMBER', reason: 'default_role' }]);
  });

  it.each<[string, string, string | undefined]>([
    ['an empty one', '', 'string_too_short'],
    ['white space at its end', 'Sales ', 'value_error'],
    ['white space at its start', '\tSales', 'value_error'],
    ['a space that does not break', 'Sales\u00a0', 'value_error'],
    ['a line break at its end', 'Sales\n', 'value_error'],
    ['nothing but white space', ' ', 'value_error'],
    ['one that is too long', 'x'.repeat(513), 'string_too_long'],
    ['one as long as it may be', '\u{1F6E0}'.repeat(512), undefined],
    ['white space within', 'Platform \n engineers', undefined],
    ['one letter', 'x', undefined],
  ])('takes the names of groups that a mapping takes, and no others: %s', async (_, group_name, fault) => {
    const mapping = { group_name, role: 'ADMIN' };
    const proposal = { role_mappings: { create: [mapping] } };
    const foretold = await cast.owner.call('post', `${scim}/sync/preview`, undefined, proposal);
    const made = await cast.owner.call('post', `${scim}/role-mappings`, undefined, mapping);
    if (fault === undefined) {
      expect([foretold.status, made.status]).toEqual([200, 201]);
    } else {
      expect([foretold.status, made.status]).toEqual([422, 422]);
      expect(faults(made)).toEqual([`${fault} at body group_name`]);
      expect(faults(foretold)).toEqual([`${fault} at body role_mappings create 0 group_name`]);
    }
  });

  it('says whether it would be refused, or would need confirmation', async () => {
    const ownerId = await idOf(cast.owner);
    await createScimUser(test.dataSource, cast.orgId, { userId: ownerId, active: false });
    const retain = await preview();
    expect(retain).toMatchObject({ retained: 1, would_be_refused: false, needs_confirmation: false });
    expect(retain.changes).toMatchObject([{ user_id: ownerId, change: 'retained', reason: 'last_owner' }]);
    const body = { settings: { last_owner_policy: 'refuse' } };
    expect(await preview(body)).toMatchObject({ retained: 1, would_be_refused: true });
    await test.dataSource.query(`UPDATE scim_settings SET last_owner_policy = 'refuse' WHERE org_id = $1`, [
      cast.orgId,
    ]);
    expect((await preview()).would_be_refused).toBe(true);
    await cast.owner.post(`${scim}/sync`, undefined, 409);

    await test.dataSource.query(`UPDATE scim_users SET active = true WHERE org_id = $1`, [cast.orgId]);
    await provision(5);
    await syncOf(cast.owner, cast.orgId);
    const closed = await preview({ settings: { default_role: null } });
    expect(closed).toMatchObject({ members: 8, removed: 5, needs_confirmation: true });
  });

  it('is read page by page with the same body', async () => {
    const people = await provision(7);
    const body = { settings: { default_role: 'ADMIN' }, role_mappings: { delete: [] } };
    const seen: string[] = [];
    let path: string | undefined = `${scim}/sync/preview?limit=3`;
    for (; path !== undefined;) {
      const page: Response = await cast.admin.post(path, body, 200);
      const { changes, joined } = page.body as Preview;
      expect(joined).toBe(7);
      seen.push(...changes.map(({ user_id }) => user_id));
      path = nextPage(page);
    }
    expect(seen).toEqual(people);

    const next = nextPage(await cast.admin.post(`${scim}/sync/preview?limit=3`, body, 200)) ?? '';
    // In another order of its fields it is the same body still.
    await cast.admin.post(next, { role_mappings: { delete: [] }, settings: { default_role: 'ADMIN' } }, 200);
    for (const other of [undefined, {}, { ...body, settings: { default_role: null } }, { settings: body.settings }]) {
      expect(faults(await cast.admin.post(next, other, 422))).toEqual(['value_error at body']);
    }
    const unset = nextPage(await cast.admin.post(`${scim}/sync/preview?limit=3`, { settings: {} }, 200)) ?? '';
    expect(faults(await cast.admin.post(unset, { settings: { default_role: null } }, 422))).toHaveLength(1);
    const elsewhere = await createCast(test);
    const cursor = new URL(next, PUBLIC_URL).searchParams.get('cursor') ?? '';
    const foreign = `/v1/organisations/${elsewhere.orgId}/scim/sync/preview?cursor=${cursor}`;
    expect(faults(await elsewhere.owner.post(foreign, body, 422))).toEqual(['value_error at query cursor']);
  });

  it('refuses what could not be done', async () => {
    const [mapped, free] = [
      await createScimGroup(test.dataSource, cast.orgId),
      await createScimGroup(test.dataSource, cast.orgId),
    ];
    const mappingId = await createRoleMapping(test.dataSource, cast.orgId, mapped, 'MEMBER');
    const other = await createCast(test);
    const foreignGroup = await createScimGroup(test.dataSource, other.orgId);
    const foreignMapping = await createRoleMapping(test.dataSource, other.orgId, foreignGroup, 'MEMBER');
    const mappings = (role_mappings: object, status: number, settings?: object) =>
      refusal({ role_mappings, settings }, status);

    expect(await mappings({ delete: [newId()] }, 404)).toBe('role_mapping_not_found');
    expect(await mappings({ delete: [foreignMapping] }, 404)).toBe('role_mapping_not_found');
    expect(await mappings({ update: [{ id: foreignMapping, role: 'ADMIN' }] }, 404)).toBe('role_mapping_not_found');
    expect(await mappings({ delete: [mappingId], update: [{ id: mappingId, role: 'ADMIN' }] }, 404)).toBe(
      'role_mapping_not_found',
    );
    expect(await mappings({ create: [{ group_id: foreignGroup, role: 'ADMIN' }] }, 404)).toBe('scim_group_not_found');
    expect(await mappings({ create: [{ group_id: mapped, role: 'ADMIN' }] }, 409)).toBe('role_mapping_conflict');
    const twice = { group_id: free, role: 'ADMIN' };
    expect(await mappings({ create: [twice, twice] }, 409)).toBe('role_mapping_conflict');
    const waiting = { group_name: 'Choir', role: 'MEMBER' };
    expect(await mappings({ create: [waiting, { ...waiting, group_name: 'CHOIR' }] }, 409)).toBe(
      'role_mapping_conflict',
    );
    await test.dataSource.query(`UPDATE scim_groups SET display_name = 'Twins' WHERE org_id = $1`, [cast.orgId]);
    expect(await mappings({ create: [{ group_name: 'twins', role: 'ADMIN' }] }, 409)).toBe('role_mapping_conflict');

    const toOwner = { update: [{ id: mappingId, role: 'OWNER' }] };
    expect(await mappings(toOwner, 409)).toBe('role_mapping_conflict');
    expect(await mappings({ create: [{ group_id: free, role: 'OWNER' }] }, 409)).toBe('role_mapping_conflict');
    await preview({ role_mappings: toOwner, settings: { allow_owner_mapping: true } });
  });

  it.each<[string, object, string]>([
    ['no object', [], 'dict_type at body'],
    ['an unknown field', { setting: {} }, 'extra_forbidden at body setting'],
    ['an unknown setting', { settings: { role: 'ADMIN' } }, 'extra_forbidden at body settings role'],
    ['OWNER for everybody', { settings: { default_role: 'OWNER' } }, 'enum at body settings default_role'],
    ['an unknown list', { role_mappings: { replace: [] } }, 'extra_forbidden at body role_mappings replace'],
    ['no list', { role_mappings: { delete: 'all' } }, 'list_type at body role_mappings delete'],
    ['no id', { role_mappings: { delete: ['all'] } }, 'uuid_parsing at body role_mappings delete 0'],
    [
      'no role',
      { role_mappings: { update: [{ id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10' }] } },
      'missing at body role_mappings update 0 role',
    ],
    ['no group', { role_mappings: { create: [{ role: 'ADMIN' }] } }, 'missing at body role_mappings create 0 group_id'],
    [
      'a group twice',
      {
        role_mappings: {
          create: [{ group_id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10', group_name: 'Choir', role: 'ADMIN' }],
        },
      },
      'value_error at body role_mappings create 0 group_id',
    ],
  ])('refuses a body with %s', async (_, body, fault) => {
    expect(faults(await cast.owner.post(`${scim}/sync/preview`, body, 422))).toEqual([fault]);
  });
});

describe('GET /v1/organisations/{org_id}/scim/sync-runs', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  it('lists the runs that somebody asked for, newest first', async () => {
    const [cast, other] = [await createCast(test), await createCast(test)];
    const path = `/v1/organisations/${cast.orgId}/scim/sync-runs`;
    expect(await allPages(cast.admin, path)).toEqual([]);
    await createScimUser(test.dataSource, cast.orgId);
    const runs: string[] = [];
    for (let n = 0; n < 5; n++) {
      runs.unshift((await syncOf(n % 2 === 0 ? cast.owner : cast.admin, cast.orgId)).id);
      await syncOf(other.owner, other.orgId);
    }
    const list = await allPages<{ id: string }>(cast.admin, `${path}?limit=2`);
    expect(list.map(({ id }) => id)).toEqual(runs);
    expect(list.at(-1)).toMatchObject({ started_by: await idOf(cast.owner), scanned: 1, joined: 1, unchanged: 0 });
    expect(list[0]).toMatchObject({ scanned: 1, joined: 0, unchanged: 1 });
    const { changes: _, ...run } = (await cast.owner.get(`${path}/${runs[0]}`)).body as { changes: unknown };
    expect(list[0]).toEqual(run);
  });
});
