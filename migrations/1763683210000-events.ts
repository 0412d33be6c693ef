import { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox: what happened, written in the transaction in which it happened. */
export class Events1763683210000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // No foreign keys: an event outlives the thing that it tells of.
    await queryRunner.query(`
      CREATE TABLE events (
        id uuid NOT NULL,
        type text NOT NULL,
        org_id uuid,
        owner_id uuid,
        data jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT events_pkey PRIMARY KEY (id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE events`);
  }
}
