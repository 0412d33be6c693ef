import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

/** The public catalogue, best rated first. */
export class RatingOrder1795900000001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(
      queryRunner,
      'listings_public_rating_idx',
      `ON listings (rating_mean, rating_count, id) WHERE status = 'PUBLISHED' AND visibility = 'PUBLIC'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX listings_public_rating_idx`);
  }
}
