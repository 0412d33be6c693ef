import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often an organisation had its roles synchronised in the last minute (contract, section 12.4). */
export class OrganisationCalls1763870010000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organisation_calls (
        org_id uuid NOT NULL,
        operation text NOT NULL,
        calls timestamptz[] NOT NULL,
        CONSTRAINT organisation_calls_pkey PRIMARY KEY (org_id, operation),
        CONSTRAINT organisation_calls_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE organisation_calls`);
  }
}
