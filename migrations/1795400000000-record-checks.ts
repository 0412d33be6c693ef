import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many are noted at a time, so that no row is locked for long. */
const AT_ONCE = 5_000;

/** Until now the tools of an entry stayed in the list when the entry was removed. $1 how many. */
const NOTE_REMOVED = `
  UPDATE bundle_tools SET is_listed = false, changed_at = now() WHERE id IN (
    SELECT tools.id FROM bundle_tools AS tools
    WHERE tools.is_listed AND NOT EXISTS (
      SELECT FROM bundle_entries AS entries
      WHERE entries.id = tools.entry_id AND entries.bundle_id = tools.bundle_id)
    LIMIT $1)
  RETURNING 1`;

/**
 * The constraints of `EndpointCalls` on endpoints, which were left unchecked for existing rows, and the tools of entries that
 * bundles do not have any more; nothing is locked for long (ADR 36).
 */
export class RecordChecks1795400000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_endpoints VALIDATE CONSTRAINT bundle_endpoints_record_check`);
    await queryRunner.query(`ALTER TABLE bundle_endpoints VALIDATE CONSTRAINT bundle_endpoints_record_arguments_check`);
    let count: number;
    do {
      const [rows] = (await queryRunner.query(NOTE_REMOVED, [AT_ONCE])) as [object[], number];
      count = rows.length;
    } while (count === AT_ONCE);
  }

  /** What was validated stays so, and nothing was lost. */
  async down(): Promise<void> {}
}
