import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Servers may list other things for clients that can be asked something. One of the release before writes no `listed_for`:
 * what it lists is of clients without capabilities.
 */
export class CapabilitySets1795766300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE upstream_definitions ADD COLUMN listed_for integer NOT NULL DEFAULT 1`);
    await queryRunner.query(`
      CREATE TABLE upstream_capability_sets (
        upstream_id uuid NOT NULL,
        capabilities smallint NOT NULL,
        wanted_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        tried_at timestamp(3) with time zone,
        listed_at timestamp(3) with time zone,
        CONSTRAINT upstream_capability_sets_capabilities_check CHECK (capabilities BETWEEN 1 AND 15),
        CONSTRAINT upstream_capability_sets_pkey PRIMARY KEY (upstream_id, capabilities),
        CONSTRAINT upstream_capability_sets_upstream_id_fkey
          FOREIGN KEY (upstream_id) REFERENCES upstreams (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`COMMENT ON TABLE upstream_capability_sets IS 'owner: gateway'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE upstream_capability_sets`);
    await queryRunner.query(`ALTER TABLE upstream_definitions DROP COLUMN listed_for`);
  }
}
