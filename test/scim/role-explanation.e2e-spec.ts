import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { Api } from '../support/api';
import type { RoleExplanation } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import {
  type Cast,
  createCast,
  createRoleMapping,
  createScimGroup,
  createScimUser,
  idOf,
  unique,
} from '../support/factories';
import { codeOf } from '../support/faults';
import { createMembership, syncOf } from '../support/organisations';
import { statementsOf } from '../support/statements';

const instant = expect.stringMatching(/^\d{4}-.*Z$/) as string;

describe('The explanation of a role', () => {
  let test: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  beforeEach(async () => {
    cast = await createCast(test);
  });

  afterAll(() => test.close());

  const sql = <T>(text: string, ...parameters: unknown[]): Promise<T[]> => test.dataSource.query<T[]>(text, parameters);
  const pathOf = (userId: string) => `/v1/organisations/${cast.orgId}/members/${userId}/role-explanation` as const;
  const explain = async (userId: string, by: Api = cast.admin): Promise<RoleExplanation> =>
    (await by.get(pathOf(userId))).body;
  const sync = () => syncOf(cast.owner, cast.orgId);
  const provision = (fields: { userId?: string; active?: boolean; deleted?: boolean } = {}) =>
    createScimUser(test.dataSource, cast.orgId, fields);
  const settings = (assignment: string) => sql(`UPDATE scim_settings SET ${assignment} WHERE org_id = $1`, cast.orgId);
  const map = (groupId: string, role: Role) => createRoleMapping(test.dataSource, cast.orgId, groupId, role);
  const group = async (name: string, ...members: string[]): Promise<string> => {
    const id = await createScimGroup(test.dataSource, cast.orgId, members);
    await sql(`UPDATE scim_groups SET display_name = $2 WHERE id = $1`, id, name);
    return id;
  };

  it('names the group, the mapping and since when, all other mapped groups, and what would be without', async () => {
    const ada = await provision();
    await sql(`UPDATE users SET name = 'Ada' WHERE id = $1`, ada.userId);
    const [platform, staff, plain] = [
      await group('Platform', ada.id),
      await group('Staff', ada.id),
      await group('Plain', ada.id),
    ];
    const founders = await group('Founders', ada.id);
    const [admin, member, owner] = [
      await map(platform, 'ADMIN'),
      await map(staff, 'MEMBER'),
      await map(founders, 'OWNER'),
    ];
    await sql(`UPDATE scim_role_mappings SET updated_at = '2026-03-01T10:00:00Z' WHERE id = $1`, admin);
    await sql(`UPDATE scim_group_members SET created_at = '2026-04-02T10:00:00Z' WHERE group_id = $1`, platform);
    const before = Date.now();
    await sync();
    const body = (await cast.owner.get(pathOf(ada.userId))).body;
    expect(body).toEqual({
      user_id: ada.userId,
      email: `${ada.userId}@example.com`,
      name: 'Ada',
      account_state: 'WAITING',
      account_detail: expect.stringContaining('GET /v1/users/me') as string,
      role: 'ADMIN',
      role_since: instant,
      reason: 'mapping',
      summary:
        'ADMIN: the person has been in the group "Platform" since 2026-04-02, and the group has been mapped to ADMIN since 2026-03-01.',
      is_up_to_date: true,
      is_member: true,
      manual_role: null,
      scim_role: 'ADMIN',
      suspended: false,
      retained_last_owner: false,
      directory_user: { id: ada.id, user_name: `${ada.id}@example.com`, active: true, deleted_at: null },
      mapping: {
        id: admin,
        group_id: platform,
        group_name: 'Platform',
        role: 'ADMIN',
        since: '2026-03-01T10:00:00.000Z',
        member_since: '2026-04-02T10:00:00.000Z',
      },
      mapped_groups: [
        {
          group_id: founders,
          group_name: 'Founders',
          mapping_id: owner,
          role: 'OWNER',
          counts: false,
          member_since: instant,
        },
        {
          group_id: platform,
          group_name: 'Platform',
          mapping_id: admin,
          role: 'ADMIN',
          counts: true,
          member_since: '2026-04-02T10:00:00.000Z',
        },
        {
          group_id: staff,
          group_name: 'Staff',
          mapping_id: member,
          role: 'MEMBER',
          counts: true,
          member_since: instant,
        },
      ],
      without_mapping: { role: 'MEMBER', reason: 'mapping', mapping_id: member },
    });
    expect(JSON.stringify(body)).not.toContain(plain);
    expect(Date.parse(String(body.role_since))).toBeGreaterThanOrEqual(before);
    // What was said comes true.
    await cast.owner.delete(`/v1/organisations/${cast.orgId}/scim/role-mappings/${admin}`);
    expect(await explain(ada.userId)).toMatchObject({ role: 'MEMBER', reason: 'mapping', mapping: { id: member } });
  });

  it('does not guess since when a role is in force that is older than the audit log', async () => {
    const fields = { manual: 'ADMIN', createdAt: '2020-01-02T03:04:05Z' } as const;
    const userId = await createMembership(test.dataSource, cast.orgId, fields);
    expect(await explain(userId)).toMatchObject({ role: 'ADMIN', role_since: null });
  });

  it('gives a manual role its due', async () => {
    const userId = await createMembership(test.dataSource, cast.orgId, {
      manual: 'ADMIN',
      createdAt: '2026-01-02T03:04:05Z',
    });
    expect(await explain(userId)).toMatchObject({
      role: 'ADMIN',
      role_since: '2026-01-02T03:04:05.000Z',
      reason: 'manual',
      summary: 'ADMIN, assigned manually; the person is not in the directory.',
      is_member: true,
      manual_role: 'ADMIN',
      scim_role: null,
      directory_user: null,
      mapping: null,
      mapped_groups: [],
      without_mapping: null,
    });
    const { id } = await provision({ userId });
    const mappingId = await map(await group('Staff', id), 'MEMBER');
    await sync();
    expect(await explain(userId)).toMatchObject({
      role: 'ADMIN',
      // Another role beneath is no other role in force.
      role_since: '2026-01-02T03:04:05.000Z',
      reason: 'manual',
      summary: 'ADMIN, assigned manually; the directory gives MEMBER.',
      scim_role: 'MEMBER',
      mapping: null,
      mapped_groups: [{ mapping_id: mappingId, role: 'MEMBER', counts: true }],
      without_mapping: null,
    });
  });

  it('says why somebody has no access, member or not', async () => {
    await settings('default_role = NULL');
    const [idle, off, gone, manual] = [
      await provision(),
      await provision({ active: false }),
      await provision({ deleted: true }),
      await provision({ active: false }),
    ];
    await createMembership(test.dataSource, cast.orgId, { userId: manual.userId, manual: 'ADMIN' });
    const mapped = await group('Platform', off.id, manual.id);
    await map(mapped, 'ADMIN');
    await sync();
    const none = { role: null, role_since: null, is_up_to_date: true, mapping: null, without_mapping: null };
    expect(await explain(idle.userId)).toMatchObject({ ...none, reason: 'no_default_role', is_member: false });
    expect(await explain(off.userId)).toMatchObject({
      ...none,
      reason: 'deactivated',
      is_member: false,
      directory_user: { active: false, deleted_at: null },
      mapped_groups: [{ group_id: mapped, role: 'ADMIN', counts: false }],
    });
    expect(await explain(gone.userId)).toMatchObject({
      ...none,
      reason: 'deleted',
      is_member: false,
      directory_user: { id: gone.id, deleted_at: instant },
    });
    expect(await explain(manual.userId)).toMatchObject({
      ...none,
      role_since: instant,
      reason: 'deactivated',
      summary: 'No access: the person is deactivated in the directory, which also suspends the manual role ADMIN.',
      is_member: true,
      manual_role: 'ADMIN',
      suspended: true,
    });
  });

  it('remembers since when somebody has no access any more', async () => {
    const { id, userId } = await provision();
    await sync();
    const joined = await explain(userId);
    await sql(`UPDATE scim_users SET active = false WHERE id = $1`, id);
    await sync();
    const left = await explain(userId);
    expect(left).toMatchObject({ role: null, is_member: false, reason: 'deactivated' });
    expect(String(left.role_since) > String(joined.role_since)).toBe(true);
  });

  it('takes the living entry of somebody who was deleted and came back', async () => {
    const former = await provision({ deleted: true });
    await map(await group('Old', former.id), 'OWNER');
    const back = await provision({ userId: former.userId });
    await sync();
    expect(await explain(former.userId)).toMatchObject({
      role: 'MEMBER',
      reason: 'default_role',
      directory_user: { id: back.id, deleted_at: null },
      mapped_groups: [],
    });
  });

  it('tells of an OWNER who is only kept, and until when', async () => {
    const { userId } = await provision({ userId: await idOf(cast.owner), active: false });
    await sync();
    expect(await explain(userId)).toMatchObject({
      role: 'OWNER',
      reason: 'last_owner',
      retained_last_owner: true,
      suspended: true,
      is_up_to_date: true,
      mapping: null,
    });
  });

  it('minds the rule of the last OWNER when it says what would be without the mapping', async () => {
    await settings('allow_owner_mapping = true');
    const heir = await test.as(unique('heir'));
    const { id, userId } = await provision({ userId: await idOf(heir) });
    const mappingId = await map(await group('Founders', id), 'OWNER');
    await sync();
    expect(await explain(userId)).toMatchObject({
      role: 'OWNER',
      reason: 'mapping',
      without_mapping: { role: 'MEMBER', reason: 'default_role', mapping_id: null },
    });
    await cast.owner.delete(`/v1/organisations/${cast.orgId}/members/${await idOf(cast.owner)}`);
    const kept = { role: 'OWNER', reason: 'last_owner', mapping_id: null };
    expect(await explain(userId)).toMatchObject({ without_mapping: kept });
    await heir.delete(`/v1/organisations/${cast.orgId}/scim/role-mappings/${mappingId}`);
    expect(await explain(userId)).toMatchObject({ role: 'OWNER', reason: 'last_owner', without_mapping: null });
  });

  it('sees that something was changed past the service', async () => {
    const { id, userId } = await provision();
    expect(await explain(userId)).toMatchObject({ role: null, reason: 'default_role', is_up_to_date: false });
    await sync();
    expect(await explain(userId)).toMatchObject({ role: 'MEMBER', is_up_to_date: true });
    await sql(`UPDATE scim_users SET active = false WHERE id = $1`, id);
    expect(await explain(userId)).toMatchObject({
      role: 'MEMBER',
      is_up_to_date: false,
      summary: 'MEMBER: the person is deactivated in the directory. The next sync changes that.',
    });
  });

  it('finds nobody who is neither a member nor in the directory of this organisation', async () => {
    const other = await createCast(test);
    const foreign = await createScimUser(test.dataSource, other.orgId);
    const everybody = [newId(), foreign.userId, await idOf(other.owner), await idOf(await test.as(unique('nobody')))];
    for (const userId of everybody) {
      const answer = await cast.owner.get(pathOf(userId), 404);
      expect(answer.body).toEqual({ detail: `Member ${userId} was not found.`, code: 'member_not_found' });
    }
  });

  it('shows nothing of another organisation in which the same person is', async () => {
    const other = await createCast(test);
    const { id, userId } = await createScimUser(test.dataSource, other.orgId);
    await createRoleMapping(
      test.dataSource,
      other.orgId,
      await createScimGroup(test.dataSource, other.orgId, [id]),
      'ADMIN',
    );
    await syncOf(other.owner, other.orgId);
    await createMembership(test.dataSource, cast.orgId, { userId, manual: 'MEMBER' });
    expect(await explain(userId)).toMatchObject({
      role: 'MEMBER',
      reason: 'manual',
      directory_user: null,
      mapped_groups: [],
      mapping: null,
    });
  });

  it('is for ADMINs and OWNERs, of themselves too', async () => {
    const self = await idOf(cast.member);
    expect(codeOf(await cast.member.get(pathOf(self), 403))).toBe('insufficient_role');
    expect(codeOf(await cast.outsider.get(pathOf(self), 404))).toBe('organisation_not_found');
    const answer = await cast.admin.get(pathOf(await idOf(cast.admin)));
    expect(answer.body).toMatchObject({ role: 'ADMIN', reason: 'manual' });
    const refused = await cast.admin.get(pathOf('me'), 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['path', 'user_id'], type: 'uuid_parsing' }] });
  });

  it('takes the same number of statements for one group and for many', async () => {
    const { id, userId } = await provision();
    await map(await group('One', id), 'ADMIN');
    await sync();
    const count = async () => (await statementsOf(test, () => explain(userId))).length;
    const few = await count();
    for (let n = 0; n < 12; n++) await map(await group(`Group ${n}`, id), n % 2 ? 'MEMBER' : 'ADMIN');
    expect(await count()).toBe(few);
  });
});
