import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Company sign-in: what the provider said about the address of a person who is signed in, a look-up for its back-channel
 * logout by session id, and the logout tokens that were received.
 */
export class CompanySignIn1795367000006 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE sessions ADD COLUMN identity_email text, ADD COLUMN identity_email_state text`);
    await queryRunner.query(`
      CREATE INDEX sessions_identity_sid_idx ON sessions (identity_issuer, identity_sid)
      WHERE identity_sid IS NOT NULL`);
    await queryRunner.query(`
      CREATE TABLE sso_logout_tokens (
        digest bytea NOT NULL CONSTRAINT sso_logout_tokens_pkey PRIMARY KEY,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE sso_logout_tokens IS 'owner: sign-in'`);
    await queryRunner.query(`CREATE INDEX sso_logout_tokens_expires_at_idx ON sso_logout_tokens (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sso_logout_tokens`);
    await queryRunner.query(`DROP INDEX sessions_identity_sid_idx`);
    await queryRunner.query(`ALTER TABLE sessions DROP COLUMN identity_email, DROP COLUMN identity_email_state`);
  }
}
