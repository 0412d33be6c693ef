import fc from 'fast-check';
import type { EntityManager } from 'typeorm';
import { newId } from '../../src/database/id';
import { inTransaction } from '../../src/database/transaction';
import { LastOwnerError } from '../../src/organisations/organisation.errors';
import type { Cause } from '../../src/organisations/audit/audit-trail';
import { lockOrganisation } from '../../src/organisations/organisation-lock';
import { type MemberState, roleInForce } from '../../src/scim/roles/resolution/role-resolution';
import { RoleSync } from '../../src/scim/roles/sync/role-sync';
import { SyncService } from '../../src/scim/roles/sync/sync.service';
import { createTestApp, type TestApp } from '../support/app';
import { loadOrganisation, resolved } from '../support/directory';
import { storedMemberships, type Told, watchEvents } from '../support/organisations';
import {
  addAdmin,
  type Case,
  createPool,
  expectedChanges,
  expectStates,
  GROUPS,
  newlyRetains,
  organisation,
  store,
  type StoredChange,
  tally,
} from '../support/random-organisations';

/** What happens to one person in the directory. */
interface Move {
  user: number;
  kind: 'set active' | 'delete' | 'regroup';
  active: boolean;
  groups: number[];
}

/** An organisation, a series of changes of its directory, and the policy from then on. */
interface Story {
  one: Case;
  steps: Move[][];
  policy: Case['lastOwnerPolicy'];
}

const story = (users: number, maxLength: number): fc.Arbitrary<Story> => {
  const move = fc.record({
    user: fc.nat({ max: users - 1 }),
    kind: fc.constantFrom<Move['kind'][]>('set active', 'delete', 'regroup', 'regroup'),
    active: fc.boolean(),
    groups: fc.subarray(Array.from({ length: GROUPS }, (_, group) => group)),
  });
  const step = fc.uniqueArray(move, { selector: ({ user }) => user, minLength: 1, maxLength });
  return fc.record({
    one: organisation(users, 1),
    steps: fc.array(step, { minLength: 3, maxLength: 8 }),
    policy: fc.constantFrom('retain', 'retain', 'refuse'),
  });
};

describe('The roles of changed people only, for random organisations and changes', () => {
  let test: TestApp;
  let roles: RoleSync;
  let users: string[];
  const seen = new Map<string, number>();

  beforeAll(async () => {
    test = await createTestApp();
    roles = test.app.get(RoleSync);
    users = await createPool(test.dataSource, 30);
  });

  afterAll(() => test.close());

  it('become those of the pure function for the whole organisation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(story(3, 2), story(7, 3)), (one) => check(one)),
      { numRuns: 150 },
    );
    const changes = ['joined', 'promoted', 'demoted', 'removed', 'retained'];
    const owners = ['released', 'refused', 'retained under refuse'];
    expect([...changes, ...owners].filter((what) => !seen.has(what))).toEqual([]);
  });

  it('become those in larger organisations too', async () => {
    await fc.assert(
      fc.asyncProperty(story(30, 6), (one) => check(one)),
      { numRuns: 10 },
    );
  });

  async function check({ one, steps, policy }: Story): Promise<void> {
    const orgId = await store(test.dataSource, users, { ...one, lastOwnerPolicy: 'retain' });
    const actor = await addAdmin(test.dataSource, orgId);
    const sync = () => test.app.get(SyncService).run(actor);
    await sync();
    await test.dataSource.query(`UPDATE scim_settings SET last_owner_policy = $2 WHERE org_id = $1`, [orgId, policy]);

    for (const step of steps) await take(orgId, step, policy);

    // Everyone else was up to date: a full sync has nothing left to do.
    const settled = await storedMemberships(test.dataSource, orgId);
    await sync();
    expect(await storedMemberships(test.dataSource, orgId)).toEqual(settled);
  }

  /** One change of the directory and the role changes that follow, in one transaction; a refusal rolls back both. */
  async function take(orgId: string, step: Move[], policy: Story['policy']): Promise<void> {
    const untouched = await storedMemberships(test.dataSource, orgId);
    const events = watchEvents(test.dataSource, orgId);
    await events();
    const cause: Cause = { actorType: 'scim_token', actorId: newId(), requestId: newId() };
    let mustRefuse = false;
    let due: StoredChange[] = [];
    const wasRefused = await inTransaction(test.dataSource, async (manager) => {
      await lockOrganisation(manager, orgId);
      for (const one of step) await make(manager, orgId, one);
      const before = await loadOrganisation(manager, orgId);
      const expected = resolved(before, Number.NaN);
      mustRefuse = policy === 'refuse' && newlyRetains(before.members, expected);
      due = expectedChanges(before, expected);

      const concerned = step.map(({ user }) => users[user] ?? '');
      const changes = await roles.apply(manager, orgId, concerned, cause);

      const after = await loadOrganisation(manager, orgId);
      expectStates(after.members, expected);
      expect(changes).toEqual({
        ...tally(due),
        scanned: expect.any(Number) as number,
        unchanged: changes.scanned - due.length,
        membersBefore: expect.any(Number) as number,
      });
      expect(await auditedBy(manager, cause)).toEqual(imagesOfChanged(before.members, after.members));
      const [was, is] = [before.members.some(isRetained), expected.some(isRetained)];
      if (was && !is) count('released');
      if (was && is && policy === 'refuse') count('retained under refuse');
      return false;
    }).catch((error: unknown) => {
      if (error instanceof LastOwnerError) return true;
      throw error;
    });
    expect(wasRefused).toBe(mustRefuse);
    if (wasRefused) {
      count('refused');
      expect(await storedMemberships(test.dataSource, orgId)).toEqual(untouched);
      expect(await events()).toEqual([]);
    } else {
      for (const { change } of due) count(change);
      expect((await events()).sort(byPerson)).toEqual(due.map((change) => eventOf(orgId, change)));
    }
  }

  /** In SQL, as the SCIM protocol does. */
  async function make(manager: EntityManager, orgId: string, { user, kind, active, groups }: Move): Promise<void> {
    const userId = users[user] ?? '';
    const [living] = await manager.query<{ id: string }[]>(
      `SELECT id FROM scim_users WHERE org_id = $1 AND user_id = $2 AND deleted_at IS NULL`,
      [orgId, userId],
    );
    let id = living?.id;
    // A person without an entry can only be provisioned.
    if (!id && kind !== 'delete') {
      id = newId();
      await manager.query(
        `INSERT INTO scim_users (id, org_id, user_id, user_name, active, consent_user_id) VALUES ($1, $2, $3, $4, $5, $3)`,
        [id, orgId, userId, id, active],
      );
    }
    if (!id) return;
    if (kind === 'set active') await manager.query(`UPDATE scim_users SET active = $2 WHERE id = $1`, [id, active]);
    if (kind === 'delete') await manager.query(`UPDATE scim_users SET deleted_at = now() WHERE id = $1`, [id]);
    if (living && kind !== 'regroup') return;
    await manager.query(`DELETE FROM scim_group_members WHERE scim_user_id = $1`, [id]);
    await manager.query(
      `INSERT INTO scim_group_members (group_id, scim_user_id)
       SELECT id, $2 FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM scim_groups WHERE org_id = $1) AS g
       WHERE number = ANY ($3)`,
      [orgId, id, groups],
    );
  }

  function auditedBy(manager: EntityManager, { actorId, requestId }: Cause): Promise<Audited[]> {
    return manager.query<Audited[]>(
      `SELECT subject_id AS user_id, before, after FROM audit_log
       WHERE actor_type = 'scim_token' AND actor_id = $1 AND request_id = $2 ORDER BY subject_id`,
      [actorId, requestId],
    );
  }

  function count(what: string): void {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }
});

/** The audit log entries about one membership. */
interface Audited {
  user_id: string;
  before: object | null;
  after: object | null;
}

const isRetained = ({ retainedLastOwner }: MemberState): boolean => retainedLastOwner;

const byPerson = (a: Told, b: Told): number => (String(a.data.user_id) < String(b.data.user_id) ? -1 : 1);

/** All columns of every membership that changed. */
function imagesOfChanged(before: MemberState[], after: MemberState[]): Audited[] {
  const image = (states: MemberState[], userId: string) => {
    const state = states.find((one) => one.userId === userId);
    return state
      ? {
          role: roleInForce(state),
          manual_role: state.manualRole,
          scim_role: state.scimRole,
          suspended: state.suspended,
          retained_last_owner: state.retainedLastOwner,
        }
      : null;
  };
  return [...new Set([...before, ...after].map(({ userId }) => userId))]
    .sort()
    .map((user_id) => ({ user_id, before: image(before, user_id), after: image(after, user_id) }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

function eventOf(orgId: string, { user_id, change, role_before, role_after, reason }: StoredChange): Told {
  const types = { joined: 'member.added', removed: 'member.removed' } as Partial<Record<string, string>>;
  return {
    type: types[change] ?? 'member.role_changed',
    data: { org_id: orgId, user_id, role: role_after, role_before, reason },
  };
}
