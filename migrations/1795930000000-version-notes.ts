import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changes a bundle can say why. Processes of the release before write versions without a note. */
export class VersionNotes1795930000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_versions ADD COLUMN note text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_versions DROP COLUMN note`);
  }
}
