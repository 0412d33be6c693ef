import fc from 'fast-check';
import type { EntityManager } from 'typeorm';
import { LastOwnerError } from '../../src/organisations/organisation.errors';
import type { Role } from '../../src/organisations/members/role';
import { DirectoryUsersService } from '../../src/scim/directory/directory-users.service';
import type { RoleExplanationOut } from '../../src/scim/roles/explanation/role-explanation.dto';
import { RoleExplanationService } from '../../src/scim/roles/explanation/role-explanation.service';
import { resolveEntry } from '../../src/scim/roles/resolution/role-resolution';
import { RoleSync } from '../../src/scim/roles/sync/role-sync';
import { SyncService } from '../../src/scim/roles/sync/sync.service';
import { createTestApp, type TestApp } from '../support/app';
import { loadOrganisation, resolved } from '../support/directory';
import { addAdmin, type Case, createPool, newlyRetains, organisation, store } from '../support/random-organisations';

/** Where only mappings make people OWNER, so that much depends on one of them. */
const ownedByMapping: fc.Arbitrary<Case> = organisation(7, 2).map((one) => ({
  ...one,
  allowOwnerMapping: true,
  defaultRole: one.defaultRole === 'MEMBER' ? 'MEMBER' : null,
  mappings: [{ group: 0, role: 'OWNER' }, ...one.mappings.filter(({ group }) => group !== 0)],
  people: one.people.map((person) => ({
    ...person,
    member: person.member?.manualRole === 'OWNER' ? null : person.member,
    living: person.living ?? { active: true, groups: [0], consent: 'NOT_NEEDED' as const },
  })),
}));

const SYSTEM = { actorType: 'system', actorId: null, requestId: null } as const;

describe('Role explanations, for random organisations', () => {
  let test: TestApp;
  let sync: SyncService;
  let roleSync: RoleSync;
  let explanations: RoleExplanationService;
  let directory: DirectoryUsersService;
  let users: string[];
  const seen = new Map<string, number>();

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    sync = test.app.get(SyncService);
    roleSync = test.app.get(RoleSync);
    explanations = test.app.get(RoleExplanationService);
    directory = test.app.get(DirectoryUsersService);
    users = await createPool(test.dataSource, 7);
  });

  afterAll(() => test.close());

  it('agree with the sync, with the next sync, and with a sync without the mapping', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(organisation(3, 1), organisation(7, 0), ownedByMapping), (one) => check(one)),
      { numRuns: 120 },
    );
    // Every kind occurred, so the agreement means something.
    const reasons = [
      'manual',
      'mapping',
      'default_role',
      'no_default_role',
      'deactivated',
      'deleted',
      'pending',
      'opted_out',
      'last_owner',
    ];
    const others = ['without: last_owner', 'without: refused', 'without: nothing', 'outdated', 'absent'];
    expect([...reasons, ...others].filter((what) => !seen.has(what))).toEqual([]);
  });

  async function check(one: Case): Promise<void> {
    const orgId = await store(test.dataSource, users, one);
    const actor = await addAdmin(test.dataSource, orgId);
    const before = await loadOrganisation(test.dataSource, orgId);
    const expected = resolved(before, Number.NaN);
    const people = new Set([...before.members.map(({ userId }) => userId), ...before.entries.keys()]);
    // By the directory user: the account of a person without consent explains nothing.
    const entryIds = await entryIdsOf(orgId);
    const explain = (userId: string) => explanations.get(actor, entryIds.get(userId) ?? userId);

    for (const userId of people) {
      const [is, shall] = [before.members, expected].map((states) => states.find((state) => state.userId === userId));
      // Retention depends on all OWNERs together, which the explanation of one person cannot foresee.
      if ((is?.retainedLastOwner ?? false) !== (shall?.retainedLastOwner ?? false)) continue;
      const stays =
        is && shall ? is.scimRole === shall.scimRole && is.suspended === shall.suspended : is === undefined && !shall;
      expect((await explain(userId)).is_up_to_date).toBe(stays);
      if (!stays) count('outdated');
    }

    if (one.lastOwnerPolicy === 'refuse' && newlyRetains(before.members, expected)) {
      await expect(sync.run(actor)).rejects.toThrow(LastOwnerError);
    } else {
      await sync.run(actor);
      await checkSynced(orgId, actor, entryIds);
    }
  }

  /** Every explanation agrees with what the sync stored. */
  async function checkSynced(
    orgId: string,
    actor: Parameters<RoleExplanationService['get']>[0],
    entryIds: ReadonlyMap<string, string>,
  ): Promise<void> {
    const explain = (userId: string) => explanations.get(actor, entryIds.get(userId) ?? userId);
    const after = await loadOrganisation(test.dataSource, orgId);
    const roles = await rolesOf(test.dataSource.manager, orgId);
    const shown = new Map((await directory.list(actor, { limit: 100 })).items.map((user) => [user.id, user]));
    for (const userId of users) {
      const state = after.members.find((member) => member.userId === userId);
      const entry = after.entries.get(userId);
      if (!state && !entry) {
        await expect(explain(userId)).rejects.toThrow('was not found');
        count('absent');
        continue;
      }
      const said = await explain(userId);
      const { reason, mappingId, groupId } = resolveEntry(entry, after.mappings, after.settings);
      expect(said).toMatchObject({
        role: roles.get(userId) ?? null,
        manual_role: state?.manualRole ?? null,
        scim_role: state?.scimRole ?? null,
        suspended: state?.suspended ?? false,
        retained_last_owner: state?.retainedLastOwner ?? false,
        is_member: state !== undefined,
        is_up_to_date: true,
      });
      if (said.reason === 'last_owner') expect(state?.retainedLastOwner).toBe(true);
      else if (said.reason === 'manual') expect(said.role).toBe(state?.manualRole);
      else expect(said.reason).toBe(reason);
      if (said.reason === 'mapping') expect(said.mapping).toMatchObject({ id: mappingId, group_id: groupId });
      else expect(said.mapping).toBeNull();
      count(said.reason);
      expect(listed(shown.get(entryIds.get(userId) ?? ''))).toEqual(
        entry && !entry.deleted ? listed(explained(said)) : undefined,
      );
      if (said.mapping) await checkWithout(orgId, said, said.mapping.id);
      if (said.mapping && said.role === 'OWNER') {
        // The last OWNER ends up differently under the other policy.
        await turnPolicy(orgId);
        await checkWithout(orgId, await explain(userId), said.mapping.id);
        await turnPolicy(orgId);
      }
    }
  }

  /** By account; of several the active one, otherwise the one deleted last. */
  async function entryIdsOf(orgId: string): Promise<Map<string, string>> {
    const rows = await test.dataSource.query<{ id: string; user_id: string }[]>(
      `SELECT DISTINCT ON (user_id) id, user_id FROM scim_users WHERE org_id = $1
       ORDER BY user_id, deleted_at DESC NULLS FIRST`,
      [orgId],
    );
    return new Map(rows.map(({ id, user_id }) => [user_id, id]));
  }

  async function turnPolicy(orgId: string): Promise<void> {
    await test.dataSource.query(
      `UPDATE scim_settings SET last_owner_policy = CASE last_owner_policy WHEN 'refuse' THEN 'retain' ELSE 'refuse' END
       WHERE org_id = $1`,
      [orgId],
    );
  }

  /** Removes the mapping, checks, and puts it back. */
  async function checkWithout(orgId: string, said: RoleExplanationOut, mappingId: string): Promise<void> {
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`DELETE FROM scim_role_mappings WHERE id = $1`, [mappingId]);
      await roleSync.apply(runner.manager, orgId, 'everybody', SYSTEM);
      const role = (await rolesOf(runner.manager, orgId)).get(said.user_id ?? '') ?? null;
      expect(said.without_mapping?.role).toBe(role);
      const [row] = await runner.manager.query<{ retained: boolean }[]>(
        `SELECT retained_last_owner AS retained FROM memberships WHERE org_id = $1 AND user_id = $2`,
        [orgId, said.user_id],
      );
      expect(said.without_mapping?.reason === 'last_owner').toBe(row?.retained ?? false);
      count(row?.retained ? 'without: last_owner' : role === null ? 'without: nothing' : 'without: less');
    } catch (error) {
      if (!(error instanceof LastOwnerError)) throw error;
      // The policy refuses the change, so OWNERs by it stay.
      // An OWNER that cannot sign in may stay by another mapping, if the change is refused because of someone else.
      if (said.role === 'OWNER') expect(said.without_mapping?.role).toBe('OWNER');
      if (said.role === 'OWNER' && said.email !== null) expect(said.without_mapping?.reason).toBe('last_owner');
      count('without: refused');
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  function count(what: string): void {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }
});

/** The fields that the list of users and the explanation share. */
interface Said {
  role: Role | null;
  reason: string;
  mapping_id: string | null;
  group_id: string | null;
  retained_last_owner: boolean;
}

function explained({ role, reason, mapping, retained_last_owner }: RoleExplanationOut): Said {
  return { role, reason, mapping_id: mapping?.id ?? null, group_id: mapping?.group_id ?? null, retained_last_owner };
}

function listed(said: Said | undefined): Said | undefined {
  if (!said) return undefined;
  const { role, reason, mapping_id, group_id, retained_last_owner } = said;
  return { role, reason, mapping_id, group_id, retained_last_owner };
}

async function rolesOf(manager: EntityManager, orgId: string): Promise<Map<string, Role | null>> {
  const rows = await manager.query<{ user_id: string; role: Role | null }[]>(
    `SELECT user_id, role FROM memberships WHERE org_id = $1`,
    [orgId],
  );
  return new Map(rows.map(({ user_id, role }) => [user_id, role]));
}
