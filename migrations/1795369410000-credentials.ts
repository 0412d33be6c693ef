import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What servers behind endpoints are given to know who calls: for one entry, of a person or of a bundle, or for a listing, of
 * an organisation. Their values are sealed, and in a table of their own that no list reads. The entries that exist need none.
 */
export class Credentials1795369410000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE credentials (
        id uuid NOT NULL CONSTRAINT credentials_pkey PRIMARY KEY,
        kind text NOT NULL CONSTRAINT credentials_kind_check CHECK (kind IN ('SECRETS', 'OAUTH', 'OAUTH_CLIENT')),
        owner text NOT NULL CONSTRAINT credentials_owner_check CHECK (
          CASE owner
            WHEN 'PERSON' THEN num_nonnulls(person_id, bundle_id, entry_id) = 3
              AND num_nonnulls(organisation_id, listing_id) = 0
            WHEN 'BUNDLE' THEN num_nonnulls(bundle_id, entry_id) = 2
              AND num_nonnulls(person_id, organisation_id, listing_id) = 0
            WHEN 'ORGANISATION' THEN num_nonnulls(organisation_id, listing_id) = 2
              AND num_nonnulls(person_id, bundle_id, entry_id) = 0
            ELSE false
          END),
        person_id uuid CONSTRAINT credentials_person_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        bundle_id uuid CONSTRAINT credentials_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        entry_id uuid,
        organisation_id uuid CONSTRAINT credentials_organisation_id_fkey REFERENCES organisations (id) ON DELETE CASCADE,
        listing_id uuid CONSTRAINT credentials_listing_id_fkey REFERENCES listings (id) ON DELETE CASCADE,
        origin text NOT NULL,
        seen_origins text[] NOT NULL DEFAULT '{}',
        version integer NOT NULL DEFAULT 1,
        status text NOT NULL DEFAULT 'ACTIVE'
          CONSTRAINT credentials_status_check CHECK (status IN ('ACTIVE', 'RECONNECT')),
        issuer text,
        client_id text,
        token_endpoint text,
        resource text,
        scopes text[],
        expires_at timestamptz(3),
        created_by uuid CONSTRAINT credentials_created_by_fkey REFERENCES users (id) ON DELETE SET NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX credentials_person_entry_key ON credentials (person_id, entry_id) WHERE owner = 'PERSON'`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX credentials_bundle_entry_key ON credentials (bundle_id, entry_id) WHERE owner = 'BUNDLE'`,
    );
    await queryRunner.query(`
      CREATE UNIQUE INDEX credentials_organisation_listing_key ON credentials (organisation_id, listing_id)
        WHERE owner = 'ORGANISATION'`);
    await queryRunner.query(`CREATE INDEX credentials_person_id_idx ON credentials (person_id, id)`);
    await queryRunner.query(`CREATE INDEX credentials_bundle_id_idx ON credentials (bundle_id, id)`);
    await queryRunner.query(`CREATE INDEX credentials_organisation_id_idx ON credentials (organisation_id, id)`);
    await queryRunner.query(`CREATE INDEX credentials_listing_id_idx ON credentials (listing_id)`);
    await queryRunner.query(`CREATE INDEX credentials_created_by_idx ON credentials (created_by)`);
    await queryRunner.query(`COMMENT ON TABLE credentials IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE credential_values (
        id uuid NOT NULL CONSTRAINT credential_values_pkey PRIMARY KEY,
        credential_id uuid NOT NULL
          CONSTRAINT credential_values_credential_id_fkey REFERENCES credentials (id) ON DELETE CASCADE,
        name text NOT NULL,
        sealed bytea NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT credential_values_name_key UNIQUE (credential_id, name)
      )`);
    await queryRunner.query(`COMMENT ON TABLE credential_values IS 'owner: gateway'`);

    await queryRunner.query(`ALTER TABLE bundle_entries ADD COLUMN credential_mode text NOT NULL DEFAULT 'NONE'`);
    await queryRunner.query(`
      ALTER TABLE bundle_entries ADD CONSTRAINT bundle_entries_credential_mode_check
        CHECK (credential_mode IN ('NONE', 'SHARED', 'PERSONAL', 'PERSONAL_OR_SHARED')) NOT VALID`);
    await queryRunner.query(`ALTER TABLE upstreams ADD COLUMN credential_id uuid`);
    await queryRunner.query(`ALTER TABLE upstreams ADD COLUMN fills jsonb NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`
      ALTER TABLE upstreams ADD CONSTRAINT upstreams_credential_id_fkey
        FOREIGN KEY (credential_id) REFERENCES credentials (id) ON DELETE CASCADE NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE upstreams DROP COLUMN fills`);
    await queryRunner.query(`ALTER TABLE upstreams DROP COLUMN credential_id`);
    await queryRunner.query(`ALTER TABLE bundle_entries DROP COLUMN credential_mode`);
    await queryRunner.query(`DROP TABLE credential_values`);
    await queryRunner.query(`DROP TABLE credentials`);
  }
}
