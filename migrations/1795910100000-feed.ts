import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

/** What changed in the bundles that a person follows, newest first. */
export class Feed1795910100000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(
      queryRunner,
      'bundle_versions_created_at_idx',
      'ON bundle_versions (bundle_id, created_at, number)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX bundle_versions_created_at_idx`);
  }
}
