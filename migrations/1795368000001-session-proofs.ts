import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the person of a session last proved who they are, and who is telling clients of its end. */
export class SessionProofs1795368000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE sessions ADD COLUMN proved_at timestamptz(3), ADD COLUMN leased_until timestamptz(3)`,
    );
    await queryRunner.query(`UPDATE sessions SET proved_at = signed_in_at WHERE NOT 'sso' = ANY (methods)`);
    await queryRunner.query(`CREATE INDEX sessions_last_seen_at_idx ON sessions (last_seen_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX sessions_last_seen_at_idx`);
    await queryRunner.query(`ALTER TABLE sessions DROP COLUMN leased_until, DROP COLUMN proved_at`);
  }
}
