import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People are invited to an organisation, and become members when they accept (contract, section 12.1). */
export class Invitations1763840000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // "email" is the address as it was given, "address" the same as addresses are compared. "user_id" is given instead
    // of them. "answered_by" is the account that accepted or declined, by whatever address it had then; nobody is shown
    // it, and the row goes with the account. EXPIRED and REVOKED may follow from time and from the inviter's role before a row says so.
    await queryRunner.query(`
      CREATE TABLE invitations (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        email text,
        address text,
        user_id uuid,
        role organisation_role NOT NULL,
        status text NOT NULL DEFAULT 'PENDING',
        invited_by uuid,
        answered_by uuid,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT invitations_pkey PRIMARY KEY (id),
        CONSTRAINT invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users (id) ON DELETE SET NULL,
        CONSTRAINT invitations_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT invitations_status_check
          CHECK (status IN ('PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED', 'EXPIRED')),
        CONSTRAINT invitations_invited_check CHECK ((user_id IS NULL) = (address IS NOT NULL)),
        CONSTRAINT invitations_email_check CHECK ((email IS NULL) = (address IS NULL))
      )`);
    await queryRunner.query(`CREATE INDEX invitations_org_id_idx ON invitations (org_id, id)`);
    await queryRunner.query(`CREATE INDEX invitations_status_idx ON invitations (org_id, status, id)`);
    await queryRunner.query(`CREATE INDEX invitations_user_id_idx ON invitations (user_id, id)`);
    await queryRunner.query(`CREATE INDEX invitations_address_idx ON invitations (address, id)`);
    await queryRunner.query(`CREATE INDEX invitations_invited_by_idx ON invitations (invited_by)`);
    await queryRunner.query(`CREATE INDEX invitations_answered_by_idx ON invitations (answered_by)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX invitations_pending_address_key ON invitations (org_id, address) WHERE status = 'PENDING'`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX invitations_pending_user_id_key ON invitations (org_id, user_id) WHERE status = 'PENDING'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE invitations`);
  }
}
