import { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhook endpoints (contract, section 8); the secret is encrypted with SECRETS_KEY. */
export class Webhooks1763683260000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid NOT NULL,
        org_id uuid,
        owner_id uuid NOT NULL,
        target_url text NOT NULL,
        description text NOT NULL DEFAULT '',
        is_active boolean NOT NULL DEFAULT true,
        event_types text array NOT NULL,
        encrypted_secret bytea NOT NULL,
        disabled_reason text,
        disabled_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
        CONSTRAINT webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT webhook_endpoints_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id)
      )`);
    // Read backwards for "newest first".
    await queryRunner.query(`CREATE INDEX webhook_endpoints_org_idx ON webhook_endpoints (org_id, created_at, id)`);
    await queryRunner.query(
      `CREATE INDEX webhook_endpoints_personal_idx ON webhook_endpoints (owner_id, created_at, id) WHERE org_id IS NULL`,
    );
    await queryRunner.query(`CREATE INDEX webhook_endpoints_owner_id_idx ON webhook_endpoints (owner_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE webhook_endpoints`);
  }
}
