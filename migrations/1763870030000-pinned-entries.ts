import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type KnownVersion, newestInTime } from './newest-in-time';

const ROWS_AT_ONCE = 10_000;

/**
 * Entries may be pinned to a version of their listing, and versions of bundles record the version of each entry's listing.
 *
 * The versions of bundles that exist recorded none: their exports gave the newest of the moment, whichever that was. They
 * get what was the newest here when they were made, by the times at which the versions came here and were deleted; what
 * they gave when somebody used them. Entries follow the newest, as they did.
 */
export class PinnedEntries1763870030000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_entries ADD COLUMN version text`);
    await queryRunner.query(`
      CREATE TEMPORARY TABLE newest_versions (listing_id uuid, since timestamptz, version text) ON COMMIT DROP`);
    // Most listings have one version: no need to fetch those.
    await queryRunner.query(`
      INSERT INTO newest_versions
      SELECT listing_id, '-infinity', min(version) FROM listing_versions GROUP BY listing_id HAVING count(*) = 1`);
    const versions = (await queryRunner.query(`
      SELECT listing_id, version, coalesce(published_at, created_at) AS date, created_at,
             CASE WHEN status = 'deleted' THEN coalesce(status_changed_at, created_at) END AS deleted_at
      FROM listing_versions
      WHERE listing_id IN (SELECT listing_id FROM listing_versions GROUP BY listing_id HAVING count(*) > 1)
      ORDER BY listing_id, created_at`)) as KnownVersion[];
    const newest = [...byListing(versions).values()].flatMap(newestInTime);
    for (let done = 0; done < newest.length; done += ROWS_AT_ONCE) {
      await queryRunner.query(
        `INSERT INTO newest_versions
         SELECT listing_id, coalesce(since, '-infinity'), version
         FROM jsonb_to_recordset($1::jsonb) AS given(listing_id uuid, since timestamptz, version text)`,
        [JSON.stringify(newest.slice(done, done + ROWS_AT_ONCE))],
      );
    }
    await queryRunner.query(`CREATE INDEX ON newest_versions (listing_id, since)`);
    await queryRunner.query(`ANALYZE newest_versions`);
    await queryRunner.query(`
      UPDATE bundle_versions SET entries = (
        SELECT jsonb_agg(entry || jsonb_build_object('version', NULL, 'listing_version', (
          SELECT newest_versions.version FROM newest_versions
          WHERE newest_versions.listing_id = (entry ->> 'listing_id')::uuid
            AND newest_versions.since <= bundle_versions.created_at
          ORDER BY newest_versions.since DESC LIMIT 1)) ORDER BY place)
        FROM jsonb_array_elements(entries) WITH ORDINALITY AS listed(entry, place))
      WHERE entries <> '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE bundle_versions SET
        changes = changes - 'updated',
        entries = coalesce((
          SELECT jsonb_agg(entry - 'version' - 'listing_version' ORDER BY place)
          FROM jsonb_array_elements(entries) WITH ORDINALITY AS listed(entry, place)), '[]')`);
    await queryRunner.query(`ALTER TABLE bundle_entries DROP COLUMN version`);
  }
}

function byListing(versions: readonly KnownVersion[]): Map<string, KnownVersion[]> {
  const listings = new Map<string, KnownVersion[]>();
  for (const version of versions) {
    const known = listings.get(version.listing_id);
    if (known) known.push(version);
    else listings.set(version.listing_id, [version]);
  }
  return listings;
}
