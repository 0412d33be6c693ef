import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From where people have signed in, as keyed digests: wrong passwords of strangers must not keep them from signing in there.
 * Everyone is new to it, and known after the next sign-in.
 */
export class SignInPlaces1795369800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sign_in_places (
        key bytea NOT NULL CONSTRAINT sign_in_places_pkey PRIMARY KEY,
        account bytea NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE sign_in_places IS 'owner: sign-in'`);
    await queryRunner.query(`CREATE INDEX sign_in_places_account_idx ON sign_in_places (account, expires_at)`);
    await queryRunner.query(`CREATE INDEX sign_in_places_expires_at_idx ON sign_in_places (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sign_in_places`);
  }
}
