import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Documents come back as they were published, in the order in which they were written: `json` keeps the text, `jsonb`
 * sorts the fields. And each row says how many bytes it puts into an answer, so that a page can end at a number of bytes
 * without the documents being read (contract, section 12.4).
 */
export class Documents1763860000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The type of a column that a trigger names cannot change.
    await queryRunner.query(`DROP TRIGGER listing_versions_stamp ON listing_versions`);
    await queryRunner.query(`
      ALTER TABLE listing_versions
        ALTER COLUMN server TYPE json USING server::text::json,
        ADD COLUMN server_bytes integer`);
    await queryRunner.query(`UPDATE listing_versions SET server_bytes = octet_length(server::text)`);
    await queryRunner.query(`ALTER TABLE listing_versions ALTER COLUMN server_bytes SET NOT NULL`);
    await this.stamp(queryRunner, 'is_latest, status, status_message, audience, is_private');
    // Fields in another order are no change to those who follow the registry.
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER listing_versions_stamp_document AFTER UPDATE OF server ON listing_versions
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.server::jsonb <> NEW.server::jsonb)
        EXECUTE FUNCTION stamp_listing_version()`);

    // By triggers, so that no writer can forget it.
    await queryRunner.query(`
      CREATE FUNCTION weigh_listing_version() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.server_bytes := octet_length(NEW.server::text);
          RETURN NEW;
        END $$`);
    await queryRunner.query(`
      CREATE TRIGGER listing_versions_weigh BEFORE INSERT OR UPDATE OF server ON listing_versions
        FOR EACH ROW EXECUTE FUNCTION weigh_listing_version()`);

    // What a listing shows of its latest document and no schema bounds.
    await queryRunner.query(`ALTER TABLE listings ADD COLUMN shown_bytes integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      CREATE FUNCTION weigh_listing() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.shown_bytes := octet_length(concat(NEW.repository, NEW.website_url, NEW.icons, NEW.registry_types));
          RETURN NEW;
        END $$`);
    await queryRunner.query(`
      CREATE TRIGGER listings_weigh BEFORE INSERT OR UPDATE OF repository, website_url, icons, registry_types ON listings
        FOR EACH ROW EXECUTE FUNCTION weigh_listing()`);
    await queryRunner.query(`
      UPDATE listings SET shown_bytes = octet_length(concat(repository, website_url, icons, registry_types))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER listings_weigh ON listings`);
    await queryRunner.query(`DROP FUNCTION weigh_listing()`);
    await queryRunner.query(`ALTER TABLE listings DROP COLUMN shown_bytes`);
    await queryRunner.query(`DROP TRIGGER listing_versions_weigh ON listing_versions`);
    await queryRunner.query(`DROP FUNCTION weigh_listing_version()`);
    await queryRunner.query(`DROP TRIGGER listing_versions_stamp_document ON listing_versions`);
    await queryRunner.query(`DROP TRIGGER listing_versions_stamp ON listing_versions`);
    await queryRunner.query(`
      ALTER TABLE listing_versions ALTER COLUMN server TYPE jsonb USING server::jsonb, DROP COLUMN server_bytes`);
    // As `RegistryRows` made it.
    await this.stamp(queryRunner, 'server, is_latest, status, status_message, audience, is_private');
  }

  private async stamp(queryRunner: QueryRunner, columns: string): Promise<void> {
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER listing_versions_stamp AFTER INSERT OR UPDATE OF ${columns} ON listing_versions
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION stamp_listing_version()`);
  }
}
