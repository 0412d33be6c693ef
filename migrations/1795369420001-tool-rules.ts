import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What bundles say of the tools of their servers: which definitions are approved, and what is shown otherwise than the server has
 * it. Each row says for which versions of the bundle it holds, so that nothing is copied into versions. Existing entries get
 * `WARN`, and entries that a process of the previous release adds, too.
 */
export class ToolRules1795369420001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_entries ADD COLUMN pinning text NOT NULL DEFAULT 'WARN'`);
    await queryRunner.query(`
      ALTER TABLE bundle_entries ADD CONSTRAINT bundle_entries_pinning_check
        CHECK (pinning IN ('OFF', 'WARN', 'APPROVE')) NOT VALID`);
    await queryRunner.query(`ALTER TABLE endpoint_upstreams ADD COLUMN is_tools_due boolean NOT NULL DEFAULT true`);
    await queryRunner.query(`ALTER TABLE endpoint_upstreams ADD COLUMN has_tools boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`
      CREATE TABLE bundle_tools (
        id uuid NOT NULL CONSTRAINT bundle_tools_pkey PRIMARY KEY,
        bundle_id uuid NOT NULL CONSTRAINT bundle_tools_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        entry_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT bundle_tools_kind_check CHECK (kind IN ('tool', 'prompt', 'template')),
        name text NOT NULL,
        digest bytea NOT NULL,
        is_listed boolean NOT NULL,
        first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundle_tools_name_key UNIQUE (bundle_id, entry_id, kind, name)
      )`);
    await queryRunner.query(`CREATE INDEX bundle_tools_gone_idx ON bundle_tools (changed_at) WHERE NOT is_listed`);
    await queryRunner.query(`COMMENT ON TABLE bundle_tools IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE tool_approvals (
        bundle_id uuid NOT NULL CONSTRAINT tool_approvals_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        entry_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT tool_approvals_kind_check CHECK (kind IN ('tool', 'prompt', 'template')),
        name text NOT NULL,
        digest bytea NOT NULL,
        from_version integer NOT NULL,
        until_version integer CONSTRAINT tool_approvals_versions_check CHECK (until_version > from_version),
        approved_by uuid,
        approved_at timestamptz(3) NOT NULL,
        CONSTRAINT tool_approvals_pkey PRIMARY KEY (bundle_id, entry_id, kind, name, digest, from_version)
      )`);
    await queryRunner.query(
      `CREATE INDEX tool_approvals_present_idx ON tool_approvals (bundle_id) WHERE until_version IS NULL`,
    );
    await queryRunner.query(`COMMENT ON TABLE tool_approvals IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE approved_definitions (
        bundle_id uuid NOT NULL CONSTRAINT approved_definitions_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        digest bytea NOT NULL,
        body text NOT NULL,
        unused_since timestamptz(3),
        CONSTRAINT approved_definitions_pkey PRIMARY KEY (bundle_id, digest),
        CONSTRAINT approved_definitions_digest_check CHECK (digest = sha256(convert_to(body, 'UTF8')))
      )`);
    await queryRunner.query(`
      CREATE INDEX approved_definitions_unused_since_idx ON approved_definitions (unused_since)
        WHERE unused_since IS NOT NULL`);
    await queryRunner.query(`COMMENT ON TABLE approved_definitions IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE tool_overrides (
        bundle_id uuid NOT NULL CONSTRAINT tool_overrides_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        entry_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT tool_overrides_kind_check CHECK (kind IN ('tool', 'prompt', 'template')),
        name text NOT NULL,
        from_version integer NOT NULL,
        until_version integer CONSTRAINT tool_overrides_versions_check CHECK (until_version > from_version),
        is_enabled boolean NOT NULL,
        exposed_name text
          CONSTRAINT tool_overrides_exposed_name_check CHECK (exposed_name ~ '^[A-Za-z0-9_-]{1,64}$'),
        title text,
        description text,
        annotations jsonb,
        fixed_arguments jsonb,
        made_by uuid,
        made_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT tool_overrides_pkey PRIMARY KEY (bundle_id, entry_id, kind, name, from_version)
      )`);
    await queryRunner.query(
      `CREATE INDEX tool_overrides_present_idx ON tool_overrides (bundle_id) WHERE until_version IS NULL`,
    );
    await queryRunner.query(`COMMENT ON TABLE tool_overrides IS 'owner: gateway'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE tool_overrides`);
    await queryRunner.query(`DROP TABLE approved_definitions`);
    await queryRunner.query(`DROP TABLE tool_approvals`);
    await queryRunner.query(`DROP TABLE bundle_tools`);
    await queryRunner.query(`ALTER TABLE endpoint_upstreams DROP COLUMN has_tools`);
    await queryRunner.query(`ALTER TABLE endpoint_upstreams DROP COLUMN is_tools_due`);
    await queryRunner.query(`ALTER TABLE bundle_entries DROP COLUMN pinning`);
  }
}
