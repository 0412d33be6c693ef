import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

const NAME = 'oauth_clients_registered_at_idx';

/** To count the clients that have registered themselves within the hour, from whatever network. */
export class RegistrationTimes1795765100000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, NAME, `ON oauth_clients (created_at) WHERE registered_from IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${NAME}`);
  }
}
