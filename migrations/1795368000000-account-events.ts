import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happens to accounts, and to the programs that may ask them for access: the audit log without an organisation
 * (ADR 31). Its events need nothing new: they are rows of `events` with an owner.
 */
export class AccountEvents1795368000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE account_audit_log (
        id uuid NOT NULL CONSTRAINT account_audit_log_pkey PRIMARY KEY,
        action text NOT NULL,
        user_id uuid,
        actor_type text NOT NULL
          CONSTRAINT account_audit_log_actor_type_check CHECK (actor_type IN ('user', 'anonymous', 'system')),
        actor_id uuid,
        subject_type text NOT NULL,
        subject_id uuid,
        details jsonb NOT NULL,
        address text,
        request_id text,
        CONSTRAINT account_audit_log_address_check CHECK (address IS NULL OR user_id IS NOT NULL)
      )`);
    await queryRunner.query(`COMMENT ON TABLE account_audit_log IS 'owner: users'`);
    await queryRunner.query(`
      CREATE INDEX account_audit_log_user_id_idx ON account_audit_log (user_id, id) WHERE user_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX account_audit_log_subject_id_idx ON account_audit_log (subject_id, id) WHERE subject_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX account_audit_log_anonymous_idx ON account_audit_log (id) WHERE actor_type = 'anonymous'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE account_audit_log`);
  }
}
