import fc from 'fast-check';
import { LastOwnerError } from '../../src/organisations/organisation.errors';
import { SyncService } from '../../src/scim/roles/sync/sync.service';
import { createTestApp, type TestApp } from '../support/app';
import { loadOrganisation, resolved } from '../support/directory';
import { type Counts, storedMemberships } from '../support/organisations';
import {
  addAdmin,
  type Case,
  countsOf,
  createPool,
  expectedChanges,
  expectStates,
  newlyRetains,
  organisation,
  store,
  type StoredChange,
} from '../support/random-organisations';

describe('The role sync, for random organisations', () => {
  let test: TestApp;
  let sync: SyncService;
  let users: string[];
  const seen = new Map<string, number>();

  beforeAll(async () => {
    test = await createTestApp();
    sync = test.app.get(SyncService);
    users = await createPool(test.dataSource, 80);
  });

  afterAll(() => test.close());

  it('gives the roles of the pure function, reports them, and writes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(organisation(3, 1), organisation(7, 0)), (one) => check(one)),
      { numRuns: 500 },
    );
    // Every kind occurred, so the agreement means something.
    const kinds = ['joined', 'promoted', 'demoted', 'removed', 'retained', 'refused', 'retained under refuse'];
    const reasons = [
      'mapping',
      'default_role',
      'no_default_role',
      'deactivated',
      'deleted',
      'pending',
      'opted_out',
      'not_in_directory',
    ];
    expect([...kinds, ...reasons].filter((what) => !seen.has(what))).toEqual([]);
  });

  it('gives them for larger organisations too', async () => {
    await fc.assert(
      fc.asyncProperty(organisation(80, 60), (one) => check(one)),
      { numRuns: 10 },
    );
  });

  async function check(one: Case): Promise<void> {
    const orgId = await store(test.dataSource, users, one);
    const actor = await addAdmin(test.dataSource, orgId);
    const before = await loadOrganisation(test.dataSource, orgId);
    const untouched = await storedMemberships(test.dataSource, orgId);
    const expected = resolved(before, Number.NaN);

    if (one.lastOwnerPolicy === 'refuse') {
      if (newlyRetains(before.members, expected)) {
        await expect(sync.run(actor)).rejects.toThrow(LastOwnerError);
        expect(await storedMemberships(test.dataSource, orgId)).toEqual(untouched);
        return count('refused');
      }
      // Members that are already retained may stay so.
      if (expected.some(({ retainedLastOwner }) => retainedLastOwner)) count('retained under refuse');
    }

    const run = await read(await sync.run(actor));
    const after = await loadOrganisation(test.dataSource, orgId);
    expectStates(after.members, expected);
    const changes = expectedChanges(before, expected);
    expect(run.changes).toEqual(changes);
    expect(run.counts).toEqual(countsOf(before, changes));
    for (const { change, reason } of changes) [change, reason].forEach(count);

    const written = await storedMemberships(test.dataSource, orgId);
    const second = await read(await sync.run(actor));
    expect(second).toEqual({ changes: [], counts: countsOf(after, []) });
    expect(await storedMemberships(test.dataSource, orgId)).toEqual(written);
  }

  function count(what: string): void {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }

  async function read(runId: string): Promise<{ counts: Counts & { scanned: number }; changes: StoredChange[] }> {
    const [counts] = await test.dataSource.query<(Counts & { scanned: number })[]>(
      `SELECT scanned, joined, promoted, demoted, removed, retained, unchanged FROM scim_sync_runs WHERE id = $1`,
      [runId],
    );
    const changes = await test.dataSource.query<StoredChange[]>(
      `SELECT user_id, change, role_before, role_after, reason, mapping_id, group_id FROM scim_sync_changes
       WHERE run_id = $1 ORDER BY user_id`,
      [runId],
    );
    if (!counts) throw new Error('A run has a row.');
    return { counts, changes };
  }
});
