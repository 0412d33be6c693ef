import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A second digest of definitions, over what clients show of them; null where it was not seen yet. */
export class ShownDigests1795369476000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE upstream_definitions
        ADD COLUMN shown_digest bytea,
        ADD COLUMN shown_changes integer NOT NULL DEFAULT 0,
        ADD COLUMN shown_changed_at timestamptz(3)`);
    await queryRunner.query(`ALTER TABLE bundle_tools ADD COLUMN shown_digest bytea`);
    await queryRunner.query(`ALTER TABLE tool_approvals ADD COLUMN shown_digest bytea`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tool_approvals DROP COLUMN shown_digest`);
    await queryRunner.query(`ALTER TABLE bundle_tools DROP COLUMN shown_digest`);
    await queryRunner.query(`
      ALTER TABLE upstream_definitions
        DROP COLUMN shown_changed_at, DROP COLUMN shown_changes, DROP COLUMN shown_digest`);
  }
}
