import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The level that clients with sessions have set with `logging/setLevel`, and the one that a session with a server has. */
export class LogLevels1795765700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE upstream_sessions ADD COLUMN log_level smallint`);
    await queryRunner.query(`
      CREATE TABLE client_log_levels (
        session bytea NOT NULL CONSTRAINT client_log_levels_pkey PRIMARY KEY,
        principal text NOT NULL,
        level smallint NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(
      `CREATE INDEX client_log_levels_principal_idx ON client_log_levels (principal, expires_at)`,
    );
    await queryRunner.query(`CREATE INDEX client_log_levels_expires_at_idx ON client_log_levels (expires_at)`);
    await queryRunner.query(`COMMENT ON TABLE client_log_levels IS 'owner: gateway'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE client_log_levels`);
    await queryRunner.query(`ALTER TABLE upstream_sessions DROP COLUMN log_level`);
  }
}
