import { MigrationInterface, QueryRunner } from 'typeorm';

/** Organisations and who belongs to them, with the manual and the SCIM role side by side (contract, section 7). */
export class Organisations1763683220000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organisations (
        id uuid NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organisations_pkey PRIMARY KEY (id),
        CONSTRAINT organisations_slug_key UNIQUE (slug)
      )`);

    // Declared from the lowest to the highest, so that greatest() and max() give the role in force.
    await queryRunner.query(`CREATE TYPE organisation_role AS ENUM ('MEMBER', 'ADMIN', 'OWNER')`);

    // "role" is the role in force, null for none. It is stored because every request asks for it and because the
    // owners need an index; the check makes a writer that forgets the rule fail instead of granting something.
    await queryRunner.query(`
      CREATE TABLE memberships (
        org_id uuid NOT NULL,
        user_id uuid NOT NULL,
        manual_role organisation_role,
        scim_role organisation_role,
        suspended boolean NOT NULL DEFAULT false,
        retained_last_owner boolean NOT NULL DEFAULT false,
        role organisation_role,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT memberships_pkey PRIMARY KEY (org_id, user_id),
        CONSTRAINT memberships_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT memberships_role_check CHECK (role IS NOT DISTINCT FROM
          CASE WHEN retained_last_owner THEN 'OWNER' WHEN NOT suspended THEN GREATEST(manual_role, scim_role) END)
      )`);
    await queryRunner.query(`CREATE INDEX memberships_user_id_idx ON memberships (user_id, org_id)`);
    await queryRunner.query(`CREATE INDEX memberships_owner_idx ON memberships (org_id) WHERE role = 'OWNER'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE memberships`);
    await queryRunner.query(`DROP TYPE organisation_role`);
    await queryRunner.query(`DROP TABLE organisations`);
  }
}
