import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The record of calls of endpoints, partitioned by day: the id, a UUID version 7, contains the time. Days are made ahead and
 * dropped by `CallPartitions`; a call of a day without a partition goes to `endpoint_calls_default`.
 */
export class EndpointCalls1795369430000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE endpoint_calls (
        bundle_id uuid NOT NULL,
        id uuid NOT NULL,
        deployment_id uuid,
        bundle_version integer NOT NULL,
        entry_id uuid,
        method text NOT NULL,
        name text,
        exposed_name text,
        definition_digest bytea,
        principal_type text NOT NULL
          CONSTRAINT endpoint_calls_principal_type_check CHECK (principal_type IN ('person', 'token')),
        principal_id uuid NOT NULL,
        client_name text,
        client_version text,
        era text NOT NULL CONSTRAINT endpoint_calls_era_check CHECK (era IN ('modern', 'legacy')),
        outcome text NOT NULL
          CONSTRAINT endpoint_calls_outcome_check CHECK (outcome IN ('STARTED', 'OK', 'TOOL_ERROR', 'UPSTREAM_ERROR',
            'TIMEOUT', 'CANCELLED', 'DENIED', 'CREDENTIAL_REQUIRED', 'DEFINITION_CHANGED', 'RATE_LIMITED')),
        error_code text,
        duration_us integer,
        upstream_us integer,
        bytes_in integer NOT NULL,
        bytes_out integer,
        request_id text NOT NULL,
        trace_id uuid,
        argument_keys jsonb,
        argument_digest bytea,
        CONSTRAINT endpoint_calls_pkey PRIMARY KEY (bundle_id, id)
      ) PARTITION BY RANGE (id)`);
    await queryRunner.query(`CREATE INDEX endpoint_calls_entry_idx ON endpoint_calls (bundle_id, entry_id, id)`);
    await queryRunner.query(`CREATE INDEX endpoint_calls_tool_idx ON endpoint_calls (bundle_id, exposed_name, id)`);
    await queryRunner.query(
      `CREATE INDEX endpoint_calls_principal_idx ON endpoint_calls (bundle_id, principal_id, id)`,
    );
    await queryRunner.query(`CREATE INDEX endpoint_calls_outcome_idx ON endpoint_calls (bundle_id, outcome, id)`);
    await queryRunner.query(`COMMENT ON TABLE endpoint_calls IS 'owner: gateway'`);
    await queryRunner.query(`CREATE TABLE endpoint_calls_default PARTITION OF endpoint_calls DEFAULT`);
    // Its old rows are deleted one by one.
    await queryRunner.query(`CREATE INDEX endpoint_calls_default_id_idx ON endpoint_calls_default (id)`);
    await queryRunner.query(`COMMENT ON TABLE endpoint_calls_default IS 'owner: gateway'`);

    await queryRunner.query(`ALTER TABLE bundle_endpoints ADD COLUMN record text NOT NULL DEFAULT 'BUFFERED'`);
    await queryRunner.query(`
      ALTER TABLE bundle_endpoints ADD CONSTRAINT bundle_endpoints_record_check
        CHECK (record IN ('BUFFERED', 'STRICT')) NOT VALID`);
    await queryRunner.query(`ALTER TABLE bundle_endpoints ADD COLUMN record_arguments text NOT NULL DEFAULT 'NONE'`);
    await queryRunner.query(`
      ALTER TABLE bundle_endpoints ADD CONSTRAINT bundle_endpoints_record_arguments_check
        CHECK (record_arguments IN ('NONE', 'KEYS', 'DIGEST')) NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE bundle_endpoints DROP COLUMN record_arguments`);
    await queryRunner.query(`ALTER TABLE bundle_endpoints DROP COLUMN record`);
    await queryRunner.query(`DROP TABLE endpoint_calls`);
  }
}
