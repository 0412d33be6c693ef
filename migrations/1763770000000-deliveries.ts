import { MigrationInterface, QueryRunner } from 'typeorm';

/** What the delivery engine keeps (ADR 7): its queue, its history, and what endpoints need for it. */
export class Deliveries1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Which events of an organisation or a person happened in a span of time: what a recovery walks through.
    await queryRunner.query(`CREATE INDEX events_org_id_idx ON events (org_id, id) WHERE org_id IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX events_owner_id_idx ON events (owner_id, id) WHERE owner_id IS NOT NULL`);

    await queryRunner.query(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN encrypted_headers bytea,
        ADD COLUMN rate_limit_per_second integer,
        ADD CONSTRAINT webhook_endpoints_rate_limit_check CHECK (rate_limit_per_second BETWEEN 1 AND 1000)`);

    await queryRunner.query(`
      CREATE TABLE webhook_former_secrets (
        id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        encrypted_secret bytea NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT webhook_former_secrets_pkey PRIMARY KEY (id),
        CONSTRAINT webhook_former_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id)
          REFERENCES webhook_endpoints (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX webhook_former_secrets_endpoint_idx ON webhook_former_secrets (endpoint_id, expires_at)`,
    );

    // One row for each endpoint, apart from it because it changes with every claim. A row of the queue counts only while
    // its generation is that of the lane, so that a disabled endpoint's whole queue is void at once.
    await queryRunner.query(`
      CREATE TABLE webhook_lanes (
        endpoint_id uuid NOT NULL,
        generation integer NOT NULL DEFAULT 1,
        active_since timestamptz(3) NOT NULL,
        is_draining boolean NOT NULL DEFAULT false,
        failing_since timestamptz(3),
        wake_at timestamptz(3),
        tokens double precision NOT NULL DEFAULT 0,
        tokens_at timestamptz(3),
        CONSTRAINT webhook_lanes_pkey PRIMARY KEY (endpoint_id),
        CONSTRAINT webhook_lanes_endpoint_id_fkey FOREIGN KEY (endpoint_id)
          REFERENCES webhook_endpoints (id) ON DELETE CASCADE
      ) WITH (fillfactor = 50, ${BUSY})`);
    await queryRunner.query(
      `CREATE INDEX webhook_lanes_healthy_idx ON webhook_lanes (wake_at) WHERE failing_since IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_lanes_failing_idx ON webhook_lanes (wake_at) WHERE failing_since IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX webhook_lanes_draining_idx ON webhook_lanes (endpoint_id) WHERE is_draining`);
    await queryRunner.query(
      `INSERT INTO webhook_lanes (endpoint_id, active_since) SELECT id, now() FROM webhook_endpoints`,
    );

    await queryRunner.query(`
      CREATE TABLE webhook_new_events (
        event_id uuid NOT NULL,
        noticed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT webhook_new_events_pkey PRIMARY KEY (event_id)
      ) WITH (${BUSY})`);

    // No foreign keys in what follows: deleting an endpoint must not wait for millions of rows. They go afterwards, in
    // batches; webhook_removed_endpoints says whose.
    await queryRunner.query(`
      CREATE TABLE webhook_deliveries (
        endpoint_id uuid NOT NULL,
        id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        status text NOT NULL DEFAULT 'PENDING',
        attempt_count integer NOT NULL DEFAULT 0,
        response_status smallint,
        response_class smallint NOT NULL DEFAULT 0,
        error text,
        last_attempt_at timestamptz(3),
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (endpoint_id, id),
        CONSTRAINT webhook_deliveries_event_key UNIQUE (event_id, endpoint_id),
        CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'))
      ) WITH (autovacuum_vacuum_scale_factor = 0.02)`);
    // Never so many that the planner takes a hundred thousand deliveries of an endpoint for one; see delivery-list.sql.ts.
    // And vacuumed often, since what is delivered leaves its place among the pending ones in the filter index behind.
    await queryRunner.query(`ALTER TABLE webhook_deliveries ALTER COLUMN endpoint_id SET (n_distinct = 100)`);
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_filter_idx
       ON webhook_deliveries (endpoint_id, status, response_class, event_type, id)`,
    );

    await queryRunner.query(`
      CREATE TABLE webhook_queue (
        delivery_id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        event_id uuid NOT NULL,
        generation integer NOT NULL,
        step smallint NOT NULL DEFAULT 0,
        attempt integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        claim_id uuid,
        CONSTRAINT webhook_queue_pkey PRIMARY KEY (delivery_id)
      ) WITH (${BUSY})`);
    await queryRunner.query(
      `CREATE INDEX webhook_queue_due_idx ON webhook_queue (endpoint_id, generation, due_at, delivery_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_queue_claimed_idx ON webhook_queue (endpoint_id, due_at) WHERE claim_id IS NOT NULL`,
    );

    await queryRunner.query(`
      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL,
        number integer NOT NULL,
        started_at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        response_status smallint,
        response_body text,
        error text,
        error_message text,
        CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number)
      )`);

    await queryRunner.query(`
      CREATE TABLE webhook_hours (
        endpoint_id uuid NOT NULL,
        hour timestamptz(3) NOT NULL,
        succeeded integer NOT NULL,
        failed integer NOT NULL,
        latencies integer array NOT NULL,
        CONSTRAINT webhook_hours_pkey PRIMARY KEY (endpoint_id, hour)
      ) WITH (fillfactor = 50)`);

    await queryRunner.query(`CREATE INDEX webhook_hours_hour_idx ON webhook_hours (hour)`);

    await queryRunner.query(`
      CREATE TABLE webhook_recoveries (
        id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        generation integer NOT NULL,
        requested_by uuid NOT NULL,
        since timestamptz(3) NOT NULL,
        until timestamptz(3) NOT NULL,
        include_missing boolean NOT NULL,
        status text NOT NULL DEFAULT 'RUNNING',
        position uuid,
        scanned integer NOT NULL DEFAULT 0,
        queued integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3),
        CONSTRAINT webhook_recoveries_pkey PRIMARY KEY (id),
        CONSTRAINT webhook_recoveries_endpoint_id_fkey FOREIGN KEY (endpoint_id)
          REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
        CONSTRAINT webhook_recoveries_status_check CHECK (status IN ('RUNNING', 'COMPLETED', 'CANCELLED'))
      )`);
    await queryRunner.query(`CREATE INDEX webhook_recoveries_endpoint_idx ON webhook_recoveries (endpoint_id, id)`);
    // One at a time for each endpoint.
    await queryRunner.query(
      `CREATE UNIQUE INDEX webhook_recoveries_running_key ON webhook_recoveries (endpoint_id) WHERE status = 'RUNNING'`,
    );

    await queryRunner.query(`
      CREATE TABLE webhook_removed_endpoints (
        endpoint_id uuid NOT NULL,
        removed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_removed_endpoints_pkey PRIMARY KEY (endpoint_id)
      )`);

    // In the transaction of the change, whoever writes the event and however many at once; only for those to whom
    // somebody listens, since most have no endpoint.
    await queryRunner.query(`
      CREATE FUNCTION webhook_notice_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
    await queryRunner.query(`
      CREATE TRIGGER webhook_notice_events AFTER INSERT ON events
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION webhook_notice_events()`);

    // By triggers, so that it holds for whoever changes an endpoint: a replica of the release before does not know of
    // lanes. The time is cut off, never rounded up: what is noticed in the same millisecond counts.
    await queryRunner.query(`
      CREATE FUNCTION webhook_open_lane() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_lanes (endpoint_id, active_since)
          VALUES (NEW.id, date_trunc('milliseconds', clock_timestamp()));
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER webhook_open_lane AFTER INSERT ON webhook_endpoints
        FOR EACH ROW EXECUTE FUNCTION webhook_open_lane()`);
    await queryRunner.query(`
      CREATE FUNCTION webhook_switch_lane() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.is_active THEN
            UPDATE webhook_lanes
            SET active_since = date_trunc('milliseconds', clock_timestamp()), failing_since = NULL
            WHERE endpoint_id = NEW.id;
          ELSE
            UPDATE webhook_lanes SET generation = generation + 1, wake_at = NULL, is_draining = true
            WHERE endpoint_id = NEW.id;
          END IF;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER webhook_switch_lane AFTER UPDATE OF is_active ON webhook_endpoints
        FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION webhook_switch_lane()`);

    await queryRunner.query(`
      CREATE FUNCTION webhook_note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_removed_endpoints (endpoint_id) SELECT id FROM removed;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER webhook_note_removed AFTER DELETE ON webhook_endpoints
        REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION webhook_note_removed()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER webhook_switch_lane ON webhook_endpoints`);
    await queryRunner.query(`DROP FUNCTION webhook_switch_lane()`);
    await queryRunner.query(`DROP TRIGGER webhook_open_lane ON webhook_endpoints`);
    await queryRunner.query(`DROP FUNCTION webhook_open_lane()`);
    await queryRunner.query(`DROP TRIGGER webhook_note_removed ON webhook_endpoints`);
    await queryRunner.query(`DROP TRIGGER webhook_notice_events ON events`);
    await queryRunner.query(`DROP FUNCTION webhook_note_removed()`);
    await queryRunner.query(`DROP FUNCTION webhook_notice_events()`);
    for (const table of [
      'webhook_removed_endpoints',
      'webhook_recoveries',
      'webhook_hours',
      'webhook_attempts',
      'webhook_queue',
      'webhook_deliveries',
      'webhook_new_events',
      'webhook_lanes',
      'webhook_former_secrets',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(
      `ALTER TABLE webhook_endpoints DROP COLUMN rate_limit_per_second, DROP COLUMN encrypted_headers`,
    );
    await queryRunner.query(`DROP INDEX events_owner_id_idx`);
    await queryRunner.query(`DROP INDEX events_org_id_idx`);
  }
}

/** Rows come and go: cleaned up after a fixed number of them, not after a share of a table that is mostly empty. */
const BUSY = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0`;
