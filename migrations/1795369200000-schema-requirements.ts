import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which releases can serve with this schema (ADR 36). A migration that takes something away inserts a row, so that a release
 * that still needs it says which one to run instead of failing in the middle of requests.
 */
export class SchemaRequirements1795369200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE schema_requirements (
        migration text NOT NULL CONSTRAINT schema_requirements_pkey PRIMARY KEY,
        knows text NOT NULL,
        release text NOT NULL
          CONSTRAINT schema_requirements_release_check CHECK (release ~ '^[0-9]+\\.[0-9]+\\.[0-9]+$')
      )`);
    await queryRunner.query(`COMMENT ON TABLE schema_requirements IS 'owner: database'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE schema_requirements`);
  }
}
