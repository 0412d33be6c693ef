import { MigrationInterface, QueryRunner } from 'typeorm';

/** Sharing by owner: what a process claims for, tenants in turn, and then the endpoints of each (ADR 14). */
export class WebhookTenants1763830000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_lanes ADD COLUMN tenant_id uuid`);
    await queryRunner.query(`
      UPDATE webhook_lanes SET tenant_id = COALESCE(endpoints.org_id, endpoints.owner_id)
      FROM webhook_endpoints AS endpoints WHERE endpoints.id = endpoint_id`);
    await queryRunner.query(`ALTER TABLE webhook_lanes ALTER COLUMN tenant_id SET NOT NULL`);
    // What has succeeded within the retention is proved; what has not does so with its next success.
    await queryRunner.query(`ALTER TABLE webhook_lanes ADD COLUMN is_proven boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`
      UPDATE webhook_lanes SET is_proven = true
      WHERE EXISTS (SELECT FROM webhook_hours AS hours
                    WHERE hours.endpoint_id = webhook_lanes.endpoint_id AND hours.succeeded > 0)`);
    await queryRunner.query(`
      CREATE INDEX webhook_lanes_proven_idx ON webhook_lanes (tenant_id, wake_at)
      WHERE is_proven AND failing_since IS NULL`);
    await queryRunner.query(`
      CREATE INDEX webhook_lanes_doubtful_idx ON webhook_lanes (tenant_id, wake_at)
      WHERE NOT is_proven OR failing_since IS NOT NULL`);
    // The release before goes on without them until it is replaced; each would be written with every claim.
    await queryRunner.query(`DROP INDEX webhook_lanes_healthy_idx`);
    await queryRunner.query(`DROP INDEX webhook_lanes_failing_idx`);

    await queryRunner.query(`
      CREATE TABLE webhook_tenants (
        tenant_id uuid NOT NULL,
        is_doubtful boolean NOT NULL,
        wake_at timestamptz(3),
        CONSTRAINT webhook_tenants_pkey PRIMARY KEY (tenant_id, is_doubtful)
      ) WITH (fillfactor = 50, ${BUSY})`);
    await queryRunner.query(`CREATE INDEX webhook_tenants_wake_idx ON webhook_tenants (is_doubtful, wake_at)`);
    // In the order in which what they left is removed.
    await queryRunner.query(
      `CREATE INDEX webhook_removed_endpoints_removed_at_idx ON webhook_removed_endpoints (removed_at, endpoint_id)`,
    );
    await queryRunner.query(`
      INSERT INTO webhook_tenants (tenant_id, is_doubtful, wake_at)
      SELECT lanes.tenant_id, kind.is_doubtful,
             min(wake_at) FILTER (WHERE (NOT is_proven OR failing_since IS NOT NULL) = kind.is_doubtful)
      FROM webhook_lanes AS lanes CROSS JOIN (VALUES (false), (true)) AS kind (is_doubtful)
      GROUP BY lanes.tenant_id, kind.is_doubtful`);

    // By the statement and no longer by the row: a tenant's rows are written once, however many endpoints it gets at once.
    await queryRunner.query(`DROP TRIGGER webhook_open_lane ON webhook_endpoints`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION webhook_open_lane() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_lanes (endpoint_id, tenant_id, active_since)
          SELECT id, COALESCE(org_id, owner_id), date_trunc('milliseconds', clock_timestamp()) FROM added;
          -- Written even if it is there: who removes the tenant of the last lane waits for this lane.
          INSERT INTO webhook_tenants (tenant_id, is_doubtful)
          SELECT DISTINCT COALESCE(org_id, owner_id), is_doubtful
          FROM added CROSS JOIN (VALUES (false), (true)) AS kind (is_doubtful) ORDER BY 1, 2
          ON CONFLICT (tenant_id, is_doubtful) DO UPDATE SET tenant_id = excluded.tenant_id;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER webhook_open_lane AFTER INSERT ON webhook_endpoints
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION webhook_open_lane()`);

    // A tenant sleeps no longer than any of its lanes, whoever wakes the lane. It is locked although it may be awake
    // already: a claim that holds it may be about to let it sleep for longer. Lanes before tenants, tenants by id.
    await queryRunner.query(`
      CREATE FUNCTION webhook_wake_tenants() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM FROM webhook_tenants AS tenants
          WHERE (tenant_id, is_doubtful) IN (
            SELECT tenant_id, NOT is_proven OR failing_since IS NOT NULL FROM changed WHERE wake_at IS NOT NULL)
          ORDER BY tenant_id, is_doubtful FOR UPDATE;
          UPDATE webhook_tenants AS tenants SET wake_at = woken.wake_at
          FROM (SELECT tenant_id, NOT is_proven OR failing_since IS NOT NULL AS is_doubtful, min(wake_at) AS wake_at
                FROM changed WHERE wake_at IS NOT NULL GROUP BY 1, 2) AS woken
          WHERE tenants.tenant_id = woken.tenant_id AND tenants.is_doubtful = woken.is_doubtful
            AND (tenants.wake_at IS NULL OR tenants.wake_at > woken.wake_at);
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER webhook_wake_tenants AFTER UPDATE ON webhook_lanes
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION webhook_wake_tenants()`);

    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION webhook_note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_removed_endpoints (endpoint_id) SELECT id FROM removed;
          PERFORM FROM webhook_tenants WHERE tenant_id IN (SELECT COALESCE(org_id, owner_id) FROM removed)
          ORDER BY tenant_id, is_doubtful FOR UPDATE;
          -- A statement after the lock, so that it sees the lanes that were opened meanwhile.
          DELETE FROM webhook_tenants AS tenants WHERE tenant_id IN (SELECT COALESCE(org_id, owner_id) FROM removed)
            AND NOT EXISTS (SELECT FROM webhook_lanes AS lanes WHERE lanes.tenant_id = tenants.tenant_id
                            AND lanes.is_proven AND lanes.failing_since IS NULL)
            AND NOT EXISTS (SELECT FROM webhook_lanes AS lanes WHERE lanes.tenant_id = tenants.tenant_id
                            AND (NOT lanes.is_proven OR lanes.failing_since IS NOT NULL));
          RETURN NULL;
        END
      $$`);

    // To whom an event belongs, so that a flood of one tenant's events holds up nobody else's.
    await queryRunner.query(`ALTER TABLE webhook_new_events ADD COLUMN tenant_id uuid`);
    await queryRunner.query(`
      UPDATE webhook_new_events SET tenant_id = COALESCE(events.org_id, events.owner_id)
      FROM events WHERE events.id = event_id`);
    await queryRunner.query(`DELETE FROM webhook_new_events WHERE tenant_id IS NULL`); // of events that are gone
    await queryRunner.query(`ALTER TABLE webhook_new_events ALTER COLUMN tenant_id SET NOT NULL`);
    await queryRunner.query(`CREATE INDEX webhook_new_events_tenant_idx ON webhook_new_events (tenant_id, event_id)`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION webhook_notice_events() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_new_events (event_id, tenant_id)
          SELECT id, COALESCE(org_id, owner_id) FROM added
          WHERE EXISTS (SELECT FROM webhook_endpoints AS endpoints
                        WHERE endpoints.org_id = added.org_id AND is_active AND added.type = ANY (event_types))
             OR EXISTS (SELECT FROM webhook_endpoints AS endpoints
                        WHERE endpoints.org_id IS NULL AND endpoints.owner_id = added.owner_id
                          AND is_active AND added.type = ANY (event_types));
          IF FOUND THEN
            PERFORM pg_notify('webhook_events', '');
          END IF;
          RETURN NULL;
        END
      $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION webhook_notice_events() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_new_events (event_id)
          SELECT id FROM added
          WHERE EXISTS (SELECT FROM webhook_endpoints AS endpoints
                        WHERE endpoints.org_id = added.org_id AND is_active AND added.type = ANY (event_types))
             OR EXISTS (SELECT FROM webhook_endpoints AS endpoints
                        WHERE endpoints.org_id IS NULL AND endpoints.owner_id = added.owner_id
                          AND is_active AND added.type = ANY (event_types));
          IF FOUND THEN
            PERFORM pg_notify('webhook_events', '');
          END IF;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`ALTER TABLE webhook_new_events DROP COLUMN tenant_id`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION webhook_note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_removed_endpoints (endpoint_id) SELECT id FROM removed;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`DROP INDEX webhook_removed_endpoints_removed_at_idx`);
    await queryRunner.query(`DROP TRIGGER webhook_wake_tenants ON webhook_lanes`);
    await queryRunner.query(`DROP FUNCTION webhook_wake_tenants()`);
    await queryRunner.query(`DROP TRIGGER webhook_open_lane ON webhook_endpoints`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION webhook_open_lane() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_lanes (endpoint_id, active_since)
          VALUES (NEW.id, date_trunc('milliseconds', clock_timestamp()));
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER webhook_open_lane AFTER INSERT ON webhook_endpoints
        FOR EACH ROW EXECUTE FUNCTION webhook_open_lane()`);
    await queryRunner.query(`DROP TABLE webhook_tenants`);
    await queryRunner.query(`ALTER TABLE webhook_lanes DROP COLUMN is_proven, DROP COLUMN tenant_id`);
    await queryRunner.query(
      `CREATE INDEX webhook_lanes_healthy_idx ON webhook_lanes (wake_at) WHERE failing_since IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_lanes_failing_idx ON webhook_lanes (wake_at) WHERE failing_since IS NOT NULL`,
    );
  }
}

/** Rows change with every claim: cleaned up after a fixed number of changes. */
const BUSY = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0`;
