import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who may use which tools of a bundle, and whether clients get all tools or search for them. Existing endpoints allow and
 * show everything, as before. A process of the previous release knows nothing of rules, so they hold when none is left.
 */
export class BundlePolicies1795369420000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_endpoints ADD COLUMN default_access text NOT NULL DEFAULT 'ALLOW'`);
    await queryRunner.query(`ALTER TABLE bundle_endpoints ADD COLUMN presentation text NOT NULL DEFAULT 'ALL'`);
    await queryRunner.query(`
      ALTER TABLE bundle_endpoints ADD CONSTRAINT bundle_endpoints_default_access_check
        CHECK (default_access IN ('ALLOW', 'READ_ONLY', 'DENY'))`);
    await queryRunner.query(`
      ALTER TABLE bundle_endpoints ADD CONSTRAINT bundle_endpoints_presentation_check
        CHECK (presentation IN ('ALL', 'SEARCH', 'AUTO'))`);
    await queryRunner.query(`
      CREATE TABLE bundle_policies (
        bundle_id uuid NOT NULL
          CONSTRAINT bundle_policies_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        place integer NOT NULL,
        effect text NOT NULL CONSTRAINT bundle_policies_effect_check CHECK (effect IN ('ALLOW', 'DENY')),
        subject_kind text NOT NULL CONSTRAINT bundle_policies_subject_kind_check
          CHECK (subject_kind IN ('everyone', 'role', 'group', 'person', 'token')),
        subject_role text CONSTRAINT bundle_policies_subject_role_check
          CHECK (subject_role IN ('BUNDLE_OWNER', 'BUNDLE_EDITOR', 'ORG_OWNER', 'ORG_ADMIN', 'ORG_MEMBER', 'OUTSIDER')),
        subject_id uuid,
        tools text NOT NULL,
        hint text CONSTRAINT bundle_policies_hint_check CHECK (hint IN ('read_only', 'destructive')),
        entry_id uuid,
        CONSTRAINT bundle_policies_pkey PRIMARY KEY (bundle_id, place)
      )`);
    await queryRunner.query(`COMMENT ON TABLE bundle_policies IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE bundle_policy_versions (
        bundle_id uuid NOT NULL
          CONSTRAINT bundle_policy_versions_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        number integer NOT NULL,
        kept jsonb NOT NULL,
        CONSTRAINT bundle_policy_versions_pkey PRIMARY KEY (bundle_id, number)
      )`);
    await queryRunner.query(`COMMENT ON TABLE bundle_policy_versions IS 'owner: gateway'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE bundle_policy_versions`);
    await queryRunner.query(`DROP TABLE bundle_policies`);
    await queryRunner.query(`ALTER TABLE bundle_endpoints DROP COLUMN presentation`);
    await queryRunner.query(`ALTER TABLE bundle_endpoints DROP COLUMN default_access`);
  }
}
