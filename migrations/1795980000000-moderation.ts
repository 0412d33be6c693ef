import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why a listing is archived, and whether platform administrators did it; which release a process runs. Processes of the
 * release before leave these columns as they are.
 */
export class Moderation1795980000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE listings ADD COLUMN archive_reason text, ADD COLUMN archived_by_platform boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`ALTER TABLE replicas ADD COLUMN version text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE replicas DROP COLUMN version`);
    await queryRunner.query(`ALTER TABLE listings DROP COLUMN archive_reason, DROP COLUMN archived_by_platform`);
  }
}
