import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes that serve this database now, each by its own heartbeat. */
export class Replicas1795368000007 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE replicas (
        id uuid NOT NULL CONSTRAINT replicas_pkey PRIMARY KEY,
        parts text[] NOT NULL,
        started_at timestamptz(3) NOT NULL DEFAULT now(),
        seen_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`COMMENT ON TABLE replicas IS 'owner: operations'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE replicas`);
  }
}
