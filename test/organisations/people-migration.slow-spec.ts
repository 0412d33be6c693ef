import { newId } from '../../src/database/id';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { inTransaction } from '../../src/database/transaction';
import { settleConsent } from '../../src/scim/directory/directory-consent';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { loadOrganisation, resolved } from '../support/directory';
import { createDatabase, type TestDatabase } from '../support/database';

const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('Invitations'));

describe('The migration of existing members to consent', () => {
  let database: TestDatabase;
  const orgId = newId();
  const [byHand, byDirectory, left] = [newId(), newId(), newId()];
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const before = createDataSource({
      url: database.url,
      poolSize: 2,
      entities: ENTITIES,
      migrations: MIGRATIONS.slice(0, FIRST),
    });
    await before.initialize();
    await migrate(before);
    await before.destroy();
    await query(
      `INSERT INTO users (id, email, claimed_at)
       SELECT id, id || '@example.com', now() FROM unnest($1::uuid[]) AS id`,
      [[byHand, byDirectory, left]],
    );
    await query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Acme', 'acme')`, [orgId]);
    await query(`INSERT INTO scim_settings (org_id) VALUES ($1)`, [orgId]);
    await query(
      `INSERT INTO memberships (org_id, user_id, manual_role, scim_role, role)
       VALUES ($1, $2, 'OWNER', NULL, 'OWNER'), ($1, $3, NULL, 'MEMBER', 'MEMBER')`,
      [orgId, byHand, byDirectory],
    );
    await query(
      `INSERT INTO scim_users (id, org_id, user_id, user_name, deleted_at)
       VALUES ($1, $2, $3, 'ada', NULL), ($4, $2, $5, 'bob', now())`,
      [newId(), orgId, byDirectory, newId(), left],
    );
    await migrate(database.dataSource);
  });

  afterAll(() => database.drop());

  it('leaves every membership as it was, including those given by a directory', async () => {
    const rows = await query(`SELECT user_id, role FROM memberships ORDER BY role DESC`);
    expect(rows).toEqual([
      { user_id: byHand, role: 'OWNER' },
      { user_id: byDirectory, role: 'MEMBER' },
    ]);
    // Nor does the next sync change one.
    const state = await loadOrganisation(database.dataSource.manager, orgId);
    expect(resolved(state, 0).map(({ userId }) => userId)).toEqual([byHand, byDirectory].sort());
  });

  it('does not treat a deleted entry as consent: the person is asked when pushed again', async () => {
    const again = newId();
    await query(`INSERT INTO scim_users (id, org_id, user_id, user_name) VALUES ($1, $2, $3, 'bob')`, [
      again,
      orgId,
      left,
    ]);
    const cause = { actorType: 'system', actorId: null, requestId: null } as const;
    await inTransaction(database.dataSource, (manager) => settleConsent(manager, orgId, [left], cause, false));
    expect(await query(`SELECT consent FROM scim_users WHERE id = $1`, [again])).toEqual([{ consent: 'PENDING' }]);
    await query(`DELETE FROM scim_users WHERE id = $1`, [again]);
  });

  it('can be reverted without losing existing data', async () => {
    const members = await query(`SELECT * FROM memberships ORDER BY user_id`);
    for (let left = MIGRATIONS.length; left > FIRST; left--)
      await database.dataSource.undoLastMigration({ transaction: 'each' });
    expect(await query(`SELECT * FROM memberships ORDER BY user_id`)).toEqual(members);
    expect(await query(`SELECT count(*)::int AS count FROM scim_users`)).toEqual([{ count: 2 }]);
    await migrate(database.dataSource);
  });
});
