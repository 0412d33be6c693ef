import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { Member } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, idOf } from '../support/factories';
import { codeOf } from '../support/faults';
import { createMembership, watchEvents } from '../support/organisations';
import { allPages } from '../support/pages';
import type { OrganisationPath } from '../support/typed-paths';

describe('Members of an organisation', () => {
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
  const eventOf = (type: string, userId: string, roleBefore: Role | null, role: Role | null) => ({
    type,
    data: { org_id: cast.orgId, user_id: userId, role, role_before: roleBefore, reason: 'manual' },
  });

  describe('changing a member', () => {
    it('sets the manual role, with an event', async () => {
      const user_id = await idOf(cast.member);
      const { body } = await cast.owner.patch(`${members}/${user_id}`, { role: 'OWNER' });
      expect(body).toMatchObject({ user_id, role: 'OWNER', manual_role: 'OWNER' });
      expect(await read(user_id)).toEqual(body);
      expect(await events()).toEqual([eventOf('member.role_changed', user_id, 'MEMBER', 'OWNER')]);
    });

    it('to the same role writes and emits nothing', async () => {
      const user_id = await idOf(cast.member);
      const stored = () =>
        test.dataSource.query<object[]>(`SELECT ctid::text, * FROM memberships WHERE user_id = $1`, [user_id]);
      const before = await stored();
      await cast.owner.patch(`${members}/${user_id}`, { role: 'MEMBER' });
      expect(await stored()).toEqual(before);
      expect(await events()).toEqual([]);
    });

    it('as an ADMIN can neither give OWNER nor touch an OWNER', async () => {
      const [owner, admin, member] = await Promise.all([cast.owner, cast.admin, cast.member].map(idOf));
      for (const [userId, role] of [
        [owner, 'ADMIN'],
        [owner, 'OWNER'],
        [member, 'OWNER'],
        [admin, 'OWNER'],
      ]) {
        expect(codeOf(await cast.admin.patch(`${members}/${userId}`, { role }, 403))).toBe('insufficient_role');
      }
      expect((await cast.admin.patch(`${members}/${member}`, { role: 'ADMIN' })).body).toMatchObject({ role: 'ADMIN' });
      expect((await cast.admin.patch(`${members}/${admin}`, { role: 'MEMBER' })).body).toMatchObject({
        role: 'MEMBER',
      });
      await cast.admin.patch(`${members}/${member}`, { role: 'MEMBER' }, 403);
    });

    it('is not allowed to a MEMBER or an outsider', async () => {
      const userId = await idOf(cast.member);
      expect(codeOf(await cast.member.patch(`${members}/${userId}`, { role: 'ADMIN' }, 403))).toBe('insufficient_role');
      expect(codeOf(await cast.outsider.patch(`${members}/${userId}`, { role: 'ADMIN' }, 404))).toBe(
        'organisation_not_found',
      );
    });
  });

  describe('removing a member', () => {
    it('ends the membership at once, with an event', async () => {
      const userId = await idOf(cast.member);
      await cast.admin.delete(`${members}/${userId}`);
      expect(codeOf(await cast.owner.get(`${members}/${userId}`, 404))).toBe('member_not_found');
      await cast.member.get(`/v1/organisations/${cast.orgId}`, 404);
      expect(await events()).toEqual([eventOf('member.removed', userId, 'MEMBER', null)]);
      expect(codeOf(await cast.owner.delete(`${members}/${userId}`, 404))).toBe('member_not_found');
    });

    it('is not allowed to a MEMBER, but everyone can leave', async () => {
      const [owner, admin, member] = await Promise.all([cast.owner, cast.admin, cast.member].map(idOf));
      expect(codeOf(await cast.member.delete(`${members}/${admin}`, 403))).toBe('insufficient_role');
      expect(codeOf(await cast.member.delete(`${members}/${newId()}`, 404))).toBe('member_not_found');
      expect(codeOf(await cast.admin.delete(`${members}/${owner}`, 403))).toBe('insufficient_role');
      await cast.member.delete(`${members}/${member?.toUpperCase()}`);
      await cast.admin.delete(`${members}/${admin}`);
      expect(codeOf(await cast.outsider.delete(`${members}/${owner}`, 404))).toBe('organisation_not_found');
    });
  });

  describe('the last OWNER', () => {
    it('cannot be changed or removed, and cannot leave', async () => {
      const owner = await idOf(cast.owner);
      for (const role of ['ADMIN', 'MEMBER']) {
        expect(codeOf(await cast.owner.patch(`${members}/${owner}`, { role }, 409))).toBe('last_owner');
      }
      expect(codeOf(await cast.owner.delete(`${members}/${owner}`, 409))).toBe('last_owner');
      expect(await read(owner)).toMatchObject({ role: 'OWNER' });
      expect(await events()).toEqual([]);
    });

    it('can leave once there is another', async () => {
      const [owner, admin] = await Promise.all([cast.owner, cast.admin].map(idOf));
      await cast.owner.patch(`${members}/${admin}`, { role: 'OWNER' });
      await cast.owner.delete(`${members}/${owner}`);
      expect(codeOf(await cast.admin.delete(`${members}/${admin}`, 409))).toBe('last_owner');
    });

    it('is still the last if the other OWNER is suspended', async () => {
      await createMembership(test.dataSource, cast.orgId, { manual: 'OWNER', suspended: true });
      const owner = await idOf(cast.owner);
      expect(codeOf(await cast.owner.delete(`${members}/${owner}`, 409))).toBe('last_owner');
    });

    it('is still the last if nobody can sign in as the other OWNER', async () => {
      const other = await createMembership(test.dataSource, cast.orgId, { manual: 'OWNER' });
      await test.dataSource.query(`UPDATE users SET email = NULL WHERE id = $1`, [other]);
      const owner = await idOf(cast.owner);
      expect(codeOf(await cast.owner.delete(`${members}/${owner}`, 409))).toBe('last_owner');
      expect(codeOf(await cast.owner.patch(`${members}/${owner}`, { role: 'ADMIN' }, 409))).toBe('last_owner');
    });

    it('always remains when two OWNERs repeatedly demote each other', async () => {
      const [owner, admin] = await Promise.all([cast.owner, cast.admin].map(idOf));
      await cast.owner.patch(`${members}/${admin}`, { role: 'OWNER' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, turn) =>
          turn % 2 === 0
            ? cast.owner.call('patch', `${members}/${admin}`, undefined, { role: 'MEMBER' })
            : cast.admin.call('patch', `${members}/${owner}`, undefined, { role: 'MEMBER' }),
        ),
      );
      // The first one wins; the other has lost the right to demote with the role.
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
      const owners = await test.dataSource.query<object[]>(
        `SELECT user_id FROM memberships WHERE org_id = $1 AND role = 'OWNER'`,
        [cast.orgId],
      );
      expect(owners).toHaveLength(1);
      expect(await events()).toHaveLength(2);
    });

    it('always remains when two OWNERs leave at the same moment', async () => {
      const [owner, admin] = await Promise.all([cast.owner, cast.admin].map(idOf));
      await cast.owner.patch(`${members}/${admin}`, { role: 'OWNER' });
      const answers = await Promise.all([
        cast.owner.call('delete', `${members}/${owner}`, undefined),
        cast.admin.call('delete', `${members}/${admin}`, undefined),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    });
  });

  describe('listing the members', () => {
    it('returns every member exactly once over all pages, to every member', async () => {
      const everybody = await Promise.all([cast.owner, cast.admin, cast.member].map(idOf));
      for (let n = 0; n < 8; n++)
        everybody.push(await createMembership(test.dataSource, cast.orgId, { scim: 'MEMBER' }));
      const listed = await allPages(cast.member, `${members}?limit=3`);
      expect(listed.map(({ user_id }) => user_id)).toEqual([...everybody].sort());
      expect(listed[0]).toMatchObject(await read(listed[0]?.user_id ?? ''));
    });

    it('can be filtered by role in force, which the cursor carries', async () => {
      const owner = await idOf(cast.owner);
      const admins = [await idOf(cast.admin)];
      for (const fields of [{ scim: 'ADMIN' }, { manual: 'MEMBER', scim: 'ADMIN' }, { manual: 'ADMIN' }] as const) {
        admins.push(await createMembership(test.dataSource, cast.orgId, fields));
      }
      await createMembership(test.dataSource, cast.orgId, { manual: 'ADMIN', suspended: true });
      const listed = await allPages(cast.owner, `${members}?limit=2&role=ADMIN`);
      expect(listed.map(({ user_id }) => user_id)).toEqual([...admins].sort());
      expect((await cast.owner.get(`${members}?role=OWNER`)).body).toMatchObject([{ user_id: owner }]);
      await cast.owner.get(`${members}?role=KING`, 422);
    });

    it('shows a member whom the directory has deactivated without a role in force', async () => {
      const userId = await createMembership(test.dataSource, cast.orgId, { manual: 'ADMIN', suspended: true });
      expect(await read(userId)).toMatchObject({ role: null, manual_role: 'ADMIN', scim_role: null });
    });
  });

  describe('of another organisation', () => {
    it('are not found, whatever role the caller has elsewhere', async () => {
      const other = await createCast(test);
      const theirs = `/v1/organisations/${other.orgId}/members` as const;
      const userId = await idOf(other.member);
      for (const path of [theirs, `${theirs}/${userId}`]) {
        expect(codeOf(await cast.owner.get(path, 404))).toBe('organisation_not_found');
      }
      expect(codeOf(await cast.owner.patch(`${theirs}/${userId}`, { role: 'ADMIN' }, 404))).toBe(
        'organisation_not_found',
      );
      expect(codeOf(await cast.owner.delete(`${theirs}/${userId}`, 404))).toBe('organisation_not_found');
      expect(codeOf(await cast.owner.get(`${members}/${userId}`, 404))).toBe('member_not_found');
      expect(codeOf(await cast.owner.patch(`${members}/${userId}`, { role: 'ADMIN' }, 404))).toBe('member_not_found');
      expect(codeOf(await cast.owner.delete(`${members}/${userId}`, 404))).toBe('member_not_found');
      expect((await other.owner.get(`${theirs}/${userId}`)).body).toMatchObject({ role: 'MEMBER' });
    });

    it('cannot be listed with a cursor of this organisation', async () => {
      const other = await createCast(test);
      const { headers } = await cast.owner.get(`${members}?limit=1`);
      const cursor = /cursor=([^>&]+)/.exec(headers.link as string)?.[1];
      const path = `/v1/organisations/${other.orgId}/members?cursor=${cursor}` as const;
      expect((await other.owner.get(path, 422)).body).toHaveProperty('detail');
    });
  });
});
