import { newId } from '../../src/database/id';
import type { Answer, Api } from '../support/api';
import type { SyncPreview, SyncProposal } from '../support/api-types';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { type Cast, createCast, createRoleMapping, createScimGroup, createScimUser, idOf } from '../support/factories';
import { codeOf, faultsOf } from '../support/faults';
import { storedMemberships, syncOf } from '../support/organisations';
import { allPages, nextPage } from '../support/pages';
import type { OrganisationPath, Query } from '../support/typed-paths';

describe('POST /v1/organisations/{org_id}/scim/sync/preview', () => {
  let test: TestApp;
  let cast: Cast;
  let scim: OrganisationPath<'scim'>;

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
  const preview = async (body?: SyncProposal, query: Query = '', api: Api = cast.admin): Promise<SyncPreview> =>
    (await api.post(`${scim}/sync/preview${query}`, body, 200)).body;
  const refusal = async (body: object, status: 404 | 409): Promise<string> => {
    const refused = await cast.owner.call<'post', `${typeof scim}/sync/preview`, 404 | 409>(
      'post',
      `${scim}/sync/preview`,
      status,
      body,
    );
    return refused.body.code;
  };

  it('shows what the sync would do, and changes nothing', async () => {
    const groupId = await createScimGroup(test.dataSource, cast.orgId);
    const mappingId = await createRoleMapping(test.dataSource, cast.orgId, groupId, 'ADMIN');
    const [lead] = await provision(1, groupId);
    await provision(1);
    const { dataSource } = test;
    await dataSource.query(`UPDATE scim_groups SET display_name = 'Leads' WHERE id = $1`, [groupId]);
    await dataSource.query(`UPDATE users SET name = 'L.', email = 'l@home.example' WHERE id = $1`, [lead]);
    await dataSource.query(
      `UPDATE scim_users SET display_name = 'Lea Lead', attributes = '{"emails": [{"value": "lea@acme.example"}]}'
       WHERE user_id = $1`,
      [lead],
    );
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
      name: 'Lea Lead',
      email: 'lea@acme.example',
      change: 'joined',
      role_before: null,
      role_after: 'ADMIN',
      reason: 'mapping',
      mapping_id: mappingId,
      group_id: groupId,
      group_name: 'Leads',
    });
    // The account, with its own name and address, is known from now on.
    const own = { name: 'L.', email: 'l@home.example' };
    expect((await syncOf(cast.owner, cast.orgId)).changes).toEqual(
      foretold.changes.map((change) =>
        change.user_id === lead ? { ...change, ...own } : { ...change, email: `${change.user_id}@example.com` },
      ),
    );
    expect(await preview({})).toMatchObject({ scanned: 2, unchanged: 2, changes: [] });
  });

  it('folds letters of group names as the database does', async () => {
    await cast.owner.post(`${scim}/role-mappings`, { group_name: 'ΟΔΟΣ', role: 'MEMBER' });
    const create = [{ group_name: 'οδοσ', role: 'ADMIN' }];
    expect(await refusal({ role_mappings: { create } }, 409)).toBe('role_mapping_conflict');
    expect(codeOf(await cast.owner.post(`${scim}/role-mappings`, { group_name: 'οδοσ', role: 'ADMIN' }, 409))).toBe(
      'role_mapping_conflict',
    );
  });

  it('shows the effect of proposed settings and mappings, which stay as they are', async () => {
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
    expect(created.changes).toMatchObject([
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
    // None of it was applied.
    expect(await preview()).toMatchObject({ unchanged: 2, changes: [] });
  });

  it('finds a group by name, ignoring case, and treats an unknown name as waiting', async () => {
    const groupId = await createScimGroup(test.dataSource, cast.orgId);
    await test.dataSource.query(`UPDATE scim_groups SET display_name = 'Platform Engineers' WHERE id = $1`, [groupId]);
    const [person] = await provision(1, groupId);
    const create = (group_name: string): SyncProposal => ({
      role_mappings: { create: [{ group_name, role: 'ADMIN' }] },
    });
    expect((await preview(create('platform engineers'))).changes).toMatchObject([
      { user_id: person, role_after: 'ADMIN', group_id: groupId },
    ]);
    expect((await preview(create('Choir'))).changes).toMatchObject([{ role_after: 'MEMBER', reason: 'default_role' }]);
  });

  it.each<[string, string, string | undefined]>([
    ['an empty name', '', 'string_too_short'],
    ['trailing white space', 'Sales ', 'value_error'],
    ['leading white space', '\tSales', 'value_error'],
    ['a no-break space', 'Sales\u00a0', 'value_error'],
    ['a trailing line break', 'Sales\n', 'value_error'],
    ['only white space', ' ', 'value_error'],
    ['a name that is too long', 'x'.repeat(513), 'string_too_long'],
    ['a name of the maximum length', '\u{1F6E0}'.repeat(512), undefined],
    ['white space within', 'Platform \n engineers', undefined],
    ['one letter', 'x', undefined],
  ])('validates group names like role mappings do: %s', async (_, group_name, fault) => {
    const mapping = { group_name, role: 'ADMIN' };
    const proposal = { role_mappings: { create: [mapping] } };
    if (fault === undefined) {
      await cast.owner.call('post', `${scim}/sync/preview`, 200, proposal);
      await cast.owner.call('post', `${scim}/role-mappings`, 201, mapping);
    } else {
      const foretold = await cast.owner.call('post', `${scim}/sync/preview`, 422, proposal);
      const refused = await cast.owner.call('post', `${scim}/role-mappings`, 422, mapping);
      expect(faultsOf(refused)).toEqual([`body.group_name ${fault}`]);
      expect(faultsOf(foretold)).toEqual([`body.role_mappings.create.0.group_name ${fault}`]);
    }
  });

  it('shows whether the sync would be refused or would need confirmation', async () => {
    const ownerId = await idOf(cast.owner);
    await createScimUser(test.dataSource, cast.orgId, { userId: ownerId, active: false });
    const retain = await preview();
    expect(retain).toMatchObject({ retained: 1, would_be_refused: false, needs_confirmation: false });
    expect(retain.changes).toMatchObject([{ user_id: ownerId, change: 'retained', reason: 'last_owner' }]);
    const body: SyncProposal = { settings: { last_owner_policy: 'refuse' } };
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

  it('is paged by sending the same body again', async () => {
    const people = await provision(7);
    const body: SyncProposal = { settings: { default_role: 'ADMIN' }, role_mappings: { delete: [] } };
    const path = `${scim}/sync/preview?limit=3` as const;
    const seen: string[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const page: Answer<SyncPreview> = await cast.admin.post(next as typeof path, body, 200);
      const { changes, joined } = page.body;
      expect(joined).toBe(7);
      seen.push(...changes.map(({ user_id }) => user_id));
      next = nextPage(page);
    }
    expect(seen).toEqual(people);

    const next = nextPage(await cast.admin.post(path, body, 200)) as typeof path;
    // A body with its fields in another order is the same.
    await cast.admin.post(next, { role_mappings: { delete: [] }, settings: { default_role: 'ADMIN' } }, 200);
    for (const other of [undefined, {}, { ...body, settings: { default_role: null } }, { settings: body.settings }]) {
      expect(faultsOf(await cast.admin.post(next, other, 422))).toEqual(['body value_error']);
    }
    const unset = nextPage(await cast.admin.post(path, { settings: {} }, 200)) as typeof path;
    expect(faultsOf(await cast.admin.post(unset, { settings: { default_role: null } }, 422))).toHaveLength(1);
    const elsewhere = await createCast(test);
    const cursor = new URL(next, PUBLIC_URL).searchParams.get('cursor') ?? '';
    const foreign = `/v1/organisations/${elsewhere.orgId}/scim/sync/preview?cursor=${cursor}` as const;
    expect(faultsOf(await elsewhere.owner.post(foreign, body, 422))).toEqual(['query.cursor value_error']);
  });

  it('rejects proposals that would be refused as changes', async () => {
    const [mapped, free] = [
      await createScimGroup(test.dataSource, cast.orgId),
      await createScimGroup(test.dataSource, cast.orgId),
    ];
    const mappingId = await createRoleMapping(test.dataSource, cast.orgId, mapped, 'MEMBER');
    const other = await createCast(test);
    const foreignGroup = await createScimGroup(test.dataSource, other.orgId);
    const foreignMapping = await createRoleMapping(test.dataSource, other.orgId, foreignGroup, 'MEMBER');
    const mappings = (role_mappings: object, status: 404 | 409) => refusal({ role_mappings }, status);

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

    const toOwner = { update: [{ id: mappingId, role: 'OWNER' as const }] };
    expect(await mappings(toOwner, 409)).toBe('role_mapping_conflict');
    expect(await mappings({ create: [{ group_id: free, role: 'OWNER' }] }, 409)).toBe('role_mapping_conflict');
    await preview({ role_mappings: toOwner, settings: { allow_owner_mapping: true } });
  });

  it.each<[string, object, string]>([
    ['a list instead of an object', [], 'body dict_type'],
    ['an unknown field', { setting: {} }, 'body.setting extra_forbidden'],
    ['an unknown setting', { settings: { role: 'ADMIN' } }, 'body.settings.role extra_forbidden'],
    ['OWNER as the default role', { settings: { default_role: 'OWNER' } }, 'body.settings.default_role enum'],
    ['an unknown list', { role_mappings: { replace: [] } }, 'body.role_mappings.replace extra_forbidden'],
    ['a string instead of a list', { role_mappings: { delete: 'all' } }, 'body.role_mappings.delete list_type'],
    ['no id', { role_mappings: { delete: ['all'] } }, 'body.role_mappings.delete.0 uuid_parsing'],
    [
      'no role',
      { role_mappings: { update: [{ id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10' }] } },
      'body.role_mappings.update.0.role missing',
    ],
    ['no group', { role_mappings: { create: [{ role: 'ADMIN' }] } }, 'body.role_mappings.create.0.group_id missing'],
    [
      'a group twice',
      {
        role_mappings: {
          create: [{ group_id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10', group_name: 'Choir', role: 'ADMIN' }],
        },
      },
      'body.role_mappings.create.0.group_id value_error',
    ],
  ])('rejects a body with %s', async (_, body, fault) => {
    expect(faultsOf(await cast.owner.post(`${scim}/sync/preview`, body, 422))).toEqual([fault]);
  });
});

describe('GET /v1/organisations/{org_id}/scim/sync-runs', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  it('lists the requested runs, newest first', async () => {
    const [cast, other] = [await createCast(test), await createCast(test)];
    const path = `/v1/organisations/${cast.orgId}/scim/sync-runs` as const;
    expect(await allPages(cast.admin, path)).toEqual([]);
    await createScimUser(test.dataSource, cast.orgId);
    const runs: string[] = [];
    for (let n = 0; n < 5; n++) {
      runs.unshift((await syncOf(n % 2 === 0 ? cast.owner : cast.admin, cast.orgId)).id);
      await syncOf(other.owner, other.orgId);
    }
    const list = await allPages(cast.admin, `${path}?limit=2`);
    expect(list.map(({ id }) => id)).toEqual(runs);
    expect(list.at(-1)).toMatchObject({ started_by: await idOf(cast.owner), scanned: 1, joined: 1, unchanged: 0 });
    expect(list[0]).toMatchObject({ scanned: 1, joined: 0, unchanged: 1 });
    const { changes: _, ...run } = (await cast.owner.get(`${path}/${runs[0]}`)).body;
    expect(list[0]).toEqual(run);
  });
});
