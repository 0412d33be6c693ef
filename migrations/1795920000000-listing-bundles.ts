import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex } from './while-serving';

/** The bundles of a listing are listed in an order. The new index also serves what the former one did. */
export class ListingBundles1795920000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'bundle_entries_listing_bundle_idx', 'ON bundle_entries (listing_id, bundle_id)');
    await dropIndex(queryRunner, 'bundle_entries_listing_id_idx');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX bundle_entries_listing_id_idx ON bundle_entries (listing_id)`);
    await queryRunner.query(`DROP INDEX bundle_entries_listing_bundle_idx`);
  }
}
