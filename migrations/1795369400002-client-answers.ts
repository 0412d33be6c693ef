import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Answers of clients with sessions to what a server has asked in a call, for the process that works on the call. Each is there
 * for milliseconds, and worthless after a crash, so the table needs no log.
 */
export class ClientAnswers1795369400002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE client_answers (
        key uuid NOT NULL CONSTRAINT client_answers_pkey PRIMARY KEY,
        body text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX client_answers_created_at_idx ON client_answers (created_at)`);
    await queryRunner.query(`COMMENT ON TABLE client_answers IS 'owner: gateway'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE client_answers`);
  }
}
