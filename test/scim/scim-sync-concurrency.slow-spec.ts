import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import { inTransaction } from '../../src/database/transaction';
import { lockOrganisation } from '../../src/organisations/organisation-lock';
import type { Role } from '../../src/organisations/members/role';
import { type RoleChanges, RoleSync } from '../../src/scim/roles/sync/role-sync';
import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { loadOrganisation, resolved } from '../support/directory';
import { eventually } from '../support/eventually';
import { createRoleMapping, createScimGroup, createScimUser, idOf, join, unique } from '../support/factories';
import { createMembership, storedMemberships, syncOf } from '../support/organisations';

/** Role changes take the organisation's lock; directory changes do not wait for it. */
describe('Concurrent role syncs and changes', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  /** An organisation with two OWNERs and an ADMIN, 12 members and a directory of 24 people in 4 mapped groups. */
  async function createBusyOrganisation() {
    const { dataSource } = test;
    const name = unique('busy');
    const [founder, partner, admin] = await Promise.all(
      ['founder', 'partner', 'admin'].map((part) => test.as(`${part}-of-${name}`)),
    );
    if (!founder || !partner || !admin) throw new Error('Three subjects give three callers.');
    const { id: orgId } = (await founder.post('/v1/organisations', { name })).body;
    const owners = [await idOf(founder), await idOf(partner)];
    const members = `/v1/organisations/${orgId}/members` as const;
    await join(founder, orgId, partner, 'OWNER');
    await join(founder, orgId, admin, 'ADMIN');
    await dataSource.query(`UPDATE scim_settings SET allow_owner_mapping = true WHERE org_id = $1`, [orgId]);

    const manual: string[] = [];
    for (let n = 0; n < 12; n++) manual.push(await createMembership(dataSource, orgId, { manual: 'MEMBER' }));
    const entries: { id: string; userId: string }[] = [];
    for (const userId of [...owners, ...manual.slice(0, 6)]) {
      entries.push(await createScimUser(dataSource, orgId, { userId }));
    }
    for (let n = 0; n < 16; n++) entries.push(await createScimUser(dataSource, orgId));
    const groups: string[] = [];
    const mappings: string[] = [];
    for (const role of ['MEMBER', 'ADMIN', 'ADMIN', 'OWNER'] as const) {
      const group = await createScimGroup(dataSource, orgId);
      groups.push(group);
      mappings.push(await createRoleMapping(dataSource, orgId, group, role));
    }
    return { orgId, members, founder, partner, admin, owners, manual, entries, groups, mappings };
  }

  type Busy = Awaited<ReturnType<typeof createBusyOrganisation>>;

  const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

  /** Through the API, by two OWNERs who also change each other. */
  function changesOfMembers({ members, founder, partner, owners, manual }: Busy): Promise<Response>[] {
    const by = (turn: number): Api => (turn % 2 === 0 ? founder : partner);
    const roles: Role[] = ['MEMBER', 'ADMIN', 'OWNER'];
    const call = (turn: number, method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
      by(turn).call(method, `${members}${path}`, undefined, body);
    return Array.from({ length: 10 }, (_, turn) => [
      call(turn, 'post', '', { email: `${unique('new')}@example.com`, role: at(roles, turn) }),
      call(turn, 'patch', `/${at(manual, turn)}`, { role: at(roles, turn + 1) }),
      turn % 2 === 0
        ? call(turn, 'delete', `/${at(manual, turn + 3)}`)
        : call(turn, 'patch', `/${at(owners, Math.floor(turn / 2))}`, { role: at(roles, turn) }),
    ]).flat();
  }

  /** In SQL, each in its own transaction, as the SCIM protocol does. */
  function changesOfTheDirectory({ entries, groups, mappings }: Busy): Promise<unknown>[] {
    const transaction = (...statements: [string, unknown[]][]) =>
      test.dataSource.transaction(async (manager) => {
        for (const [sql, parameters] of statements) await manager.query(sql, parameters);
      });
    const join = `INSERT INTO scim_group_members (group_id, scim_user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
    return Array.from({ length: 10 }, (_, turn) => {
      const [entry, other] = [at(entries, turn * 5).id, at(entries, turn * 7 + 1).id];
      return [
        transaction(
          [join, [at(groups, turn), entry]],
          [join, [at(groups, turn + 1), other]],
          [`DELETE FROM scim_group_members WHERE group_id = $1 AND scim_user_id <> $2`, [at(groups, turn + 2), entry]],
        ),
        turn % 2 === 0
          ? transaction([
              `UPDATE scim_role_mappings SET role = $2 WHERE id = $1`,
              [at(mappings, turn), turn % 4 === 0 ? 'OWNER' : 'MEMBER'],
            ])
          : transaction([`UPDATE scim_users SET active = NOT active WHERE id = $1`, [entry]]),
      ];
    }).flat();
  }

  it('end in the state of the pure function, and never leave an organisation without an OWNER', async () => {
    for (let round = 0; round < 3; round++) {
      const busy = await createBusyOrganisation();
      const { orgId, admin } = busy;
      const sync = () => admin.call('post', `/v1/organisations/${orgId}/scim/sync`, undefined);
      await sync();

      let done = false;
      const sampled = (async () => {
        const counts: number[] = [];
        while (!done) {
          const [row] = await test.dataSource.query<{ owners: number }[]>(
            `SELECT count(*)::int AS owners FROM memberships WHERE org_id = $1 AND role = 'OWNER'`,
            [orgId],
          );
          counts.push(row?.owners ?? 0);
        }
        return counts;
      })();
      const answers = Promise.all([sync(), ...changesOfMembers(busy), sync()]);
      const [responses] = await Promise.all([answers, ...changesOfTheDirectory(busy)]).finally(() => (done = true));
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      // Callers that lost a role or a member meanwhile got an error; most changes succeeded.
      expect(statuses.filter((status) => ![200, 201, 204, 403, 404, 409, 429].includes(status))).toEqual([]);
      // Of two concurrent syncs one may have been refused, and nothing else.
      const ofSyncs = [statuses.shift(), statuses.pop()];
      expect([200, 429]).toEqual(expect.arrayContaining(ofSyncs));
      expect(ofSyncs).toContain(200);
      expect(statuses).not.toContain(429);
      const samples = await sampled;
      expect(samples.length).toBeGreaterThan(3);
      expect(Math.min(...samples)).toBeGreaterThan(0);

      const before = await loadOrganisation(test.dataSource, orgId);
      const expected = resolved(before, Number.NaN);
      await syncOf(admin, orgId);
      const after = await loadOrganisation(test.dataSource, orgId);
      const membersBefore = new Set(before.members.map(({ userId }) => userId));
      expect(
        after.members.map((state) => (membersBefore.has(state.userId) ? state : { ...state, createdAt: Number.NaN })),
      ).toEqual(expected);
      const written = await storedMemberships(test.dataSource, orgId);
      expect(written.filter(({ role }) => role === 'OWNER')).not.toEqual([]);
      await syncOf(admin, orgId);
      expect(await storedMemberships(test.dataSource, orgId)).toEqual(written);
    }
  });

  /** As the SCIM protocol and the administration do: under the lock, followed by the roles of the people concerned. */
  function changesThatAreFollowed({ orgId, entries, groups, mappings }: Busy): Promise<RoleChanges>[] {
    const roles = test.app.get(RoleSync);
    const follow = (sql: string, parameters: unknown[], concerned: string[]) =>
      inTransaction(test.app.get(DataSource), async (manager) => {
        await lockOrganisation(manager, orgId);
        await manager.query(sql, parameters);
        return roles.apply(manager, orgId, concerned, { actorType: 'scim_token', actorId: null, requestId: null });
      });
    const accounts = entries.map(({ userId }) => userId);
    return Array.from({ length: 16 }, (_, turn) => {
      const [entry, other] = [at(entries, turn * 5), at(entries, turn * 7 + 1)];
      return [
        follow(
          `INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING`,
          [at(groups, turn), [entry.id, other.id]],
          [entry.userId, other.userId],
        ),
        follow(`UPDATE scim_users SET active = NOT active WHERE id = $1`, [other.id], [other.userId]),
        turn % 2 === 0
          ? follow(`DELETE FROM scim_group_members WHERE group_id = $1`, [at(groups, turn + 1)], accounts)
          : follow(
              `UPDATE scim_role_mappings SET role = $2 WHERE id = $1`,
              [at(mappings, turn), at(['MEMBER', 'ADMIN', 'OWNER'], turn)],
              accounts,
            ),
      ];
    }).flat();
  }

  it('are in the state of the pure function at once if each change is followed by its own sync', async () => {
    for (let round = 0; round < 3; round++) {
      const busy = await createBusyOrganisation();
      const { orgId, admin } = busy;
      const sync = () => admin.call('post', `/v1/organisations/${orgId}/scim/sync`, undefined);
      await sync();
      const changed = async (beside: Promise<Response>[]) => {
        const [followed, responses] = await Promise.all([
          Promise.all(changesThatAreFollowed(busy)),
          Promise.all([...beside, ...changesOfMembers(busy)]),
        ]);
        expect(responses.filter(({ status }) => ![200, 201, 204, 403, 404, 409, 429].includes(status))).toEqual([]);
        const syncs = responses.slice(0, beside.length).map(({ status }) => status);
        expect(beside.length === 0 || syncs.includes(200)).toBe(true);
        return followed.filter(({ scanned, unchanged }) => scanned !== unchanged);
      };
      expect((await changed([sync(), sync()])).length).toBeGreaterThan(5);
      // The last round is without a sync, which would repair what a change leaves wrong.
      expect((await changed([])).length).toBeGreaterThan(5);

      const state = await loadOrganisation(test.dataSource, orgId);
      expect(state.members).toEqual(resolved(state, Number.NaN));
      const written = await storedMemberships(test.dataSource, orgId);
      expect(written.filter(({ role }) => role === 'OWNER')).not.toEqual([]);
    }
  });

  it('block each other within an organisation, but not in others', async () => {
    const [blocked, free] = [await createBusyOrganisation(), await createBusyOrganisation()];
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [blocked.orgId]);
      const waiting = blocked.admin.call('post', `/v1/organisations/${blocked.orgId}/scim/sync`, undefined);
      await eventually(
        () =>
          test.dataSource.query<object[]>(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        (waiting) => waiting.length > 0,
        10_000,
      );
      await syncOf(free.admin, free.orgId);
      // The directory and other rows that refer to the organisation can be written meanwhile.
      await createScimUser(test.dataSource, blocked.orgId);
      await runner.commitTransaction();
      expect((await waiting).status).toBe(200);
    } finally {
      await runner.release();
    }
  });
});
