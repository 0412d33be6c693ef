import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, requireValues } from './while-serving';

const LISTED = [
  ['users_active_idx', 'claimed_at IS NOT NULL AND closed_at IS NULL'],
  ['users_waiting_idx', 'claimed_at IS NULL AND closed_at IS NULL'],
  ['users_closed_idx', 'closed_at IS NOT NULL AND deleted_at IS NULL'],
  ['users_platform_admin_idx', 'is_platform_admin'],
] as const;
const AT_ONCE = 5_000;

interface Key {
  issuer: string;
  subject: string;
}

/**
 * The part of `People` that takes long with many accounts: their indexes, and an id for each identity. In one transaction it
 * kept everyone from `users` for 4 s, with 100,000 accounts. Where `People` has done it, there is nothing to do.
 */
export class PeopleWhileServing1795369200001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'users_words_idx', `ON users USING gin (person_words(email, name))`);
    for (const [name, where] of LISTED) await createIndex(queryRunner, name, `ON users (id) WHERE ${where}`);
    // New rows have the default.
    let after: Key | undefined = { issuer: '', subject: '' };
    while (after) after = await addIds(queryRunner, after);
    await requireValues(queryRunner, 'identities', 'id');
    await createIndex(queryRunner, 'identities_id_key', `ON identities (user_id, id)`, { unique: true });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX identities_id_key`);
    await queryRunner.query(`ALTER TABLE identities ALTER COLUMN id DROP NOT NULL`);
    for (const [name] of LISTED) await queryRunner.query(`DROP INDEX ${name}`);
    await queryRunner.query(`DROP INDEX users_words_idx`);
  }
}

/** @returns the last identity of the batch; undefined if it was the last batch */
async function addIds(queryRunner: QueryRunner, { issuer, subject }: Key): Promise<Key | undefined> {
  const batch = (await queryRunner.query(
    `WITH batch AS (
       SELECT issuer, subject FROM identities WHERE (issuer, subject) > ($1, $2) ORDER BY issuer, subject LIMIT ${AT_ONCE}
     ), numbered AS (
       UPDATE identities SET id = uuid_v7() FROM batch
       WHERE identities.issuer = batch.issuer AND identities.subject = batch.subject AND identities.id IS NULL
     )
     SELECT issuer, subject FROM batch ORDER BY issuer, subject OFFSET ${AT_ONCE - 1}`,
    [issuer, subject],
  )) as Key[];
  return batch[0];
}
