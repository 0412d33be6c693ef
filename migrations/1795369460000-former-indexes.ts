import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropIndex } from './while-serving';

/** What each index was on. */
const FORMER = [
  ['scim_users_user_name_idx', `ON scim_users (org_id, lower(user_name) COLLATE "C", id) WHERE deleted_at IS NULL`],
  ['scim_users_emails_idx', `ON scim_users USING gin (scim_email_values(attributes)) WHERE deleted_at IS NULL`],
  ['users_email_idx', `ON users (lower(email))`],
] as const;

/**
 * Drops the indexes by which names were found until `ComparedNames`. The previous release does not use them either, and
 * each new person cost their upkeep. The unique ones beside them stay: without those a new row could take the exact name
 * of a twin (ADR 16).
 */
export class FormerIndexes1795369460000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of FORMER) await dropIndex(queryRunner, name);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of FORMER) await queryRunner.query(`CREATE INDEX ${name} ${definition}`);
  }
}
