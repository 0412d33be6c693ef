import { createDataSource } from '../../src/database/data-source';
import { newId } from '../../src/database/id';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, TestDatabase } from '../support/database';
import { createListing } from '../support/factories';

const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('NameAudiences'));

describe('The migration of entries to name audiences', () => {
  let database: TestDatabase;
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);
  const [owner, stranger, orgId, otherOrgId] = [newId(), newId(), newId(), newId()];
  const bundles = { personal: newId(), organisation: newId() };

  async function add(bundle: keyof typeof bundles, name: string, listingId: string | null) {
    await query(
      `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position)
       SELECT $1, $2, $3, $4, $4, count(*) FROM bundle_entries WHERE bundle_id = $2`,
      [newId(), bundles[bundle], listingId, name],
    );
  }

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const migrations = MIGRATIONS.slice(0, FIRST);
    const before = createDataSource({ url: database.url, poolSize: 2, entities: ENTITIES, migrations });
    await before.initialize();
    await migrate(before);
    await before.destroy();
    await query(`INSERT INTO users (id) VALUES ($1), ($2)`, [owner, stranger]);
    for (const id of [orgId, otherOrgId]) {
      await query(`INSERT INTO organisations (id, name, slug) VALUES ($1, $2, $2)`, [id, `org-${id}`]);
    }
    await query(`INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, 'MEMBER', 'MEMBER')`, [
      orgId,
      owner,
    ]);
    await query(
      `INSERT INTO bundles (id, name, slug, owner_id, org_id) VALUES ($1, 'P', 'p', $3, NULL), ($2, 'O', 'o', $3, $4)`,
      [bundles.personal, bundles.organisation, owner, orgId],
    );
    const listings = [
      ['public', await createListing(database.dataSource, { ownerId: stranger })],
      ['draft', await createListing(database.dataSource, { status: 'DRAFT', ownerId: owner })],
      ['own-org', await createListing(database.dataSource, { visibility: 'PRIVATE', orgId })],
      ['other-org', await createListing(database.dataSource, { visibility: 'PRIVATE', orgId: otherOrgId })],
      ['stranger', await createListing(database.dataSource, { visibility: 'PRIVATE', ownerId: stranger })],
      ['deleted', null],
    ] as const;
    for (const bundle of ['personal', 'organisation'] as const) {
      for (const [name, listingId] of listings) await add(bundle, name, listingId);
    }
    await migrate(database.dataSource);
  });

  afterAll(() => database.drop());

  it.each([
    [
      'personal',
      {
        public: 'EVERYONE',
        draft: 'OWNER',
        'own-org': 'OWNER',
        'other-org': 'NOBODY',
        stranger: 'NOBODY',
        deleted: 'NOBODY',
      },
    ],
    [
      'organisation',
      {
        public: 'EVERYONE',
        draft: 'NOBODY',
        'own-org': 'OWNER',
        'other-org': 'NOBODY',
        stranger: 'NOBODY',
        deleted: 'NOBODY',
      },
    ],
  ] as const)('stores who knows the names of listings in a bundle of: %s', async (bundle, audiences) => {
    const rows = await query<{ key: string; name_known_to: string }>(
      `SELECT key, name_known_to FROM bundle_entries WHERE bundle_id = $1`,
      [bundles[bundle]],
    );
    expect(Object.fromEntries(rows.map(({ key, name_known_to }) => [key, name_known_to]))).toEqual(audiences);
  });
});
