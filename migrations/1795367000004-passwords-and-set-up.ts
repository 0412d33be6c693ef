import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passwords of accounts, failed tries to sign in, and the first account, which sets this instance up. */
export class PasswordsAndSetUp1795367000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE passwords (
        user_id uuid NOT NULL CONSTRAINT passwords_pkey PRIMARY KEY
          CONSTRAINT passwords_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        hash text NOT NULL,
        changed_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE passwords IS 'owner: sign-in'`);
    await queryRunner.query(`
      CREATE TABLE account_tries (
        key bytea NOT NULL CONSTRAINT account_tries_pkey PRIMARY KEY,
        failures integer NOT NULL,
        blocked_until timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE account_tries IS 'owner: sign-in'`);
    await queryRunner.query(`CREATE INDEX account_tries_expires_at_idx ON account_tries (expires_at)`);
    await queryRunner.query(`
      CREATE TABLE address_tries (
        key bytea NOT NULL CONSTRAINT address_tries_pkey PRIMARY KEY,
        moments timestamptz[] NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE address_tries IS 'owner: sign-in'`);
    await queryRunner.query(`CREATE INDEX address_tries_expires_at_idx ON address_tries (expires_at)`);
    await queryRunner.query(`
      CREATE TABLE set_up_tokens (
        digest bytea NOT NULL CONSTRAINT set_up_tokens_pkey PRIMARY KEY,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE set_up_tokens IS 'owner: sign-in'`);
    // Its only row decides, however many requests arrive at once.
    await queryRunner.query(`
      CREATE TABLE set_up (
        is_done boolean NOT NULL CONSTRAINT set_up_pkey PRIMARY KEY CONSTRAINT set_up_is_done_check CHECK (is_done),
        done_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE set_up IS 'owner: sign-in'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE set_up`);
    await queryRunner.query(`DROP TABLE set_up_tokens`);
    await queryRunner.query(`DROP TABLE address_tries`);
    await queryRunner.query(`DROP TABLE account_tries`);
    await queryRunner.query(`DROP TABLE passwords`);
  }
}
