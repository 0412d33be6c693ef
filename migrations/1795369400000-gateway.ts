import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bundles and their deployments as MCP endpoints: settings, what is known of the servers behind them, and sessions with
 * servers of the older era. Existing access tokens keep reading only, existing deployments stay those of their operators.
 */
export class Gateway1795369400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE bundle_endpoints (
        bundle_id uuid NOT NULL CONSTRAINT bundle_endpoints_pkey PRIMARY KEY
          CONSTRAINT bundle_endpoints_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        is_enabled boolean NOT NULL DEFAULT false,
        naming text NOT NULL DEFAULT 'PREFIX'
          CONSTRAINT bundle_endpoints_naming_check CHECK (naming IN ('PREFIX', 'PLAIN')),
        name_budget integer NOT NULL DEFAULT 48
          CONSTRAINT bundle_endpoints_name_budget_check CHECK (name_budget BETWEEN 24 AND 64),
        stamp bigint NOT NULL DEFAULT 1,
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`COMMENT ON TABLE bundle_endpoints IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE endpoint_aliases (
        bundle_id uuid NOT NULL
          CONSTRAINT endpoint_aliases_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        entry_id uuid NOT NULL,
        alias text NOT NULL CONSTRAINT endpoint_aliases_alias_check CHECK (alias ~ '^[a-z0-9-]{1,16}$'),
        CONSTRAINT endpoint_aliases_pkey PRIMARY KEY (bundle_id, entry_id),
        CONSTRAINT endpoint_aliases_alias_key UNIQUE (bundle_id, alias)
      )`);
    await queryRunner.query(`COMMENT ON TABLE endpoint_aliases IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE upstreams (
        id uuid NOT NULL CONSTRAINT upstreams_pkey PRIMARY KEY,
        digest bytea NOT NULL CONSTRAINT upstreams_digest_key UNIQUE,
        url text NOT NULL,
        headers jsonb NOT NULL,
        modern text,
        modern_at timestamptz(3),
        legacy text,
        legacy_at timestamptz(3),
        server_info jsonb,
        capabilities jsonb,
        instructions text,
        listed_at timestamptz(3),
        list_error text,
        left_out jsonb NOT NULL DEFAULT '[]',
        ttl_ms integer,
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        claimed_until timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX upstreams_due_at_idx ON upstreams (due_at)`);
    await queryRunner.query(`CREATE INDEX upstreams_used_at_idx ON upstreams (used_at)`);
    await queryRunner.query(`COMMENT ON TABLE upstreams IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE upstream_definitions (
        upstream_id uuid NOT NULL
          CONSTRAINT upstream_definitions_upstream_id_fkey REFERENCES upstreams (id) ON DELETE CASCADE,
        kind text NOT NULL
          CONSTRAINT upstream_definitions_kind_check CHECK (kind IN ('tool', 'prompt', 'resource', 'template')),
        name text NOT NULL,
        digest bytea NOT NULL,
        place integer NOT NULL,
        body text NOT NULL,
        first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        is_listed boolean NOT NULL DEFAULT true,
        CONSTRAINT upstream_definitions_pkey PRIMARY KEY (upstream_id, kind, name, digest)
      )`);
    await queryRunner.query(
      `CREATE INDEX upstream_definitions_gone_idx ON upstream_definitions (last_seen_at) WHERE NOT is_listed`,
    );
    await queryRunner.query(`COMMENT ON TABLE upstream_definitions IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE upstream_sessions (
        principal text NOT NULL,
        entry_id uuid NOT NULL,
        upstream_id uuid NOT NULL
          CONSTRAINT upstream_sessions_upstream_id_fkey REFERENCES upstreams (id) ON DELETE CASCADE,
        capabilities bytea NOT NULL,
        revision text NOT NULL,
        session_id bytea,
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT upstream_sessions_pkey PRIMARY KEY (principal, entry_id, upstream_id, capabilities)
      )`);
    await queryRunner.query(`CREATE INDEX upstream_sessions_upstream_id_idx ON upstream_sessions (upstream_id)`);
    await queryRunner.query(`CREATE INDEX upstream_sessions_used_at_idx ON upstream_sessions (used_at)`);
    await queryRunner.query(`COMMENT ON TABLE upstream_sessions IS 'owner: gateway'`);

    await queryRunner.query(`ALTER TABLE bundle_access_tokens ADD COLUMN scopes text[] NOT NULL DEFAULT '{read}'`);
    await queryRunner.query(`
      ALTER TABLE bundle_access_tokens ADD CONSTRAINT bundle_access_tokens_scopes_check
        CHECK (scopes <@ ARRAY['read', 'call']) NOT VALID`);
    await queryRunner.query(`ALTER TABLE bundle_deployments ADD COLUMN kind text NOT NULL DEFAULT 'EXTERNAL'`);
    await queryRunner.query(`
      ALTER TABLE bundle_deployments ADD CONSTRAINT bundle_deployments_kind_check
        CHECK (kind IN ('EXTERNAL', 'ENDPOINT')) NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_deployments DROP COLUMN kind`);
    await queryRunner.query(`ALTER TABLE bundle_access_tokens DROP COLUMN scopes`);
    await queryRunner.query(`DROP TABLE upstream_sessions`);
    await queryRunner.query(`DROP TABLE upstream_definitions`);
    await queryRunner.query(`DROP TABLE upstreams`);
    await queryRunner.query(`DROP TABLE endpoint_aliases`);
    await queryRunner.query(`DROP TABLE bundle_endpoints`);
  }
}
