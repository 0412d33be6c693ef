import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The provisioning log has a row for each operation of a bulk request, and rows for requests with a token that was
 * revoked; an entry of the directory says why it is not linked by its address.
 */
export class ScimLogOfBulk1763880000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE scim_log
        ADD COLUMN bulk_entry_id uuid,
        ADD COLUMN bulk_index integer,
        ADD COLUMN notes text[] NOT NULL DEFAULT '{}',
        ADD CONSTRAINT scim_log_bulk_check CHECK ((bulk_entry_id IS NULL) = (bulk_index IS NULL))`);
    await queryRunner.query(
      `CREATE INDEX scim_log_bulk_entry_id_idx ON scim_log (org_id, bulk_entry_id, id) WHERE bulk_entry_id IS NOT NULL`,
    );
    // A table of its own: what is in scim_tokens lives, and is counted and listed as that.
    await queryRunner.query(`
      CREATE TABLE revoked_scim_tokens (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        digest bytea NOT NULL,
        revoked_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT revoked_scim_tokens_pkey PRIMARY KEY (id),
        CONSTRAINT revoked_scim_tokens_digest_key UNIQUE (digest),
        CONSTRAINT revoked_scim_tokens_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX revoked_scim_tokens_org_id_idx ON revoked_scim_tokens (org_id, revoked_at)`);
    await queryRunner.query(`
      ALTER TABLE scim_users
        ADD COLUMN account_note text,
        ADD CONSTRAINT scim_users_account_note_check
          CHECK (account_note IN ('linked_by_user_name', 'address_taken'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE scim_users DROP COLUMN account_note`);
    await queryRunner.query(`DROP TABLE revoked_scim_tokens`);
    await queryRunner.query(`DELETE FROM scim_log WHERE bulk_entry_id IS NOT NULL`);
    await queryRunner.query(`DROP INDEX scim_log_bulk_entry_id_idx`);
    await queryRunner.query(
      `ALTER TABLE scim_log DROP COLUMN notes, DROP COLUMN bulk_index, DROP COLUMN bulk_entry_id`,
    );
  }
}
