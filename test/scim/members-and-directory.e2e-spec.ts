import type { Response } from 'supertest';
import type { Role } from '../../src/organisations/members/role';
import type { Member } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { type Cast, createCast, createScimUser, idOf, join, unique } from '../support/factories';
import { codeOf } from '../support/faults';
import { createMembership, watchEvents } from '../support/organisations';
import type { OrganisationPath } from '../support/typed-paths';

/** The API for members of an organisation whose directory gives roles too. The SCIM side is set up by SQL. */
describe('Members in an organisation with a directory', () => {
  let test: TestApp;
  let cast: Cast;
  let members: OrganisationPath<'members'>;
  let events: ReturnType<typeof watchEvents>;

  beforeAll(async () => {
    test = await createTestApp();
  });

  beforeEach(async () => {
    cast = await createCast(test);
    members = `/v1/organisations/${cast.orgId}/members`;
    events = watchEvents(test.dataSource, cast.orgId);
    await events();
  });

  afterAll(() => test.close());

  const read = async (userId: string): Promise<Member> => (await cast.owner.get(`${members}/${userId}`)).body;
  const eventOf = (type: string, userId: string, before: Role | null, role: Role | null, reason = 'manual') => ({
    type,
    data: { org_id: cast.orgId, user_id: userId, role, role_before: before, reason },
  });
  const someone = (fields: Parameters<typeof createMembership>[2] = {}): Promise<string> =>
    createMembership(test.dataSource, cast.orgId, fields);

  /** Leaves one retained OWNER, the cast's, who is OWNER only by the retention. */
  async function retainTheOwner(fields: { manual?: Role; scim?: Role; suspended?: boolean }): Promise<string> {
    return someone({ userId: await idOf(cast.owner), ...fields, retained: true });
  }

  describe('a manual role beside a SCIM role', () => {
    it.each([
      ['MEMBER', 'ADMIN', 'ADMIN'],
      ['ADMIN', 'MEMBER', 'ADMIN'],
      ['MEMBER', 'MEMBER', 'MEMBER'],
      ['OWNER', 'ADMIN', 'OWNER'],
    ] as const)('%s by SCIM and %s by hand: %s is in force', async (scim, manual, role) => {
      const user_id = await someone({ scim });
      const added = (await cast.owner.patch(`${members}/${user_id}`, { role: manual })).body;
      expect(added).toMatchObject({ role, manual_role: manual, scim_role: scim });
      expect(await events()).toEqual(role === scim ? [] : [eventOf('member.role_changed', user_id, scim, role)]);

      await cast.owner.delete(`${members}/${user_id}`);
      expect(await read(user_id)).toMatchObject({ role: scim, manual_role: null, scim_role: scim });
      expect(await events()).toEqual(role === scim ? [] : [eventOf('member.role_changed', user_id, role, scim)]);
    });

    it('can be changed without changing the SCIM role', async () => {
      const userId = await someone({ manual: 'OWNER', scim: 'ADMIN' });
      const changed = (await cast.owner.patch(`${members}/${userId}`, { role: 'MEMBER' })).body;
      expect(changed).toMatchObject({ role: 'ADMIN', manual_role: 'MEMBER', scim_role: 'ADMIN' });
      expect(await events()).toEqual([eventOf('member.role_changed', userId, 'OWNER', 'ADMIN')]);
    });

    it('can be given by a change too', async () => {
      const userId = await someone({ scim: 'MEMBER' });
      const changed = (await cast.admin.patch(`${members}/${userId}`, { role: 'ADMIN' })).body;
      expect(changed).toMatchObject({ role: 'ADMIN', manual_role: 'ADMIN', scim_role: 'MEMBER' });
    });

    it('of an OWNER by SCIM can be neither given nor removed by an ADMIN', async () => {
      const owner = await someone({ scim: 'OWNER' });
      const both = await someone({ manual: 'MEMBER', scim: 'OWNER' });
      const hidden = await someone({ manual: 'OWNER', suspended: true });
      const refusals = [
        cast.admin.patch(`${members}/${owner}`, { role: 'MEMBER' }, 403),
        ...[both, hidden].map((userId) => cast.admin.patch(`${members}/${userId}`, { role: 'ADMIN' }, 403)),
        ...[owner, both, hidden].map((userId) => cast.admin.delete(`${members}/${userId}`, 403)),
      ];
      for (const refusal of refusals) expect(codeOf(await refusal)).toBe('insufficient_role');
    });
  });

  describe('with a SCIM role only', () => {
    it('cannot be removed, because the directory decides, but can leave', async () => {
      const ann = await test.as(unique('ann'));
      const userId = await someone({ userId: await idOf(ann), scim: 'ADMIN' });
      expect(codeOf(await cast.owner.delete(`${members}/${userId}`, 409))).toBe('member_conflict');
      expect(await read(userId)).toMatchObject({ role: 'ADMIN' });
      await ann.delete(`${members}/${userId}`);
      await cast.owner.get(`${members}/${userId}`, 404);
    });

    it('counts as an OWNER, so the last OWNER by hand can leave', async () => {
      const userId = await someone({ scim: 'OWNER' });
      await cast.owner.delete(`${members}/${await idOf(cast.owner)}`);
      const rows = await test.dataSource.query<object[]>(
        `SELECT user_id FROM memberships WHERE org_id = $1 AND role = 'OWNER'`,
        [cast.orgId],
      );
      expect(rows).toEqual([{ user_id: userId }]);
    });
  });

  describe('if deactivated or deleted in the directory', () => {
    it.each([
      ['deactivated', { active: false }],
      ['deleted', { deleted: true }],
    ])('cannot join while %s, by any invitation', async (_, fields) => {
      const ann = await test.as(unique('ann'));
      const userId = await idOf(ann);
      await createScimUser(test.dataSource, cast.orgId, { ...fields, userId });
      await expect(join(cast.owner, cast.orgId, ann)).rejects.toThrow('member_conflict');
      expect(codeOf(await cast.owner.get(`${members}/${userId}`, 404))).toBe('member_not_found');
    });

    it('can join another organisation', async () => {
      const ann = await test.as(unique('ann'));
      await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(ann), active: false });
      const other = await createCast(test);
      await join(other.owner, other.orgId, ann);
    });

    it('can join once the directory reactivates them', async () => {
      const ann = await test.as(unique('ann'));
      const userId = await idOf(ann);
      await createScimUser(test.dataSource, cast.orgId, { userId, deleted: true });
      await createScimUser(test.dataSource, cast.orgId, { userId });
      await join(cast.owner, cast.orgId, ann);
    });

    it('gets no access by a change of the manual role, and no event is emitted', async () => {
      const ann = await test.as(unique('ann'));
      const userId = await someone({ userId: await idOf(ann), manual: 'MEMBER', suspended: true });
      const changed = (await cast.owner.patch(`${members}/${userId}`, { role: 'OWNER' })).body;
      expect(changed).toMatchObject({ role: null, manual_role: 'OWNER' });
      await ann.get(`/v1/organisations/${cast.orgId}`, 404);
      const { email } = (await ann.get('/v1/users/me')).body;
      expect(codeOf(await cast.owner.post(members, { email, role: 'ADMIN' }, 409))).toBe('member_conflict');
      expect(codeOf(await cast.owner.delete(`${members}/${await idOf(cast.owner)}`, 409))).toBe('last_owner');
      expect(await events()).toEqual([]);
    });

    it('can be removed without an event, because there was no access', async () => {
      const userId = await someone({ manual: 'ADMIN', suspended: true });
      await cast.owner.delete(`${members}/${userId}`);
      await cast.owner.get(`${members}/${userId}`, 404);
      expect(await events()).toEqual([]);
    });
  });

  describe('retained as last OWNER', () => {
    it('stays OWNER after getting a lower manual role', async () => {
      const userId = await retainTheOwner({ scim: 'MEMBER' });
      const added = (await cast.owner.patch(`${members}/${userId}`, { role: 'ADMIN' })).body;
      expect(added).toMatchObject({ role: 'OWNER', manual_role: 'ADMIN', retained_last_owner: true });
      const changed = (await cast.owner.patch(`${members}/${userId}`, { role: 'MEMBER' })).body;
      expect(changed).toMatchObject({ role: 'OWNER', manual_role: 'MEMBER', retained_last_owner: true });
      expect(await events()).toEqual([]);
    });

    it('stays retained while suspended, even with the manual role OWNER', async () => {
      const userId = await retainTheOwner({ manual: 'ADMIN', suspended: true });
      const changed = (await cast.owner.patch(`${members}/${userId}`, { role: 'OWNER' })).body;
      expect(changed).toMatchObject({ role: 'OWNER', manual_role: 'OWNER', retained_last_owner: true });
    });

    it('is no longer retained once OWNER by hand', async () => {
      const userId = await retainTheOwner({ scim: 'MEMBER' });
      const added = (await cast.owner.patch(`${members}/${userId}`, { role: 'OWNER' })).body;
      expect(added).toMatchObject({ role: 'OWNER', manual_role: 'OWNER', retained_last_owner: false });
      expect(await events()).toEqual([]);
    });

    it('cannot be removed and cannot leave', async () => {
      for (const fields of [{ scim: 'MEMBER' }, { manual: 'OWNER', suspended: true }, {}] as const) {
        const userId = await retainTheOwner(fields);
        expect(codeOf(await cast.owner.delete(`${members}/${userId}`, 409))).toBe('last_owner');
        expect(await read(userId)).toMatchObject({ role: 'OWNER', retained_last_owner: true });
      }
    });

    it('cannot be changed by an ADMIN', async () => {
      const userId = await retainTheOwner({ scim: 'MEMBER' });
      await cast.admin.patch(`${members}/${userId}`, { role: 'MEMBER' }, 403);
      await cast.admin.delete(`${members}/${userId}`, 403);
    });

    it.each([
      ['keeps the SCIM role', { scim: 'MEMBER' }, { role: 'MEMBER', scim_role: 'MEMBER' }],
      ['keeps the manual role', { manual: 'ADMIN' }, { role: 'ADMIN', manual_role: 'ADMIN' }],
      ['is suspended', { manual: 'OWNER', suspended: true }, { role: null, manual_role: 'OWNER' }],
    ] as const)('is released by a new OWNER and %s', async (_, fields, left) => {
      const userId = await retainTheOwner(fields);
      const heir = await idOf(cast.admin);
      await cast.owner.patch(`${members}/${heir}`, { role: 'OWNER' });
      const { body } = await cast.admin.get(`${members}/${userId}`);
      expect(body).toMatchObject({ ...left, retained_last_owner: false });
      expect(await events()).toEqual([
        eventOf('member.role_changed', heir, 'ADMIN', 'OWNER'),
        eventOf(
          left.role === null ? 'member.removed' : 'member.role_changed',
          userId,
          'OWNER',
          left.role,
          'released_last_owner',
        ),
      ]);
    });

    it('is not released by an OWNER that cannot sign in', async () => {
      const userId = await retainTheOwner({});
      const nobody = await someone({ scim: 'MEMBER' });
      await test.dataSource.query(`UPDATE users SET email = NULL WHERE id = $1`, [nobody]);
      await cast.owner.patch(`${members}/${nobody}`, { role: 'OWNER' });
      expect(await read(userId)).toMatchObject({ role: 'OWNER', retained_last_owner: true });
    });

    it('is released by a new OWNER, and removed if they have no other role', async () => {
      const userId = await retainTheOwner({});
      const heir = await join(cast.owner, cast.orgId, cast.outsider, 'OWNER');
      await cast.outsider.get(`${members}/${userId}`, 404);
      expect((await events()).filter(({ type }) => type !== 'member.invited')).toEqual([
        eventOf('member.added', heir, null, 'OWNER', 'accepted_invitation'),
        eventOf('member.removed', userId, 'OWNER', null, 'released_last_owner'),
      ]);
    });
  });

  it('are changed with the caller’s rights at the time of the change, not of the request', async () => {
    const [admin, email] = [await idOf(cast.admin), `${unique('new')}@example.com`];
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    let answer: Promise<Response>;
    try {
      await runner.query(`SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [cast.orgId]);
      answer = cast.admin.call('post', members, undefined, { email, role: 'ADMIN' });
      await eventually(
        () =>
          test.dataSource.query<object[]>(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        (waiting) => waiting.length > 0,
        10_000,
      );
      await runner.query(`UPDATE memberships SET manual_role = 'MEMBER', role = 'MEMBER' WHERE user_id = $1`, [admin]);
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
    expect(codeOf(await answer)).toBe('insufficient_role');
  });
});
