import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An address may have several holders over time; the account of the one whom the issuer last called by it counts. */
export class LastCalled1763780020000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users ADD COLUMN email_at timestamptz(3)`);
    await queryRunner.query(`UPDATE users SET email_at = claimed_at WHERE email IS NOT NULL`);
    // A directory grows by thousands within minutes, long before a tenth of its rows are new.
    for (const table of ['scim_users', 'scim_group_members']) {
      await queryRunner.query(`ALTER TABLE ${table} SET (autovacuum_analyze_scale_factor = 0.02)`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['scim_users', 'scim_group_members']) {
      await queryRunner.query(`ALTER TABLE ${table} RESET (autovacuum_analyze_scale_factor)`);
    }
    await queryRunner.query(`ALTER TABLE users DROP COLUMN email_at`);
  }
}
