import { DataSource } from 'typeorm';
import { type Cap, requireRoom } from '../../src/database/cap';
import { newId } from '../../src/database/id';
import { inTransaction } from '../../src/database/transaction';
import { ErrorCode } from '../../src/bundles/bundle.errors';
import { ConflictError } from '../../src/errors/errors';
import { createDatabase, TestDatabase } from '../support/database';
import { holding } from '../support/held-lock';

/** Any table with an owner will do. */
const BUNDLES: Cap = {
  name: 'test bundles',
  rows: `bundles WHERE owner_id = $1 AND org_id IS NULL`,
  code: ErrorCode.BundleConflict,
  detail: (most) => `At most ${most}.`,
};

describe('A cap', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    ({ dataSource } = database);
  });

  afterAll(() => database.drop());

  async function newUser(): Promise<string> {
    const id = newId();
    await dataSource.query(`INSERT INTO users (id) VALUES ($1)`, [id]);
    return id;
  }

  function create(ownerId: string, most: number): Promise<void> {
    return inTransaction(dataSource, async (manager) => {
      await requireRoom(manager, BUNDLES, { ownerId, most });
      const id = newId();
      await manager.query(`INSERT INTO bundles (id, name, slug, owner_id) VALUES ($1, 'A', $2, $3)`, [id, id, ownerId]);
    });
  }

  const countOf = async (ownerId: string) => {
    const [row] = await dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM bundles WHERE owner_id = $1`,
      [ownerId],
    );
    return row?.count;
  };

  it('is reached exactly, and never exceeded by concurrent creations', async () => {
    const owner = await newUser();
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => create(owner, 7)));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(reasons).toEqual(Array(33).fill(new ConflictError(ErrorCode.BundleConflict, 'At most 7.')));
    expect(await countOf(owner)).toBe(7);
  });

  it('leaves an owner above it what they have, and allows more only below it', async () => {
    const owner = await newUser();
    for (let n = 0; n < 4; n++) await create(owner, 4);
    await expect(create(owner, 2)).rejects.toThrow('At most 2.');
    expect(await countOf(owner)).toBe(4);
    await dataSource.query(`DELETE FROM bundles WHERE id IN (SELECT id FROM bundles WHERE owner_id = $1 LIMIT 3)`, [
      owner,
    ]);
    await create(owner, 2);
    expect(await countOf(owner)).toBe(2);
  });

  it('blocks only creations of the same kind for the same owner', async () => {
    const [owner, other] = [await newUser(), await newUser()];
    await inTransaction(dataSource, async (manager) => {
      await requireRoom(manager, BUNDLES, { ownerId: owner, most: 5 });
      await create(other, 5);
      await requireRoom(manager, { ...BUNDLES, name: 'others' }, { ownerId: other, most: 5 });
    });
    await holding(dataSource, `SELECT 1 FROM users WHERE id = '${owner}' FOR NO KEY UPDATE`, () => create(owner, 5));
  });

  it('cannot be checked outside a transaction, because no lock would hold it', async () => {
    await expect(requireRoom(dataSource.manager, BUNDLES, { ownerId: newId(), most: 5 })).rejects.toThrow(
      'outside a transaction',
    );
  });
});
