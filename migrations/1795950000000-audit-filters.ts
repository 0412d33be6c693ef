import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

/** The audit log of an organisation is filtered by the kind of change, and by who made it. */
export class AuditFilters1795950000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'audit_log_action_idx', 'ON audit_log (org_id, action, id)');
    await createIndex(queryRunner, 'audit_log_actor_id_idx', 'ON audit_log (org_id, actor_id, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX audit_log_actor_id_idx`);
    await queryRunner.query(`DROP INDEX audit_log_action_idx`);
  }
}
