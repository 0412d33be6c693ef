import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What role resolution needs to be run for the people concerned on every change of a directory, and to audit it. */
export class RoleResolution1763780010000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Whoever is retained as the last OWNER is looked for each time.
    await queryRunner.query(`CREATE INDEX memberships_retained_idx ON memberships (org_id) WHERE retained_last_owner`);

    // One index less to be written for each of the 100,000 rows that a sync may audit: the log is read by organisation.
    await queryRunner.query(`ALTER TABLE audit_log DROP CONSTRAINT audit_log_pkey`);
    await queryRunner.query(`ALTER TABLE audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (org_id, id)`);
    await queryRunner.query(`DROP INDEX audit_log_org_id_idx`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX audit_log_org_id_idx ON audit_log (org_id, id)`);
    await queryRunner.query(`ALTER TABLE audit_log DROP CONSTRAINT audit_log_pkey`);
    await queryRunner.query(`ALTER TABLE audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id)`);
    await queryRunner.query(`DROP INDEX memberships_retained_idx`);
  }
}
