import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the MCP registry API says of each version (contract, section 10). It lists versions, in the order of names and
 * versions, or of their last change; so what decides about that stands in the version's own row, with an index for
 * each order. `listings` stays the truth: whoever publishes, archives or hides a listing writes its versions too.
 */
export class RegistryRows1763795000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE listing_versions
        ADD COLUMN server_name text,
        ADD COLUMN org_id uuid,
        ADD COLUMN status text NOT NULL DEFAULT 'active',
        ADD COLUMN status_message text,
        ADD COLUMN status_changed_at timestamptz(3),
        ADD COLUMN published_at timestamptz(3),
        ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
        ADD COLUMN audience text NOT NULL DEFAULT 'none',
        ADD COLUMN was_public boolean NOT NULL DEFAULT false,
        ADD COLUMN is_private boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`
      UPDATE listing_versions SET server_name = listings.name, org_id = listings.org_id,
        audience = CASE WHEN listings.status <> 'PUBLISHED' THEN 'none' WHEN listings.visibility = 'PUBLIC' THEN 'public'
                        ELSE 'organisation' END,
        was_public = listings.status <> 'DRAFT' AND listings.visibility = 'PUBLIC',
        is_private = listings.visibility = 'PRIVATE',
        published_at = listings.published_at, status_changed_at = coalesce(listings.archived_at, listings.published_at),
        updated_at = listings.updated_at
      FROM listings WHERE listings.id = listing_versions.listing_id`);
    await queryRunner.query(`ALTER TABLE listing_versions ALTER COLUMN server_name SET NOT NULL`);
    await queryRunner.query(`
      ALTER TABLE listing_versions
        ADD CONSTRAINT listing_versions_status_check CHECK (status IN ('active', 'deprecated', 'deleted')),
        ADD CONSTRAINT listing_versions_audience_check CHECK (audience IN ('none', 'public', 'organisation'))`);
    await queryRunner.query(
      `CREATE INDEX listing_versions_public_idx ON listing_versions (server_name COLLATE "C", version COLLATE "C")
       WHERE audience = 'public' AND status <> 'deleted'`,
    );
    await queryRunner.query(
      `CREATE INDEX listing_versions_public_latest_idx ON listing_versions (server_name COLLATE "C", version COLLATE "C")
       WHERE audience = 'public' AND status <> 'deleted' AND is_latest`,
    );
    await queryRunner.query(
      `CREATE INDEX listing_versions_once_public_idx ON listing_versions (server_name COLLATE "C", version COLLATE "C")
       WHERE was_public`,
    );
    await queryRunner.query(
      `CREATE INDEX listing_versions_updated_at_idx ON listing_versions (updated_at, server_name COLLATE "C", version COLLATE "C")
       WHERE was_public`,
    );
    await queryRunner.query(
      `CREATE INDEX listing_versions_org_id_idx ON listing_versions (org_id, server_name COLLATE "C", version COLLATE "C")
       WHERE org_id IS NOT NULL`,
    );

    // By triggers, so that no writer can forget it.
    await queryRunner.query(`
      CREATE FUNCTION listing_audience(status listing_status, visibility visibility) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN status <> 'PUBLISHED' THEN 'none' WHEN visibility = 'PUBLIC' THEN 'public' ELSE 'organisation' END
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION place_listing_version() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          SELECT name, org_id, listing_audience(status, visibility), visibility = 'PRIVATE'
          INTO NEW.server_name, NEW.org_id, NEW.audience, NEW.is_private
          FROM listings WHERE id = NEW.listing_id;
          IF NEW.audience <> 'none' THEN
            NEW.was_public := NEW.audience = 'public';
            NEW.published_at := coalesce(NEW.published_at, now());
            NEW.status_changed_at := coalesce(NEW.status_changed_at, NEW.published_at);
          END IF;
          RETURN NEW;
        END $$`);
    await queryRunner.query(`
      CREATE TRIGGER listing_versions_place BEFORE INSERT ON listing_versions
        FOR EACH ROW EXECUTE FUNCTION place_listing_version()`);
    await queryRunner.query(`
      CREATE FUNCTION place_listing_versions() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE placed text := listing_audience(NEW.status, NEW.visibility);
        BEGIN
          UPDATE listing_versions
          SET audience = placed, is_private = NEW.visibility = 'PRIVATE', was_public = was_public OR placed = 'public',
              status_changed_at = now(),
              published_at = CASE WHEN placed = 'none' THEN published_at ELSE coalesce(published_at, now()) END
          WHERE listing_id = NEW.id AND (audience, is_private) IS DISTINCT FROM (placed, NEW.visibility = 'PRIVATE');
          RETURN NULL;
        END $$`);
    await queryRunner.query(`
      CREATE TRIGGER listings_place_versions AFTER UPDATE OF status, visibility ON listings
        FOR EACH ROW EXECUTE FUNCTION place_listing_versions()`);

    // Whoever asks for what changed since the last change that he saw must miss nothing. So the times of changes have
    // the order of commits: they are written at the end of a transaction, under a lock that is held until everybody
    // sees it, and no two transactions have the same one. Nothing is locked after it, so it takes part in no deadlock.
    // A migration that changes versions and then their table has to SET CONSTRAINTS ALL IMMEDIATE in between.
    await queryRunner.query(`
      CREATE TABLE listing_version_clock (
        only_row boolean NOT NULL DEFAULT true,
        last_stamp timestamptz(3) NOT NULL,
        CONSTRAINT listing_version_clock_pkey PRIMARY KEY (only_row),
        CONSTRAINT listing_version_clock_only_row_check CHECK (only_row)
      )`);
    await queryRunner.query(`
      INSERT INTO listing_version_clock (last_stamp) SELECT coalesce(max(updated_at), now()) FROM listing_versions`);
    await queryRunner.query(`
      CREATE FUNCTION stamp_listing_version() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE stamp timestamptz(3) := nullif(current_setting('toolyard.version_stamp', true), '');
        BEGIN
          IF stamp IS NULL THEN
            UPDATE listing_version_clock SET last_stamp = greatest(clock_timestamp(), last_stamp + interval '1 ms')
            RETURNING last_stamp INTO STRICT stamp;
            PERFORM set_config('toolyard.version_stamp', stamp::text, true);
          END IF;
          UPDATE listing_versions SET updated_at = stamp
          WHERE listing_id = NEW.listing_id AND version = NEW.version AND updated_at <> stamp;
          RETURN NULL;
        END $$`);
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER listing_versions_stamp
        AFTER INSERT OR UPDATE OF server, is_latest, status, status_message, audience, is_private ON listing_versions
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION stamp_listing_version()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER listing_versions_stamp ON listing_versions`);
    await queryRunner.query(`DROP FUNCTION stamp_listing_version()`);
    await queryRunner.query(`DROP TABLE listing_version_clock`);
    await queryRunner.query(`DROP TRIGGER listings_place_versions ON listings`);
    await queryRunner.query(`DROP TRIGGER listing_versions_place ON listing_versions`);
    await queryRunner.query(`DROP FUNCTION place_listing_versions()`);
    await queryRunner.query(`DROP FUNCTION place_listing_version()`);
    await queryRunner.query(`DROP FUNCTION listing_audience(listing_status, visibility)`);
    await queryRunner.query(`
      ALTER TABLE listing_versions
        DROP COLUMN server_name, DROP COLUMN org_id, DROP COLUMN status, DROP COLUMN status_message,
        DROP COLUMN status_changed_at, DROP COLUMN published_at, DROP COLUMN updated_at, DROP COLUMN audience,
        DROP COLUMN was_public, DROP COLUMN is_private`);
  }
}
