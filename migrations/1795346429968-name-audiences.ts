import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Entries remember who may know the name of their listing once it is deleted: a private listing that not everyone in a
 * bundle could see must not become known by its deletion. Entries whose listing is deleted already get `NOBODY`, as nothing
 * says whose it was; so do those that a process of the release before adds during the update.
 */
export class NameAudiences1795346429968 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bundle_entries ADD COLUMN name_known_to text NOT NULL DEFAULT 'NOBODY'
        CONSTRAINT bundle_entries_name_known_to_check CHECK (name_known_to IN ('EVERYONE', 'OWNER', 'NOBODY'))`);
    await queryRunner.query(`
      UPDATE bundle_entries
      SET name_known_to =
        CASE WHEN listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT' THEN 'EVERYONE' ELSE 'OWNER' END
      FROM bundles, listings
      WHERE bundles.id = bundle_entries.bundle_id AND listings.id = bundle_entries.listing_id
        AND ((listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT')
          OR listings.org_id = bundles.org_id
          OR (bundles.org_id IS NULL
            AND ((listings.org_id IS NULL AND listings.owner_id = bundles.owner_id)
              OR EXISTS (SELECT 1 FROM memberships WHERE memberships.org_id = listings.org_id
                           AND memberships.user_id = bundles.owner_id AND memberships.role IS NOT NULL))))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_entries DROP COLUMN name_known_to`);
  }
}
