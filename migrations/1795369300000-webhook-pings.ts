import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each endpoint was pinged in the last minute, so that all processes together keep to `LIMIT_PINGS_PER_MINUTE`. */
export class WebhookPings1795369300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints ADD COLUMN pings timestamptz[] NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints DROP COLUMN pings`);
  }
}
