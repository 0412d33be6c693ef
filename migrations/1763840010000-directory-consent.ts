import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a person agrees to the membership that a directory gives them (contract, section 12.1). */
export class DirectoryConsent1763840010000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // "consent" is about the account in "consent_user_id". An entry that was linked to another account since then has
    // not been looked at, and gives a person who has signed in nothing.
    await queryRunner.query(`
      ALTER TABLE scim_users
        ADD COLUMN consent text NOT NULL DEFAULT 'NOT_NEEDED',
        ADD COLUMN consent_user_id uuid,
        ADD CONSTRAINT scim_users_consent_check
          CHECK (consent IN ('NOT_NEEDED', 'PENDING', 'ACCEPTED', 'OPTED_OUT'))`);
    // Nobody who is a member loses that by an upgrade. A deleted entry keeps no consent: nobody could object to it.
    await queryRunner.query(`UPDATE scim_users SET consent_user_id = user_id WHERE deleted_at IS NULL`);
    await queryRunner.query(
      `CREATE INDEX scim_users_unsettled_idx ON scim_users (org_id, user_id)
       WHERE deleted_at IS NULL AND (consent_user_id IS DISTINCT FROM user_id OR consent = 'PENDING')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX scim_users_unsettled_idx`);
    await queryRunner.query(`ALTER TABLE scim_users DROP COLUMN consent_user_id, DROP COLUMN consent`);
  }
}
