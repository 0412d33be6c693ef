import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The constraints of `Gateway` on tables with rows, validated while nothing is locked (ADR 36). All rows have the defaults. */
export class GatewayChecks1795369400001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_access_tokens VALIDATE CONSTRAINT bundle_access_tokens_scopes_check`);
    await queryRunner.query(`ALTER TABLE bundle_deployments VALIDATE CONSTRAINT bundle_deployments_kind_check`);
  }

  down(): Promise<void> {
    // What was validated stays so.
    return Promise.resolve();
  }
}
