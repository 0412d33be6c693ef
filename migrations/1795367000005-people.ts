import type { MigrationInterface, QueryRunner } from 'typeorm';

const LISTED = [
  ['users_active_idx', 'claimed_at IS NOT NULL AND closed_at IS NULL'],
  ['users_waiting_idx', 'claimed_at IS NULL AND closed_at IS NULL'],
  ['users_closed_idx', 'closed_at IS NOT NULL AND deleted_at IS NULL'],
] as const;

/** What platform administrators need to find, invite and help people, and what people need to unlink an identity. */
export class People1795367000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users ADD COLUMN signed_in_at timestamptz(3)`);
    // Any text between the ASCII punctuation is a word, so that "ada@acme.example" is found by each of its parts.
    await queryRunner.query(`
      CREATE FUNCTION person_words(email text, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN to_tsvector('simple'::regconfig, regexp_replace(
        normalize(left(coalesce(email, '') || ' ' || coalesce(name, ''), 1000) COLLATE "C", NFC),
        '[!-/:-@[-\`{-~]+', ' ', 'g'))`);
    await queryRunner.query(`CREATE INDEX users_words_idx ON users USING gin (person_words(email, name))`);
    for (const [name, where] of LISTED) await queryRunner.query(`CREATE INDEX ${name} ON users (id) WHERE ${where}`);
    await queryRunner.query(`CREATE INDEX users_platform_admin_idx ON users (id) WHERE is_platform_admin`);

    // An address of the API for each identity; the previous release inserts rows without it.
    await queryRunner.query(`ALTER TABLE identities ADD COLUMN id uuid NOT NULL DEFAULT uuid_v7()`);
    await queryRunner.query(`CREATE UNIQUE INDEX identities_id_key ON identities (user_id, id)`);

    await queryRunner.query(`
      CREATE TABLE account_invitations (
        id uuid NOT NULL CONSTRAINT account_invitations_pkey PRIMARY KEY,
        digest bytea NOT NULL,
        email text NOT NULL,
        address text NOT NULL,
        name text,
        invited_by uuid CONSTRAINT account_invitations_invited_by_fkey REFERENCES users (id) ON DELETE SET NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE account_invitations IS 'owner: sign-in'`);
    await queryRunner.query(`CREATE UNIQUE INDEX account_invitations_digest_key ON account_invitations (digest)`);
    await queryRunner.query(`CREATE UNIQUE INDEX account_invitations_address_key ON account_invitations (address)`);
    await queryRunner.query(`CREATE INDEX account_invitations_expires_at_idx ON account_invitations (expires_at)`);
    await queryRunner.query(`CREATE INDEX account_invitations_invited_by_idx ON account_invitations (invited_by)`);

    await queryRunner.query(`
      CREATE TABLE password_resets (
        id uuid NOT NULL CONSTRAINT password_resets_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT password_resets_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        digest bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE password_resets IS 'owner: sign-in'`);
    await queryRunner.query(`CREATE UNIQUE INDEX password_resets_user_id_key ON password_resets (user_id)`);
    await queryRunner.query(`CREATE UNIQUE INDEX password_resets_digest_key ON password_resets (digest)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE password_resets`);
    await queryRunner.query(`DROP TABLE account_invitations`);
    await queryRunner.query(`DROP INDEX identities_id_key`);
    await queryRunner.query(`ALTER TABLE identities DROP COLUMN id`);
    await queryRunner.query(`DROP INDEX users_platform_admin_idx`);
    for (const [name] of LISTED) await queryRunner.query(`DROP INDEX ${name}`);
    await queryRunner.query(`DROP INDEX users_words_idx`);
    await queryRunner.query(`DROP FUNCTION person_words(text, text)`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN signed_in_at`);
  }
}
