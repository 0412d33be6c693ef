import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registries from which listings are taken over, what each run did, and what could not be taken over. */
export class Import1763810000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // By whom the listing is kept: null for people, else the source that may change it. What a source has archived, it
    // may bring back; what a person has archived stays so.
    await queryRunner.query(`
      ALTER TABLE listings
        ADD COLUMN import_source text,
        ADD COLUMN archived_by_import boolean NOT NULL DEFAULT false`);

    await queryRunner.query(`
      CREATE TABLE import_sources (
        address text NOT NULL,
        changed_until timestamptz(3),
        next_run_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT import_sources_pkey PRIMARY KEY (address)
      )`);
    await queryRunner.query(`
      CREATE TABLE import_runs (
        id uuid NOT NULL,
        source text NOT NULL,
        mode text NOT NULL,
        status text NOT NULL,
        digest bytea,
        changed_since timestamptz(3),
        changed_until timestamptz(3),
        next_cursor text,
        seen integer NOT NULL DEFAULT 0,
        created integer NOT NULL DEFAULT 0,
        updated integer NOT NULL DEFAULT 0,
        unchanged integer NOT NULL DEFAULT 0,
        quarantined integer NOT NULL DEFAULT 0,
        error text,
        started_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        CONSTRAINT import_runs_pkey PRIMARY KEY (id),
        CONSTRAINT import_runs_source_fkey FOREIGN KEY (source) REFERENCES import_sources (address) ON DELETE CASCADE,
        CONSTRAINT import_runs_mode_check CHECK (mode IN ('whole', 'incremental')),
        CONSTRAINT import_runs_status_check CHECK (status IN ('running', 'finished', 'failed'))
      )`);
    await queryRunner.query(`CREATE INDEX import_runs_source_idx ON import_runs (source, id)`);
    await queryRunner.query(`
      CREATE TABLE import_quarantine (
        source text NOT NULL,
        digest bytea NOT NULL,
        name text,
        version text,
        reasons jsonb NOT NULL,
        document jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT import_quarantine_pkey PRIMARY KEY (source, digest),
        CONSTRAINT import_quarantine_source_fkey FOREIGN KEY (source) REFERENCES import_sources (address) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX import_quarantine_created_at_idx ON import_quarantine (created_at, digest)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE import_quarantine`);
    await queryRunner.query(`DROP TABLE import_runs`);
    await queryRunner.query(`DROP TABLE import_sources`);
    await queryRunner.query(`ALTER TABLE listings DROP COLUMN import_source, DROP COLUMN archived_by_import`);
  }
}
