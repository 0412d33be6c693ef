import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trace of the request that caused an event, for the spans of its deliveries. Null for those of before, so that no row
 * is written: the table may have millions.
 */
export class EventTraces1795369100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events ADD COLUMN traceparent text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events DROP COLUMN traceparent`);
  }
}
