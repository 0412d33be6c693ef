import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

/** What platform administrators look through: archived listings and hidden reviews, newest first. */
export class ModerationLists1795980000001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'listings_archived_idx', `ON listings (id) WHERE status = 'ARCHIVED'`);
    await createIndex(queryRunner, 'listing_reviews_hidden_idx', 'ON listing_reviews (id) WHERE hidden_at IS NOT NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX listing_reviews_hidden_idx`);
    await queryRunner.query(`DROP INDEX listings_archived_idx`);
  }
}
