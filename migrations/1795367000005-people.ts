import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What platform administrators need to find, invite and help people, and what people need to unlink an identity. What takes
 * long is in `PeopleWhileServing`.
 */
export class People1795367000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users ADD COLUMN signed_in_at timestamptz(3)`);
    // Any text between the ASCII punctuation is a word, so that "ada@acme.example" is found by each of its parts.
    await queryRunner.query(`
      CREATE FUNCTION person_words(email text, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN to_tsvector('simple'::regconfig, regexp_replace(
        normalize(left(coalesce(email, '') || ' ' || coalesce(name, ''), 1000) COLLATE "C", NFC),
        '[!-/:-@[-\`{-~]+', ' ', 'g'))`);

    // An address of the API for each identity; the previous release inserts rows without it. In two steps, as a default that
    // differs from row to row would rewrite the table.
    await queryRunner.query(`ALTER TABLE identities ADD COLUMN id uuid`);
    await queryRunner.query(`ALTER TABLE identities ALTER COLUMN id SET DEFAULT uuid_v7()`);

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
    await queryRunner.query(`ALTER TABLE identities DROP COLUMN id`);
    await queryRunner.query(`DROP FUNCTION person_words(text, text)`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN signed_in_at`);
  }
}
