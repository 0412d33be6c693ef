import { MigrationInterface, QueryRunner } from 'typeorm';

/** Bundles and all that goes when a bundle goes (contract, section 6). */
export class Bundles1763683250000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE bundles (
        id uuid NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        description text NOT NULL DEFAULT '',
        visibility visibility NOT NULL DEFAULT 'PRIVATE',
        org_id uuid,
        owner_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundles_pkey PRIMARY KEY (id),
        CONSTRAINT bundles_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT bundles_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id)
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX bundles_org_slug_key ON bundles (org_id, slug) WHERE org_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX bundles_owner_slug_key ON bundles (owner_id, slug) WHERE org_id IS NULL`,
    );
    await queryRunner.query(`CREATE INDEX bundles_org_id_idx ON bundles (org_id, id)`);
    await queryRunner.query(`CREATE INDEX bundles_owner_id_idx ON bundles (owner_id, id)`);
    await queryRunner.query(`CREATE INDEX bundles_public_idx ON bundles (id) WHERE visibility = 'PUBLIC'`);

    // A deleted listing leaves its entry behind with the name that it had: it never breaks a bundle.
    await queryRunner.query(`
      CREATE TABLE bundle_entries (
        id uuid NOT NULL,
        bundle_id uuid NOT NULL,
        listing_id uuid,
        listing_name text NOT NULL,
        position integer NOT NULL,
        is_enabled boolean NOT NULL DEFAULT true,
        config jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundle_entries_pkey PRIMARY KEY (id),
        CONSTRAINT bundle_entries_listing_key UNIQUE (bundle_id, listing_id),
        CONSTRAINT bundle_entries_position_key UNIQUE (bundle_id, position) DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT bundle_entries_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE,
        CONSTRAINT bundle_entries_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings (id) ON DELETE SET NULL
      )`);
    await queryRunner.query(`CREATE INDEX bundle_entries_listing_id_idx ON bundle_entries (listing_id)`);

    await queryRunner.query(`
      CREATE TABLE bundle_access_tokens (
        id uuid NOT NULL,
        bundle_id uuid NOT NULL,
        name text NOT NULL,
        prefix text NOT NULL,
        digest bytea NOT NULL,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundle_access_tokens_pkey PRIMARY KEY (id),
        CONSTRAINT bundle_access_tokens_digest_key UNIQUE (digest),
        CONSTRAINT bundle_access_tokens_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX bundle_access_tokens_bundle_id_idx ON bundle_access_tokens (bundle_id, id)`);

    await queryRunner.query(`
      CREATE TABLE bundle_follows (
        bundle_id uuid NOT NULL,
        user_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundle_follows_pkey PRIMARY KEY (bundle_id, user_id),
        CONSTRAINT bundle_follows_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE,
        CONSTRAINT bundle_follows_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX bundle_follows_user_id_idx ON bundle_follows (user_id)`);

    await queryRunner.query(`
      CREATE TABLE bundle_deployments (
        id uuid NOT NULL,
        bundle_id uuid NOT NULL,
        name text NOT NULL,
        environment text NOT NULL,
        status text NOT NULL,
        url text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundle_deployments_pkey PRIMARY KEY (id),
        CONSTRAINT bundle_deployments_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX bundle_deployments_bundle_id_idx ON bundle_deployments (bundle_id, id)`);

    await queryRunner.query(`
      CREATE TABLE bundle_editors (
        bundle_id uuid NOT NULL,
        user_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundle_editors_pkey PRIMARY KEY (bundle_id, user_id),
        CONSTRAINT bundle_editors_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE,
        CONSTRAINT bundle_editors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX bundle_editors_user_id_idx ON bundle_editors (user_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'bundle_editors',
      'bundle_deployments',
      'bundle_follows',
      'bundle_access_tokens',
      'bundle_entries',
      'bundles',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
