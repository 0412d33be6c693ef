import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The constraints of `EndpointCalls` on endpoints, which were left unchecked for existing rows; nothing is locked (ADR 36). */
export class RecordChecks1795400000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_endpoints VALIDATE CONSTRAINT bundle_endpoints_record_check`);
    await queryRunner.query(`ALTER TABLE bundle_endpoints VALIDATE CONSTRAINT bundle_endpoints_record_arguments_check`);
  }

  /** What was validated stays so. */
  async down(): Promise<void> {}
}
