import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log in the order of time, whatever the organisation: its oldest entries are removed in that order. */
export class RowRetention1763870020000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX audit_log_id_idx ON audit_log (id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX audit_log_id_idx`);
  }
}
