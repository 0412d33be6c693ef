import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './while-serving';

/** The constraints of `Credentials` on tables with rows, and the index of its foreign key, while nothing is locked (ADR 36). */
export class CredentialChecks1795369410001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_entries VALIDATE CONSTRAINT bundle_entries_credential_mode_check`);
    await queryRunner.query(`ALTER TABLE upstreams VALIDATE CONSTRAINT upstreams_credential_id_fkey`);
    await createIndex(queryRunner, 'upstreams_credential_id_idx', 'ON upstreams (credential_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // What was validated stays so.
    await queryRunner.query(`DROP INDEX upstreams_credential_id_idx`);
  }
}
