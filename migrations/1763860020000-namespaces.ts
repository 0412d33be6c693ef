import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may publish public listings under which names (contract, section 12.3). */
export class Namespaces1763860020000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE namespaces (
        id uuid NOT NULL,
        namespace text NOT NULL,
        org_id uuid,
        user_id uuid,
        method text NOT NULL,
        challenge text,
        verified_at timestamptz(3),
        checked_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT namespaces_pkey PRIMARY KEY (id),
        CONSTRAINT namespaces_holder_key UNIQUE NULLS NOT DISTINCT (namespace, org_id, user_id),
        CONSTRAINT namespaces_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT namespaces_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT namespaces_holder_check CHECK (num_nonnulls(org_id, user_id) = 1),
        CONSTRAINT namespaces_method_check CHECK (method = 'dns' AND challenge IS NOT NULL
          OR method = 'grant' AND challenge IS NULL AND verified_at IS NOT NULL)
      )`);
    await queryRunner.query(`CREATE INDEX namespaces_org_id_idx ON namespaces (org_id, id)`);
    await queryRunner.query(`CREATE INDEX namespaces_user_id_idx ON namespaces (user_id, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE namespaces`);
  }
}
