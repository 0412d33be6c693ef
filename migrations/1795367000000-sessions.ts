import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions of people in browsers, and the accounts that administer the platform because they set it up. Replicas
 * remember sessions, so every end of one notifies them.
 */
export class Sessions1795367000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users ADD COLUMN is_platform_admin boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`
      CREATE TABLE sessions (
        id uuid NOT NULL CONSTRAINT sessions_pkey PRIMARY KEY,
        digest bytea NOT NULL,
        user_id uuid NOT NULL CONSTRAINT sessions_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        methods text[] NOT NULL,
        signed_in_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        address text NOT NULL,
        device text NOT NULL,
        identity_issuer text,
        identity_subject text,
        identity_sid text,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`COMMENT ON TABLE sessions IS 'owner: auth'`);
    await queryRunner.query(`CREATE UNIQUE INDEX sessions_digest_key ON sessions (digest)`);
    await queryRunner.query(`CREATE INDEX sessions_user_id_idx ON sessions (user_id, id)`);
    await queryRunner.query(`CREATE INDEX sessions_expires_at_idx ON sessions (expires_at)`);
    await queryRunner.query(`
      CREATE INDEX sessions_identity_idx ON sessions (identity_issuer, identity_subject)
      WHERE identity_issuer IS NOT NULL`);
    await queryRunner.query(`
      CREATE FUNCTION notify_session_ended() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('sessions_ended', OLD.id::text);
        RETURN NULL;
      END $$`);
    // A new secret ends the old one, as deleting the row does.
    await queryRunner.query(`
      CREATE TRIGGER sessions_ended AFTER DELETE OR UPDATE OF digest ON sessions
      FOR EACH ROW EXECUTE FUNCTION notify_session_ended()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sessions`);
    await queryRunner.query(`DROP FUNCTION notify_session_ended()`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN is_platform_admin`);
  }
}
