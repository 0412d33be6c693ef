import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The documentation of a version of a listing. The registry does not show it, so no trigger follows it. */
export class Documentation1795900100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE listing_versions ADD COLUMN documentation text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE listing_versions DROP COLUMN documentation`);
  }
}
