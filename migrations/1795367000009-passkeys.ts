import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys, the codes for those who lose theirs, and the challenges that were answered already. */
export class Passkeys1795367000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE passkeys (
        id uuid NOT NULL CONSTRAINT passkeys_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT passkeys_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        credential_id text NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        is_backed_up boolean NOT NULL,
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`COMMENT ON TABLE passkeys IS 'owner: sign-in'`);
    await queryRunner.query(`CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id)`);
    await queryRunner.query(`CREATE INDEX passkeys_user_id_idx ON passkeys (user_id, id)`);
    await queryRunner.query(`
      CREATE TABLE recovery_codes (
        user_id uuid NOT NULL CONSTRAINT recovery_codes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        digest bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, digest)
      )`);
    await queryRunner.query(`COMMENT ON TABLE recovery_codes IS 'owner: sign-in'`);
    await queryRunner.query(`
      CREATE TABLE used_passkey_challenges (
        digest bytea NOT NULL CONSTRAINT used_passkey_challenges_pkey PRIMARY KEY,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE used_passkey_challenges IS 'owner: sign-in'`);
    await queryRunner.query(`
      CREATE INDEX used_passkey_challenges_expires_at_idx ON used_passkey_challenges (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE used_passkey_challenges`);
    await queryRunner.query(`DROP TABLE recovery_codes`);
    await queryRunner.query(`DROP TABLE passkeys`);
  }
}
