import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members of organisations ask for servers, and administrators decide. */
export class ServerRequests1795910000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE server_requests (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        listing_id uuid,
        listing_name text,
        name text NOT NULL,
        subject_key text NOT NULL,
        why text NOT NULL,
        status text NOT NULL DEFAULT 'OPEN',
        requested_by uuid NOT NULL,
        decided_by uuid,
        answer text,
        created_at timestamp(3) with time zone NOT NULL,
        decided_at timestamp(3) with time zone,
        CONSTRAINT server_requests_status_check CHECK (status IN ('OPEN', 'APPROVED', 'DECLINED', 'WITHDRAWN')),
        CONSTRAINT server_requests_decided_check CHECK ((status = 'OPEN') = (decided_at IS NULL)),
        CONSTRAINT server_requests_listing_check CHECK (listing_id IS NULL OR listing_name IS NOT NULL),
        CONSTRAINT server_requests_pkey PRIMARY KEY (id),
        CONSTRAINT server_requests_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT server_requests_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings (id) ON DELETE SET NULL,
        CONSTRAINT server_requests_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT server_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users (id) ON DELETE SET NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE server_requests IS 'owner: server-requests'`);
    await queryRunner.query(`CREATE INDEX server_requests_org_id_idx ON server_requests (org_id, id)`);
    await queryRunner.query(`CREATE INDEX server_requests_status_idx ON server_requests (org_id, status, id)`);
    await queryRunner.query(
      `CREATE INDEX server_requests_requested_by_idx ON server_requests (requested_by, org_id, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX server_requests_own_status_idx ON server_requests (requested_by, org_id, status, id)`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX server_requests_open_key ON server_requests (org_id, requested_by, subject_key)
       WHERE status = 'OPEN'`,
    );
    await queryRunner.query(`CREATE INDEX server_requests_listing_id_idx ON server_requests (listing_id)`);
    await queryRunner.query(`CREATE INDEX server_requests_decided_by_idx ON server_requests (decided_by)`);
    await queryRunner.query(`CREATE INDEX server_requests_over_idx ON server_requests (id) WHERE status <> 'OPEN'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE server_requests`);
  }
}
