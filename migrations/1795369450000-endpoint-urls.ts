import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where the servers of entries run whose listings have only packages. Existing entries have none, nor have those that a process
 * of the previous release adds; what it changes of others leaves theirs as it is.
 */
export class EndpointUrls1795369450000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_entries ADD COLUMN endpoint_url text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_entries DROP COLUMN endpoint_url`);
  }
}
