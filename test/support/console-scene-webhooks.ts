import { Environment } from '../../src/config/environment';
import { bucketOf, BUCKETS } from '../../src/webhooks/deliveries/latency-histogram';
import type { ConsoleScene } from './console-scene';
import { createDeliveries, createEvent } from './deliveries';
import { createEndpoint } from './factories';

const HOUR_MS = 3_600_000;

/** Endpoints of Acme, each in another state. */
export interface WebhooksOfScene {
  failing: string;
  working: string;
  off: string;
  quiet: string;
}

/** Allows receivers on this machine, over plain http: the service of the scene was started without that. */
export function allowLocalReceivers({ test }: ConsoleScene): void {
  Object.assign(test.app.get(Environment), { webhooksAllowHttp: true });
}

/** Adds endpoints with a day of attempts; the working one has as many deliveries as asked for. */
export async function addWebhooks(scene: ConsoleScene, deliveries = 120): Promise<WebhooksOfScene> {
  allowLocalReceivers(scene);
  const { orgId, test } = scene;
  const { dataSource } = test;
  const create = async (path: string, description: string) =>
    (
      await createEndpoint(scene.as.lead, {
        org_id: orgId,
        // Nothing listens there.
        target_url: `http://127.0.0.1:9/${path}`,
        description,
        event_types: ['bundle.created', 'bundle.deleted', 'member.added'],
      })
    ).id;
  const quiet = await create('archive', 'Keeps everything for the auditors');
  const off = await create('chat', 'Posts into the channel of the platform team');
  const working = await create('inventory?token=of-the-scene', 'Inventory of tools');
  const failing = await create('pagers', 'Wakes who is on call');
  await dataSource.query(
    `UPDATE webhook_endpoints SET is_active = false, disabled_reason = 'failing', disabled_at = now() - interval '2 days'
     WHERE id = $1`,
    [off],
  );
  await dataSource.query(`UPDATE webhook_lanes SET failing_since = now() - interval '5 hours' WHERE endpoint_id = $1`, [
    failing,
  ]);
  for (let hour = 0; hour < 24; hour++) {
    await write(scene, working, hour, 20 + ((hour * 37) % 60), hour === 7 ? 4 : 0);
    await write(scene, failing, hour, hour < 5 ? 0 : 10 + (hour % 7), hour < 5 ? 6 + hour : 0);
  }
  await fill(scene, working, deliveries, 'SUCCEEDED');
  await fill(scene, failing, 12, 'FAILED');
  return { failing, working, off, quiet };
}

/** @param ago hours */
async function write({ test }: ConsoleScene, endpointId: string, ago: number, succeeded: number, failed: number) {
  const latencies = Array<number>(BUCKETS).fill(0);
  const durations = [12, 34, 48, 60, 95, 130, 180, 420, 900, 2_600];
  for (let place = 0; place < succeeded + failed; place++) {
    latencies[bucketOf(durations[(place * 7) % durations.length] ?? 1)]! += 1;
  }
  await test.dataSource.query(
    `INSERT INTO webhook_hours (endpoint_id, hour, succeeded, failed, latencies)
     VALUES ($1, date_trunc('hour', now()) - $2 * interval '1 hour', $3, $4, $5)`,
    [endpointId, ago, succeeded, failed, latencies],
  );
}

async function fill({ test, orgId }: ConsoleScene, endpointId: string, count: number, status: 'SUCCEEDED' | 'FAILED') {
  const isGood = status === 'SUCCEEDED';
  const now = Date.now();
  const at = (place: number) => new Date(now - ((place + 1) * 4 * HOUR_MS) / count);
  // Of a type to which nothing subscribes any more: the worker would make deliveries of it, too.
  const event = { type: 'listing.published', at: at(0) };
  const eventId = await createEvent(test.dataSource, { orgId }, event);
  const made = await createDeliveries(
    test.dataSource,
    endpointId,
    Array.from({ length: count }, (_, place) => ({
      at: at(place),
      ...(place === 0 && { eventId }),
      type: place === 0 ? event.type : place % 3 === 0 ? 'bundle.created' : 'member.added',
      status,
      attemptCount: isGood ? 1 : 10,
      responseStatus: isGood ? 204 : 503,
      error: isGood ? null : 'http_status',
      lastAttemptAt: at(place),
    })),
  );
  const [first] = made;
  await test.dataSource.query(
    `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_body, error, error_message)
     SELECT $1, number, now() - number * interval '10 minutes', 80 + number, $2, $3, $4, $5 FROM generate_series(1, $6) AS number`,
    [
      first?.id,
      isGood ? 204 : 503,
      isGood ? '' : '<h1>Down for maintenance</h1>',
      isGood ? null : 'http_status',
      isGood ? null : 'The receiver answered 503.',
      isGood ? 1 : 10,
    ],
  );
}
