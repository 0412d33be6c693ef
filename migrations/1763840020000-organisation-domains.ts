import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The domains for whose people an organisation is vouched for (contract, section 12.1). */
export class OrganisationDomains1763840020000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organisation_domains (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        domain text NOT NULL,
        token text NOT NULL,
        checked_at timestamptz(3),
        proved_at timestamptz(3),
        vouched_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organisation_domains_pkey PRIMARY KEY (id),
        CONSTRAINT organisation_domains_domain_key UNIQUE (org_id, domain),
        CONSTRAINT organisation_domains_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX organisation_domains_org_id_idx ON organisation_domains (org_id, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE organisation_domains`);
  }
}
