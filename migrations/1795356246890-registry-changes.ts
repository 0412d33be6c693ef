import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notifies the replicas of every change of what the public registry shows, in the transaction of the change: each keeps
 * ready answers in memory (ADR 24). Versions that were never public are none of its business.
 */
export class RegistryChanges1795356246890 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION notify_registry() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_notify('registry', ''); RETURN NULL; END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER listing_versions_notify AFTER INSERT ON listing_versions
        FOR EACH ROW WHEN (NEW.was_public) EXECUTE FUNCTION notify_registry()`);
    await queryRunner.query(`
      CREATE TRIGGER listing_versions_notify_change AFTER UPDATE ON listing_versions
        FOR EACH ROW WHEN (OLD.was_public OR NEW.was_public) EXECUTE FUNCTION notify_registry()`);
    await queryRunner.query(`
      CREATE TRIGGER listing_versions_notify_deletion AFTER DELETE ON listing_versions
        FOR EACH ROW WHEN (OLD.was_public) EXECUTE FUNCTION notify_registry()`);
    await queryRunner.query(`
      CREATE TRIGGER listing_versions_notify_truncation AFTER TRUNCATE ON listing_versions
        FOR EACH STATEMENT EXECUTE FUNCTION notify_registry()`);
    await queryRunner.query(`
      CREATE TRIGGER listings_notify_category AFTER UPDATE OF category_id ON listings
        FOR EACH ROW WHEN (OLD.category_id <> NEW.category_id AND NEW.visibility = 'PUBLIC' AND NEW.status <> 'DRAFT')
        EXECUTE FUNCTION notify_registry()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER listings_notify_category ON listings`);
    for (const what of ['notify_truncation', 'notify_deletion', 'notify_change', 'notify']) {
      await queryRunner.query(`DROP TRIGGER listing_versions_${what} ON listing_versions`);
    }
    await queryRunner.query(`DROP FUNCTION notify_registry()`);
  }
}
