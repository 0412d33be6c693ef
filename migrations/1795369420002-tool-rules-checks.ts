import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

/** The constraint of `ToolRules` on entries, and the index of those whose tools are due; while nothing is locked (ADR 36). */
export class ToolRulesChecks1795369420002 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_entries VALIDATE CONSTRAINT bundle_entries_pinning_check`);
    await createIndex(
      queryRunner,
      'endpoint_upstreams_due_idx',
      'ON endpoint_upstreams (bundle_id) WHERE is_tools_due',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // What was validated stays so.
    await queryRunner.query(`DROP INDEX IF EXISTS endpoint_upstreams_due_idx`);
  }
}
