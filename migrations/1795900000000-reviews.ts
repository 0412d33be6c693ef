import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reviews of listings. The listing has their number, sum and mean, so that a list neither counts nor joins them. What a
 * process of the release before deletes of an account leaves its reviews; they go with the row of the account.
 */
export class Reviews1795900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE listings
        ADD COLUMN rating_count integer NOT NULL DEFAULT 0,
        ADD COLUMN rating_sum integer NOT NULL DEFAULT 0,
        ADD COLUMN rating_mean smallint NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      CREATE TABLE listing_reviews (
        id uuid NOT NULL,
        listing_id uuid NOT NULL,
        user_id uuid NOT NULL,
        rating smallint NOT NULL,
        text text NOT NULL,
        answer text,
        answered_at timestamp(3) with time zone,
        hidden_at timestamp(3) with time zone,
        hidden_reason text,
        created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        CONSTRAINT listing_reviews_rating_check CHECK (rating BETWEEN 1 AND 5),
        CONSTRAINT listing_reviews_pkey PRIMARY KEY (id),
        CONSTRAINT listing_reviews_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings (id) ON DELETE CASCADE,
        CONSTRAINT listing_reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX listing_reviews_author_key ON listing_reviews (user_id, listing_id)`);
    await queryRunner.query(`CREATE INDEX listing_reviews_listing_id_idx ON listing_reviews (listing_id, id)`);
    await queryRunner.query(`COMMENT ON TABLE listing_reviews IS 'owner: catalog'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE listing_reviews`);
    await queryRunner.query(
      `ALTER TABLE listings DROP COLUMN rating_count, DROP COLUMN rating_sum, DROP COLUMN rating_mean`,
    );
  }
}
