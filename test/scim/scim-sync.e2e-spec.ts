import { newId } from '../../src/database/id';
import { PLAN_FOR_EVERYBODY } from '../../src/scim/roles/resolution/outcome.sql';
import { APPLY_TO_EVERYBODY } from '../../src/scim/roles/sync/sync.sql';
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
import { readRun, type RunPath, storedMemberships, syncOf, watchEvents } from '../support/organisations';
import { nextPage, pagesOf } from '../support/pages';
import type { OrganisationPath } from '../support/typed-paths';

describe('POST /v1/organisations/{org_id}/scim/sync', () => {
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

  const provision = async (count: number): Promise<{ id: string; userId: string }[]> => {
    const people: { id: string; userId: string }[] = [];
    for (let n = 0; n < count; n++) people.push(await createScimUser(test.dataSource, cast.orgId));
    return people;
  };

  describe('the answer', () => {
    it('is an empty object, with the run in Location', async () => {
      await provision(1);
      const answer = await cast.owner.post(`${scim}/sync`, undefined, 200);
      expect(answer.text).toBe('{}');
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      const location = answer.headers.location as string;
      expect(location).toMatch(new RegExp(`^${scim}/sync-runs/[0-9a-f-]{36}$`));
      expect((await cast.owner.get(location)).body).toMatchObject({ id: location.split('/').at(-1), joined: 1 });
    });

    it('is the same if the directory is empty', async () => {
      expect((await cast.owner.post(`${scim}/sync`, undefined, 200)).text).toBe('{}');
    });

    it('ignores the body and its type', async () => {
      const answer = await cast.owner.raw('post', `${scim}/sync`).set('Content-Type', 'text/plain').send('whatever');
      expect([answer.status, answer.text]).toEqual([200, '{}']);
    });

    it('accepts an organisation id in capitals', async () => {
      const answer = await cast.owner.post(`/v1/organisations/${cast.orgId.toUpperCase()}/scim/sync`, undefined, 200);
      expect(answer.headers.location).toContain(`${scim}/sync-runs/`);
    });
  });

  describe('the run', () => {
    it('has counts, its actor and time, and each change with its reason', async () => {
      const [plain, lead] = await provision(2);
      const groupId = await createScimGroup(test.dataSource, cast.orgId, [lead?.id ?? '']);
      const mappingId = await createRoleMapping(test.dataSource, cast.orgId, groupId, 'ADMIN');
      await test.dataSource.query(`UPDATE scim_groups SET display_name = 'Leads' WHERE id = $1`, [groupId]);
      await test.dataSource.query(`UPDATE scim_users SET display_name = 'Lea' WHERE id = $1`, [lead?.id]);
      const run = await syncOf(cast.admin, cast.orgId);
      expect(run).toEqual({
        id: run.id,
        org_id: cast.orgId,
        started_by: await idOf(cast.admin),
        started_at: expect.stringMatching(/Z$/) as string,
        finished_at: expect.stringMatching(/Z$/) as string,
        scanned: 2,
        joined: 2,
        promoted: 0,
        demoted: 0,
        removed: 0,
        retained: 0,
        unchanged: 0,
        changes: [
          {
            user_id: plain?.userId,
            name: null,
            email: `${plain?.userId}@example.com`,
            change: 'joined',
            role_before: null,
            role_after: 'MEMBER',
            reason: 'default_role',
            mapping_id: null,
            group_id: null,
            group_name: null,
          },
          {
            user_id: lead?.userId,
            name: 'Lea',
            email: `${lead?.userId}@example.com`,
            change: 'joined',
            role_before: null,
            role_after: 'ADMIN',
            reason: 'mapping',
            mapping_id: mappingId,
            group_id: groupId,
            group_name: 'Leads',
          },
        ],
      });
      expect(Date.parse(run.finished_at)).toBeGreaterThanOrEqual(Date.parse(run.started_at));
    });

    it('returns its changes in pages, each once, ordered by user id', async () => {
      const users = (await provision(7)).map(({ userId }) => userId).sort();
      const { headers } = await cast.owner.post(`${scim}/sync`, undefined, 200);
      const pages: string[][] = [];
      const path = `${headers.location as RunPath}?limit=3` as const;
      for await (const { body } of pagesOf(cast.owner, path)) {
        expect(body).toMatchObject({ scanned: 7, joined: 7 });
        pages.push(body.changes.map(({ user_id }) => user_id));
      }
      expect(pages).toEqual([users.slice(0, 3), users.slice(3, 6), users.slice(6)]);
    });

    it('rejects a cursor of another run', async () => {
      await provision(2);
      const first = await cast.owner.post(`${scim}/sync`, undefined, 200);
      const second = await cast.owner.post(`${scim}/sync`, undefined, 200);
      const page = await cast.owner.get(`${first.headers.location as string}?limit=1`);
      const [, query] = nextPage(page)?.split('?') ?? [];
      await cast.owner.get(`${second.headers.location as string}?${query}`, 422);
    });

    it('is immutable when the directory changes later, but for the names, which are those of today', async () => {
      const [user] = await provision(1);
      const { headers } = await cast.owner.post(`${scim}/sync`, undefined, 200);
      const before = await readRun(cast.owner, headers.location as RunPath);
      await test.dataSource.query(`UPDATE scim_users SET active = false WHERE id = $1`, [user?.id]);
      await syncOf(cast.owner, cast.orgId);
      const after = await readRun(cast.owner, headers.location as RunPath);
      // The account of someone who is not a member any more is not shown.
      const [email] = after.changes.map((change) => change.email);
      expect(email).toBeNull();
      expect(after).toEqual({ ...before, changes: before.changes.map((change) => ({ ...change, email: null })) });
    });

    it('is deleted with its changes when the organisation is deleted', async () => {
      await provision(2);
      await syncOf(cast.owner, cast.orgId);
      const other = await createCast(test);
      await createScimUser(test.dataSource, other.orgId);
      const { id: kept } = await syncOf(other.owner, other.orgId);
      await test.dataSource.query(`DELETE FROM organisations WHERE id = $1`, [cast.orgId]);
      const left = await test.dataSource.query<object[]>(
        `SELECT DISTINCT run_id FROM scim_sync_changes WHERE run_id = $1 OR run_id NOT IN (SELECT id FROM scim_sync_runs)`,
        [kept],
      );
      expect(left).toEqual([{ run_id: kept }]);
    });
  });

  describe('is for ADMINs and OWNERs', () => {
    it('to start', async () => {
      await cast.owner.post(`${scim}/sync`, undefined, 200);
      await cast.admin.post(`${scim}/sync`, undefined, 200);
      expect(codeOf(await cast.member.post(`${scim}/sync`, undefined, 403))).toBe('insufficient_role');
      expect(codeOf(await cast.outsider.post(`${scim}/sync`, undefined, 404))).toBe('organisation_not_found');
      expect(codeOf(await test.anonymous.post(`${scim}/sync`, undefined, 401))).toBe('authentication_required');
    });

    it('to read its runs', async () => {
      const { headers } = await cast.owner.post(`${scim}/sync`, undefined, 200);
      const run = headers.location as string;
      await cast.admin.get(run);
      expect(codeOf(await cast.member.get(run, 403))).toBe('insufficient_role');
      expect(codeOf(await cast.outsider.get(run, 404))).toBe('organisation_not_found');
      expect(codeOf(await test.anonymous.get(run, 401))).toBe('authentication_required');
    });

    it('of the organisation itself', async () => {
      const other = await createCast(test);
      const { headers } = await cast.owner.post(`${scim}/sync`, undefined, 200);
      const runId = (headers.location as string).split('/').at(-1);
      expect(codeOf(await other.owner.post(`${scim}/sync`, undefined, 404))).toBe('organisation_not_found');
      const elsewhere = `/v1/organisations/${other.orgId}/scim/sync-runs/${runId}` as const;
      expect(codeOf(await other.owner.get(elsewhere, 404))).toBe('sync_run_not_found');
    });

    it('with current rights: a demoted or suspended caller is refused', async () => {
      const { userId } = await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(cast.admin) });
      await test.dataSource.query(`UPDATE scim_users SET active = false WHERE user_id = $1`, [userId]);
      await cast.admin.post(`${scim}/sync`, undefined, 200);
      expect(codeOf(await cast.admin.post(`${scim}/sync`, undefined, 404))).toBe('organisation_not_found');
    });

    it('and an unknown organisation gets the same answer as a hidden one', async () => {
      const missing = newId();
      const absent = await cast.outsider.post(`/v1/organisations/${missing}/scim/sync`, undefined, 404);
      const unseen = await cast.outsider.post(`${scim}/sync`, undefined, 404);
      expect(unseen.text.replaceAll(cast.orgId, missing)).toBe(absent.text);
      const faulty = await cast.outsider.post('/v1/organisations/acme/scim/sync', undefined, 422);
      expect(faulty.body).toMatchObject({ detail: [{ loc: ['path', 'org_id'], type: 'uuid_parsing' }] });
      const noRun = await cast.owner.get(`${scim}/sync-runs/${missing}`, 404);
      expect(codeOf(noRun)).toBe('sync_run_not_found');
    });
  });

  describe('a second run', () => {
    it('writes no membership, has no changes and counts everyone as unchanged', async () => {
      const users = await provision(5);
      const groupId = await createScimGroup(test.dataSource, cast.orgId, [users[0]?.id ?? '', users[1]?.id ?? '']);
      await createRoleMapping(test.dataSource, cast.orgId, groupId, 'ADMIN');
      await createScimUser(test.dataSource, cast.orgId, { active: false });
      await createScimUser(test.dataSource, cast.orgId, { deleted: true });
      await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(cast.member), active: false });
      expect(await syncOf(cast.owner, cast.orgId)).toMatchObject({ scanned: 7, joined: 5, removed: 1, unchanged: 1 });
      const before = await storedMemberships(test.dataSource);

      const second = await syncOf(cast.owner, cast.orgId);
      const counts = { joined: 0, promoted: 0, demoted: 0, removed: 0, retained: 0 };
      expect(second).toMatchObject({ scanned: 7, ...counts, unchanged: 7, changes: [] });
      expect(await storedMemberships(test.dataSource)).toEqual(before);
    });

    it('emits only scim.sync_completed', async () => {
      const [ann] = await provision(1);
      const { userId } = await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(cast.member) });
      const groupId = await createScimGroup(test.dataSource, cast.orgId);
      await createRoleMapping(test.dataSource, cast.orgId, groupId, 'ADMIN');
      await test.dataSource.query(`INSERT INTO scim_group_members SELECT $1, id FROM scim_users WHERE user_id = $2`, [
        groupId,
        userId,
      ]);
      await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(cast.admin), active: false });
      const events = watchEvents(test.dataSource, cast.orgId);
      await events();

      const { id: run_id, changes, id: _, ...run } = await syncOf(cast.owner, cast.orgId);
      expect(changes).toHaveLength(3);
      const emitted = await events();
      const one = (type: string, user_id: string | undefined, data: object) => ({
        type,
        data: { org_id: cast.orgId, user_id, ...data },
      });
      const { scanned, joined, promoted, demoted, removed, retained, unchanged } = run;
      const counts = { scanned, joined, promoted, demoted, removed, retained, unchanged };
      expect(emitted).toHaveLength(4);
      expect(emitted).toEqual(
        expect.arrayContaining([
          one('member.added', ann?.userId, { role: 'MEMBER', role_before: null, reason: 'default_role' }),
          one('member.role_changed', userId, { role: 'ADMIN', role_before: 'MEMBER', reason: 'mapping' }),
          one('member.removed', await idOf(cast.admin), { role: null, role_before: 'ADMIN', reason: 'deactivated' }),
          { type: 'scim.sync_completed', data: { org_id: cast.orgId, run_id, ...counts } },
        ]),
      );

      const again = await syncOf(cast.owner, cast.orgId);
      expect(await events()).toEqual([
        {
          type: 'scim.sync_completed',
          data: expect.objectContaining({
            run_id: again.id,
            unchanged: 3,
            joined: 0,
            promoted: 0,
            removed: 0,
          }) as object,
        },
      ]);
    });
  });

  it('needs no nested loop, even with statistics from a handful of members', async () => {
    await provision(3);
    await test.dataSource.query(`ANALYZE`);
    const plan = await test.dataSource.transaction(async (manager) => {
      await manager.query(PLAN_FOR_EVERYBODY);
      const parameters = [cast.orgId, 'MEMBER', false, 'system', null, null, newId(), null];
      return manager.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${APPLY_TO_EVERYBODY}`, parameters);
    });
    const joins = plan.map((row) => row['QUERY PLAN']).filter((line) => /Join|Nested Loop/.test(line));
    expect(joins).not.toEqual([]);
    expect(joins.filter((line) => line.includes('Nested Loop'))).toEqual([]);
  });

  describe('with several organisations', () => {
    it('changes neither rows nor events of another', async () => {
      const other = await createCast(test);
      for (const { orgId } of [cast, other]) {
        const { id } = await createScimUser(test.dataSource, orgId);
        const groupId = await createScimGroup(test.dataSource, orgId, [id]);
        await createRoleMapping(test.dataSource, orgId, groupId, 'ADMIN');
        await createScimUser(test.dataSource, orgId, { active: false });
      }
      const events = watchEvents(test.dataSource, other.orgId);
      await events();
      const others = async () =>
        (await storedMemberships(test.dataSource)).filter(({ org_id }) => org_id !== cast.orgId);
      const before = await others();
      expect(await syncOf(cast.owner, cast.orgId)).toMatchObject({ scanned: 2, joined: 1 });
      expect(await others()).toEqual(before);
      expect(await events()).toEqual([]);
    });

    it('gives a person the role of each directory in its organisation', async () => {
      const ann = await test.as(unique('ann'));
      const userId = await idOf(ann);
      const other = await createCast(test);
      const here = await createScimUser(test.dataSource, cast.orgId, { userId });
      await createScimUser(test.dataSource, other.orgId, { userId });
      const groupId = await createScimGroup(test.dataSource, cast.orgId, [here.id]);
      await createRoleMapping(test.dataSource, cast.orgId, groupId, 'ADMIN');
      await syncOf(cast.owner, cast.orgId);
      await syncOf(other.owner, other.orgId);
      const roles = async () => {
        const { organisations } = (await ann.get('/v1/users/me')).body;
        return Object.fromEntries(organisations.map(({ org_id, role }) => [org_id, role]));
      };
      expect(await roles()).toEqual({ [cast.orgId]: 'ADMIN', [other.orgId]: 'MEMBER' });

      await test.dataSource.query(`UPDATE scim_users SET active = false WHERE id = $1`, [here.id]);
      await syncOf(other.owner, other.orgId);
      await syncOf(cast.owner, cast.orgId);
      expect(await roles()).toEqual({ [other.orgId]: 'MEMBER' });
    });

    it('gives no role by a mapping to another organisation’s group', async () => {
      const other = await createCast(test);
      const { id, userId } = await createScimUser(test.dataSource, cast.orgId);
      const foreign = await createScimGroup(test.dataSource, other.orgId, [id]);
      await createRoleMapping(test.dataSource, other.orgId, foreign, 'ADMIN');
      const run = await syncOf(cast.owner, cast.orgId);
      expect(run.changes).toMatchObject([{ user_id: userId, role_after: 'MEMBER', reason: 'default_role' }]);
      expect(await syncOf(other.owner, other.orgId)).toMatchObject({ scanned: 0 });
    });
  });
});
