import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A place for the queries of target addresses, encrypted. What is stored is encrypted by the worker, which has the key; the
 * index tells it where something is left, and is empty otherwise. A later release may drop the index.
 */
export class WebhookTargetQueries1763830010000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints ADD COLUMN encrypted_query bytea`);
    await queryRunner.query(
      `CREATE INDEX webhook_endpoints_plain_query_idx ON webhook_endpoints (id) WHERE target_url LIKE '%?%'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // Without the key nothing here can put them back, and dropping the column would lose them.
    const rows = (await queryRunner.query(
      `SELECT FROM webhook_endpoints WHERE encrypted_query IS NOT NULL LIMIT 1`,
    )) as unknown[];
    if (rows.length > 0) throw new Error('The queries of target addresses are encrypted and would be lost.');
    await queryRunner.query(`DROP INDEX webhook_endpoints_plain_query_idx`);
    await queryRunner.query(`ALTER TABLE webhook_endpoints DROP COLUMN encrypted_query`);
  }
}
