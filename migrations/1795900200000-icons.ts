import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pictures of listings, by address: dozens of listings of one publisher name the same one. */
export class Icons1795900200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE fetched_icons (
        src text NOT NULL,
        media_type text,
        bytes bytea,
        failure text,
        fetched_at timestamp(3) with time zone NOT NULL,
        due_at timestamp(3) with time zone NOT NULL,
        CONSTRAINT fetched_icons_bytes_check
          CHECK (num_nonnulls(bytes, failure) = 1 AND (bytes IS NULL) = (media_type IS NULL)),
        CONSTRAINT fetched_icons_pkey PRIMARY KEY (src)
      )`);
    // Pictures are compressed already.
    await queryRunner.query(`ALTER TABLE fetched_icons ALTER COLUMN bytes SET STORAGE EXTERNAL`);
    await queryRunner.query(`CREATE INDEX fetched_icons_due_at_idx ON fetched_icons (due_at, src)`);
    await queryRunner.query(`COMMENT ON TABLE fetched_icons IS 'owner: catalog'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE fetched_icons`);
  }
}
