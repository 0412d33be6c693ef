import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of the own issuer, which all replicas share (ADR 27). Each change notifies them. */
export class SigningKeys1795367000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE signing_keys (
        kid text CONSTRAINT signing_keys_pkey PRIMARY KEY,
        public_jwk jsonb,
        encrypted_private_jwk bytea,
        is_imported boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL,
        signs_from timestamptz(3),
        CONSTRAINT signing_keys_private_check CHECK ((encrypted_private_jwk IS NULL) = (signs_from IS NULL)),
        CONSTRAINT signing_keys_public_check CHECK (public_jwk IS NOT NULL OR (is_imported AND signs_from IS NULL))
      )`);
    await queryRunner.query(`COMMENT ON TABLE signing_keys IS 'owner: auth'`);
    await queryRunner.query(`
      CREATE FUNCTION notify_signing_keys() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_notify('signing_keys', ''); RETURN NULL; END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER signing_keys_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON signing_keys
        FOR EACH STATEMENT EXECUTE FUNCTION notify_signing_keys()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE signing_keys`);
    await queryRunner.query(`DROP FUNCTION notify_signing_keys()`);
  }
}
