import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Since when upstreams do not answer, to which entries that matters, and what their owners were told; and which sessions of
 * clients use a session with an upstream, so that the last one of them can end it.
 */
export class UpstreamOutages1795369400003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE upstreams ADD COLUMN down_since timestamptz(3)`);
    await queryRunner.query(
      `CREATE INDEX upstreams_down_since_idx ON upstreams (down_since) WHERE down_since IS NOT NULL`,
    );
    await queryRunner.query(`ALTER TABLE upstream_sessions ADD COLUMN holders bytea[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`
      CREATE TABLE endpoint_upstreams (
        bundle_id uuid NOT NULL
          CONSTRAINT endpoint_upstreams_bundle_id_fkey REFERENCES bundles (id) ON DELETE CASCADE,
        entry_id uuid NOT NULL,
        upstream_id uuid NOT NULL
          CONSTRAINT endpoint_upstreams_upstream_id_fkey REFERENCES upstreams (id) ON DELETE CASCADE,
        is_down boolean NOT NULL DEFAULT false,
        told_down_at timestamptz(3),
        told_recovered_at timestamptz(3),
        CONSTRAINT endpoint_upstreams_pkey PRIMARY KEY (bundle_id, entry_id)
      )`);
    await queryRunner.query(`CREATE INDEX endpoint_upstreams_upstream_id_idx ON endpoint_upstreams (upstream_id)`);
    await queryRunner.query(
      `CREATE INDEX endpoint_upstreams_down_idx ON endpoint_upstreams (upstream_id) WHERE is_down`,
    );
    await queryRunner.query(`COMMENT ON TABLE endpoint_upstreams IS 'owner: gateway'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE endpoint_upstreams`);
    await queryRunner.query(`ALTER TABLE upstream_sessions DROP COLUMN holders`);
    await queryRunner.query(`ALTER TABLE upstreams DROP COLUMN down_since`);
  }
}
