import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables by the room of `src/` that owns them. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  users: ['deleted_identities', 'identities', 'users'],
  events: ['events'],
  organisations: ['audit_log', 'invitations', 'memberships', 'organisation_domains', 'organisations'],
  scim: [
    'organisation_calls',
    'revoked_scim_tokens',
    'scim_group_members',
    'scim_groups',
    'scim_log',
    'scim_role_mappings',
    'scim_settings',
    'scim_sync_changes',
    'scim_sync_runs',
    'scim_tokens',
    'scim_users',
  ],
  catalog: [
    'categories',
    'category_count_refresh',
    'category_counts',
    'import_quarantine',
    'import_runs',
    'import_sources',
    'listing_version_clock',
    'listing_versions',
    'listings',
    'namespaces',
  ],
  bundles: [
    'bundle_access_tokens',
    'bundle_deployments',
    'bundle_editors',
    'bundle_entries',
    'bundle_follows',
    'bundle_versions',
    'bundles',
  ],
  webhooks: [
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_endpoints',
    'webhook_former_secrets',
    'webhook_hours',
    'webhook_lanes',
    'webhook_new_events',
    'webhook_queue',
    'webhook_recoveries',
    'webhook_removed_endpoints',
    'webhook_tenants',
  ],
};

/** Each table says whose it is. Only its owner may change what it is, and other rooms ask the owner for rows of it. */
export class OwnersOfTables1795336412434 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [owner, tables] of Object.entries(TABLES)) {
      for (const table of tables) await queryRunner.query(`COMMENT ON TABLE ${table} IS 'owner: ${owner}'`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of Object.values(TABLES).flat()) await queryRunner.query(`COMMENT ON TABLE ${table} IS NULL`);
  }
}
