import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tokens with which a person's programs act for them. Replicas remember those that they verified, so a trigger notifies
 * them of every one that is revoked or narrowed, a psql session included.
 */
export class PersonalAccessTokens1795367000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE personal_access_tokens (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        name text NOT NULL,
        prefix text NOT NULL,
        digest bytea NOT NULL,
        scopes text[] NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT personal_access_tokens_pkey PRIMARY KEY (id),
        CONSTRAINT personal_access_tokens_digest_key UNIQUE (digest),
        CONSTRAINT personal_access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`COMMENT ON TABLE personal_access_tokens IS 'owner: auth'`);
    await queryRunner.query(`CREATE INDEX personal_access_tokens_user_id_idx ON personal_access_tokens (user_id, id)`);
    await queryRunner.query(`
      CREATE FUNCTION notify_personal_access_token() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_notify('personal_access_tokens', OLD.user_id::text); RETURN NULL; END
      $$`);
    // Not of `last_used_at`, which is written once a minute.
    await queryRunner.query(`
      CREATE TRIGGER personal_access_tokens_notify
        AFTER DELETE OR UPDATE OF user_id, digest, scopes, expires_at ON personal_access_tokens
        FOR EACH ROW EXECUTE FUNCTION notify_personal_access_token()`);
    // Whoever closes an account: its tokens do not work again if it is reopened.
    await queryRunner.query(`
      CREATE FUNCTION remove_personal_access_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN DELETE FROM personal_access_tokens WHERE user_id = OLD.id; RETURN NULL; END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER users_remove_personal_access_tokens AFTER UPDATE OF closed_at ON users
        FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
        EXECUTE FUNCTION remove_personal_access_tokens()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER users_remove_personal_access_tokens ON users`);
    await queryRunner.query(`DROP FUNCTION remove_personal_access_tokens()`);
    await queryRunner.query(`DROP TABLE personal_access_tokens`);
    await queryRunner.query(`DROP FUNCTION notify_personal_access_token()`);
  }
}
