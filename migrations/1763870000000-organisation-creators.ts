import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who created an organisation, so that one person creates a bounded number (contract, section 12.4). For existing ones the
 * audit log says it; for those that are older than the log, the OWNER whose membership was written in the same
 * transaction, which both times show. Where neither is left it stays unknown, and counts for nobody.
 */
export class OrganisationCreators1763870000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organisations ADD COLUMN created_by uuid,
        ADD CONSTRAINT organisations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL`);
    await queryRunner.query(`
      UPDATE organisations SET created_by = coalesce(
        (SELECT users.id FROM audit_log JOIN users ON users.id = audit_log.subject_id
         WHERE audit_log.org_id = organisations.id AND audit_log.reason = 'created_organisation'
         ORDER BY audit_log.id LIMIT 1),
        (SELECT user_id FROM memberships
         WHERE memberships.org_id = organisations.id AND memberships.manual_role = 'OWNER'
           AND memberships.created_at = organisations.created_at
         ORDER BY user_id LIMIT 1))`);
    await queryRunner.query(`CREATE INDEX organisations_created_by_idx ON organisations (created_by)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE organisations DROP COLUMN created_by`);
  }
}
