import fc from 'fast-check';
import { newId } from '../../src/database/id';
import { LastOwnerError } from '../../src/organisations/organisation.errors';
import type { Page, PageQuery } from '../../src/http/requests/page';
import { type Role, ROLES } from '../../src/organisations/members/role';
import { SyncPreview } from '../../src/scim/roles/sync/sync-preview.service';
import type { SyncProposal } from '../../src/scim/roles/sync/sync-preview.dto';
import type { SyncChangeOut } from '../../src/scim/roles/sync/sync-run.dto';
import { SyncService } from '../../src/scim/roles/sync/sync.service';
import { createTestApp, type TestApp } from '../support/app';
import { storedMemberships } from '../support/organisations';
import { addAdmin, type Case, createPool, GROUPS, organisation, store } from '../support/random-organisations';

/** A random idea, before it is known what is possible: for each mapping, and for each group. */
interface Idea {
  settings: NonNullable<SyncProposal['settings']>;
  fates: ('keep' | 'delete' | Role)[];
  created: { group: number; by: 'id' | 'name' | 'a name of none'; role: Role }[];
}

const idea: fc.Arbitrary<Idea> = fc.record({
  settings: fc.record(
    {
      default_role: fc.constantFrom(null, 'MEMBER' as const, 'ADMIN' as const),
      allow_owner_mapping: fc.boolean(),
      last_owner_policy: fc.constantFrom('retain' as const, 'refuse' as const),
    },
    { requiredKeys: [] },
  ),
  fates: fc.array(fc.constantFrom<Idea['fates']>('keep', 'delete', ...ROLES), {
    minLength: GROUPS + 2,
    maxLength: GROUPS + 2,
  }),
  created: fc.uniqueArray(
    fc.record({
      group: fc.nat({ max: GROUPS - 1 }),
      by: fc.constantFrom<Idea['created'][number]['by'][]>('id', 'name', 'a name of none'),
      role: fc.constantFrom(...ROLES),
    }),
    { selector: ({ group }) => group, maxLength: GROUPS },
  ),
});

describe('A preview of the role sync, for random organisations', () => {
  let test: TestApp;
  let sync: SyncService;
  let previews: SyncPreview;
  let users: string[];
  const seen = new Map<string, number>();

  beforeAll(async () => {
    test = await createTestApp();
    [sync, previews] = [test.app.get(SyncService), test.app.get(SyncPreview)];
    users = await createPool(test.dataSource, 60);
  });

  afterAll(() => test.close());

  it('agrees with the sync in every count and every change', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(organisation(3, 1), organisation(7, 0)), (one) => check(one)),
      { numRuns: 320 },
    );
    const kinds = ['joined', 'promoted', 'demoted', 'removed', 'retained', 'refused'];
    expect(kinds.filter((what) => !seen.has(what))).toEqual([]);
  });

  it('agrees for larger organisations too, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(organisation(60, 50), (one) => check(one)),
      { numRuns: 5 },
    );
  });

  it('agrees with a sync after the proposed changes', async () => {
    seen.clear();
    await fc.assert(
      fc.asyncProperty(organisation(7, 1), idea, (one, proposed) => check(one, proposed)),
      { numRuns: 350 },
    );
    const kinds = ['joined', 'promoted', 'demoted', 'removed', 'retained', 'refused'];
    const proposals = [
      'settings',
      'deleted',
      'updated',
      'created by id',
      'created by name',
      'created by a name of none',
    ];
    expect([...kinds, ...proposals, 'role of a created mapping'].filter((what) => !seen.has(what))).toEqual([]);
  });

  async function check(one: Case, proposed?: Idea): Promise<void> {
    const orgId = await store(test.dataSource, users, one);
    const actor = await addAdmin(test.dataSource, orgId);
    const proposal = proposed ? await propose(orgId, one, proposed) : {};
    const untouched = await storedMemberships(test.dataSource, orgId);

    const preview = await allPages((query) => previews.preview(actor, proposal, query));
    expect(await storedMemberships(test.dataSource, orgId)).toEqual(untouched);

    const created = await apply(orgId, proposal);
    const runId = await sync.run(actor).catch((error: unknown) => {
      if (!(error instanceof LastOwnerError)) throw error;
    });
    expect(preview.would_be_refused).toBe(!runId);
    if (!runId) return count('refused');
    const run = await allPages((query) => sync.get(actor, runId, query));
    expect(preview).toMatchObject({
      scanned: run.scanned,
      joined: run.joined,
      promoted: run.promoted,
      demoted: run.demoted,
      removed: run.removed,
      retained: run.retained,
      unchanged: run.unchanged,
      members: untouched.filter(({ role }) => role !== null).length,
    });
    // A proposed mapping has no meaningful id.
    expect(preview.changes.map(withoutNames)).toEqual(
      run.changes
        .map((change) =>
          change.mapping_id !== null && created.has(change.mapping_id) ? { ...change, mapping_id: null } : change,
        )
        .map(withoutNames),
    );
    for (const { change, mapping_id, reason } of preview.changes) {
      count(change);
      if (reason === 'mapping' && mapping_id === null) count('role of a created mapping');
    }
  }

  /** Drops the parts of an idea that are not possible. */
  async function propose(orgId: string, one: Case, { settings, fates, created }: Idea): Promise<SyncProposal> {
    const mappings = await test.dataSource.query<{ id: string; group_id: string | null; role: Role }[]>(
      `SELECT id, group_id, role FROM scim_role_mappings WHERE org_id = $1 ORDER BY id`,
      [orgId],
    );
    const groups = await test.dataSource.query<{ id: string; name: string }[]>(
      `SELECT id, display_name AS name FROM scim_groups WHERE org_id = $1 ORDER BY id`,
      [orgId],
    );
    const ownerAllowed = settings.allow_owner_mapping ?? one.allowOwnerMapping;
    const can = (role: Role) => role !== 'OWNER' || ownerAllowed;
    const proposal = { settings, role_mappings: { delete: [] as string[], update: [], create: [] } as Mappings };
    if (Object.keys(settings).length > 0) count('settings');
    const kept = new Set<string | null>();
    for (const [index, { id, group_id, role }] of mappings.entries()) {
      const fate = fates[index] ?? 'keep';
      if (fate === 'delete') {
        proposal.role_mappings.delete.push(id);
        count('deleted');
        continue;
      }
      kept.add(group_id);
      if (fate === 'keep' || (fate !== role && !can(fate))) continue;
      proposal.role_mappings.update.push({ id, role: fate });
      count('updated');
    }
    for (const { group, by, role } of created) {
      const { id, name } = groups[group] ?? { id: '', name: '' };
      if (!can(role) || (by !== 'a name of none' && kept.has(id))) continue;
      const named = by === 'id' ? { group_id: id } : { group_name: by === 'name' ? name.toUpperCase() : newId() };
      proposal.role_mappings.create.push({ ...named, role });
      count(`created by ${by}`);
    }
    return proposal;
  }

  /** In SQL only, so that only the sync changes roles. Returns the ids of the new mappings. */
  async function apply(orgId: string, { settings, role_mappings }: SyncProposal): Promise<Set<string>> {
    const { dataSource } = test;
    const columns = Object.entries(settings ?? {});
    for (const [column, value] of columns) {
      await dataSource.query(`UPDATE scim_settings SET ${column} = $2 WHERE org_id = $1`, [orgId, value]);
    }
    await dataSource.query(`DELETE FROM scim_role_mappings WHERE id = ANY ($1)`, [role_mappings?.delete ?? []]);
    for (const { id, role } of role_mappings?.update ?? []) {
      await dataSource.query(`UPDATE scim_role_mappings SET role = $2 WHERE id = $1`, [id, role]);
    }
    const created = new Set<string>();
    for (const { group_id, group_name, role } of role_mappings?.create ?? []) {
      const id = newId();
      created.add(id);
      await dataSource.query(
        `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role)
         VALUES ($1, $2, coalesce($3, (SELECT id FROM scim_groups WHERE org_id = $2 AND lower(display_name) = lower($4))),
                 coalesce($4, 'Mapped'), $5)`,
        [id, orgId, group_id ?? null, group_name ?? null, role],
      );
    }
    return created;
  }

  function count(what: string): void {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }
});

interface Mappings {
  delete: string[];
  update: { id: string; role: Role }[];
  create: { group_id?: string; group_name?: string; role: Role }[];
}

/** The report with the changes of all pages; pages are small, so that there are several. */
async function allPages<T extends { changes: Page<SyncChangeOut> }>(
  read: (query: PageQuery) => Promise<T>,
): Promise<Omit<T, 'changes'> & { changes: SyncChangeOut[] }> {
  const first = await read({ limit: 3 });
  const changes = [...first.changes.items];
  for (let cursor = first.changes.next; cursor !== undefined;) {
    const page = await read({ limit: 20, cursor });
    changes.push(...page.changes.items);
    cursor = page.changes.next;
  }
  return { ...first, changes };
}

/** Of people who join, the organisation knows the account only afterwards. */
function withoutNames({ name: _, email: __, ...change }: SyncChangeOut): Omit<SyncChangeOut, 'name' | 'email'> {
  return change;
}
