import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of bundles, deployments that are bound to them, counts, and what access tokens need (contract, section 6). */
export class BundlesWhole1763790000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bundles
        ADD COLUMN version integer NOT NULL DEFAULT 1,
        ADD COLUMN entry_count integer NOT NULL DEFAULT 0,
        ADD COLUMN follower_count integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      UPDATE bundles SET
        entry_count = (SELECT count(*) FROM bundle_entries WHERE bundle_id = bundles.id),
        follower_count = (SELECT count(*) FROM bundle_follows WHERE bundle_id = bundles.id)`);
    await queryRunner.query(
      `CREATE INDEX bundles_public_org_idx ON bundles (org_id, id) WHERE visibility = 'PUBLIC' AND org_id IS NOT NULL`,
    );
    await this.countFollowers(queryRunner);

    // The name of the server in the configuration of a client: it must not depend on what else is in the bundle.
    await queryRunner.query(`ALTER TABLE bundle_entries ADD COLUMN key text`);
    await queryRunner.query(`
      UPDATE bundle_entries SET key = CASE WHEN number = 1 THEN base ELSE base || '-' || left(md5(named.id::text), 8) END
      FROM (
        SELECT id, base, row_number() OVER (PARTITION BY bundle_id, base ORDER BY position) AS number
        FROM (
          SELECT id, bundle_id, position, coalesce(
            nullif(trim('-' FROM left(regexp_replace(lower(regexp_replace(listing_name, '^.*/', '')), '[^a-z0-9]+', '-', 'g'), 50)), ''),
            'server') AS base
          FROM bundle_entries
        ) AS based
      ) AS named
      WHERE named.id = bundle_entries.id`);
    await queryRunner.query(`
      ALTER TABLE bundle_entries
        ALTER COLUMN key SET NOT NULL,
        ADD CONSTRAINT bundle_entries_key_key UNIQUE (bundle_id, key)`);

    // Who made a version may be gone by now, and nobody asks for the versions that somebody made: no foreign key.
    await queryRunner.query(`
      CREATE TABLE bundle_versions (
        bundle_id uuid NOT NULL,
        number integer NOT NULL,
        entries jsonb NOT NULL,
        entry_count integer NOT NULL,
        action text NOT NULL,
        changes jsonb NOT NULL,
        restored_from integer,
        made_by uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT bundle_versions_pkey PRIMARY KEY (bundle_id, number),
        CONSTRAINT bundle_versions_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes)
      SELECT bundles.id, 1, coalesce(snapshot.entries, '[]'), bundles.entry_count, 'CREATED',
             '{"added": 0, "removed": 0, "moved": 0, "enabled": 0, "disabled": 0, "reconfigured": 0}'
      FROM bundles CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('id', id, 'listing_id', listing_id, 'listing_name', listing_name, 'key', key,
                                            'is_enabled', is_enabled, 'config', config) ORDER BY position) AS entries
        FROM bundle_entries WHERE bundle_id = bundles.id
      ) AS snapshot`);

    await queryRunner.query(`ALTER TABLE bundle_access_tokens ADD COLUMN created_by uuid`);
    await queryRunner.query(
      `UPDATE bundle_access_tokens SET created_by = bundles.owner_id FROM bundles WHERE bundles.id = bundle_id`,
    );
    await queryRunner.query(`
      ALTER TABLE bundle_access_tokens
        ALTER COLUMN created_by SET NOT NULL,
        ADD CONSTRAINT bundle_access_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE CASCADE`);
    await queryRunner.query(`CREATE INDEX bundle_access_tokens_created_by_idx ON bundle_access_tokens (created_by)`);

    // No foreign key: versions go with their bundle only, which takes the deployments along, and a cascade from each
    // version would make that five times as slow.
    await queryRunner.query(`ALTER TABLE bundle_deployments ADD COLUMN bundle_version integer NOT NULL DEFAULT 1`);
    await queryRunner.query(`
      ALTER TABLE bundle_deployments
        ALTER COLUMN bundle_version DROP DEFAULT,
        ADD CONSTRAINT bundle_deployments_status_check
          CHECK (status IN ('PENDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'STOPPED')),
        ADD CONSTRAINT bundle_deployments_bundle_version_check CHECK (bundle_version > 0)`);

    // In the order of the lists that read them.
    await queryRunner.query(`DROP INDEX bundle_follows_user_id_idx`);
    await queryRunner.query(`CREATE INDEX bundle_follows_user_id_idx ON bundle_follows (user_id, bundle_id)`);
    await queryRunner.query(
      `CREATE INDEX bundle_follows_bundle_id_idx ON bundle_follows (bundle_id, created_at, user_id)`,
    );
    await queryRunner.query(`DROP INDEX bundle_editors_user_id_idx`);
    await queryRunner.query(`CREATE INDEX bundle_editors_user_id_idx ON bundle_editors (user_id, bundle_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of [
      ['bundle_editors', 'user_id'],
      ['bundle_follows', 'user_id'],
    ]) {
      await queryRunner.query(`DROP INDEX ${table}_user_id_idx`);
      await queryRunner.query(`CREATE INDEX ${table}_user_id_idx ON ${table} (${column})`);
    }
    await queryRunner.query(`DROP INDEX bundle_follows_bundle_id_idx`);
    await queryRunner.query(`
      ALTER TABLE bundle_deployments
        DROP CONSTRAINT bundle_deployments_status_check,
        DROP COLUMN bundle_version`);
    await queryRunner.query(`ALTER TABLE bundle_access_tokens DROP COLUMN created_by`);
    await queryRunner.query(`DROP TABLE bundle_versions`);
    await queryRunner.query(`ALTER TABLE bundle_entries DROP COLUMN key`);
    for (const name of ['added', 'removed']) {
      await queryRunner.query(`DROP TRIGGER bundle_follows_${name} ON bundle_follows`);
    }
    await queryRunner.query(`DROP FUNCTION count_bundle_followers()`);
    await queryRunner.query(`DROP INDEX bundles_public_org_idx`);
    await queryRunner.query(`
      ALTER TABLE bundles DROP COLUMN version, DROP COLUMN entry_count, DROP COLUMN follower_count`);
  }

  /** By trigger, so that no writer can forget it: a follow also goes with the account that follows. */
  private async countFollowers(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION count_bundle_followers() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
        BEGIN
          UPDATE bundles SET follower_count = follower_count + step * changed.number
          FROM (SELECT bundle_id, count(*)::int AS number FROM rows GROUP BY bundle_id) AS changed
          WHERE bundles.id = changed.bundle_id;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER bundle_follows_added AFTER INSERT ON bundle_follows REFERENCING NEW TABLE AS rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_bundle_followers()`);
    await queryRunner.query(`
      CREATE TRIGGER bundle_follows_removed AFTER DELETE ON bundle_follows REFERENCING OLD TABLE AS rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_bundle_followers()`);
  }
}
