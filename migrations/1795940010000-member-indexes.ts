import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

/** An index behind each filter of the list of members. */
export class MemberIndexes1795940010000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'memberships_role_idx', 'ON memberships (org_id, role, user_id)');
    await createIndex(
      queryRunner,
      'memberships_manual_idx',
      `ON memberships (org_id, user_id)
       WHERE manual_role IS NOT NULL AND NOT suspended AND NOT retained_last_owner
         AND (scim_role IS NULL OR manual_role > scim_role)`,
    );
    await createIndex(queryRunner, 'memberships_suspended_idx', 'ON memberships (org_id, user_id) WHERE suspended');
    await createIndex(
      queryRunner,
      'scim_users_words_idx',
      'ON scim_users USING gin (directory_words(org_id, user_name, display_name, attributes))',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX scim_users_words_idx`);
    await queryRunner.query(`DROP INDEX memberships_suspended_idx`);
    await queryRunner.query(`DROP INDEX memberships_manual_idx`);
    await queryRunner.query(`DROP INDEX memberships_role_idx`);
  }
}
