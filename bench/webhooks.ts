import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchSettings, type Server, startServer } from './measure';
import { type Service, startService } from './service';

/** What the receiver got since it was cleared. */
export interface Received {
  received: number;
  distinct: number;
  /** Milliseconds from the event to its arrival; null: nothing arrived. */
  p50: number | null;
  p95: number | null;
}

/** A receiver of its own, and the service as workers only, beside the process used for the setup. */
export interface Deliveries {
  service: Service;
  receiver: Server;
  /** Owners of endpoints; each owns one that is subscribed to `bundle.created`. */
  owners: string[];
  received: () => Promise<Received>;
  clear: () => Promise<void>;
  /** Starts another sending process. */
  worker: (env?: Record<string, string>) => Promise<Server>;
  /** Creates this many events, for the owners in turn. */
  emit: (count: number, owners?: readonly string[]) => Promise<void>;
  /** The owner of a new endpoint with that path at the receiver. */
  addEndpoint: (path: string) => Promise<string>;
  /** A new owner without endpoints. */
  addOwner: () => Promise<string>;
  /** A new endpoint of that owner. */
  addEndpointOf: (owner: string, path: string) => Promise<string>;
  stop: () => Promise<void>;
}

let nextPort = 3950;

/** The environment of processes that send to receivers on this machine. */
export const SENDING = {
  WEBHOOKS_ALLOW_HTTP: 'true',
  WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
  LIMIT_ORGANISATIONS_PER_PERSON: '10000',
  LOG_LEVEL: 'warn',
};

/** @param endpoints how many, each of a different organisation */
export async function startDeliveries(
  settings: BenchSettings,
  name: string,
  endpoints: number,
  env: Record<string, string> = {},
): Promise<Deliveries> {
  const service = await startService(settings, name, nextPort++, { ...SENDING, ...env, RUN: 'api' });
  const receiver = await startServer(join(__dirname, 'references', 'webhook-receiver.js'), nextPort++, {}, '/');
  const create = async (path: string, body: object) =>
    ((await service.call('POST', path, body)).body as { id: string }).id;
  const addOwner = () => create('/v1/organisations', { name: randomUUID() });
  const addEndpointOf = (org_id: string, path: string) =>
    create('/v1/webhooks', { org_id, target_url: `${receiver.url}${path}`, event_types: ['bundle.created'] });
  const addEndpoint = async (path: string) => {
    const owner = await addOwner();
    await addEndpointOf(owner, path);
    return owner;
  };
  const owners: string[] = [];
  for (let n = 0; n < endpoints; n++) owners.push(await addEndpoint(`/${n}`));
  let turn = 0;
  const emit: Deliveries['emit'] = async (count, to = owners) => {
    const orgIds = Array.from({ length: count }, () => to[turn++ % to.length]);
    await service.database.query(
      `INSERT INTO events (id, type, org_id, data)
       SELECT uuid_v7(), 'bundle.created', org_id, jsonb_build_object(
         'bundle_id', uuid_v7(), 'name', 'Bench', 'slug', 'bench', 'visibility', 'PRIVATE', 'org_id', org_id)
       FROM unnest($1::uuid[]) AS org_id`,
      [orgIds],
    );
  };
  const worker: Deliveries['worker'] = (workerEnv = {}) =>
    startServer(
      join(__dirname, '..', 'src', 'main.js'),
      nextPort++,
      {
        DATABASE_URL: service.databaseUrl,
        DATA_DIR: settings.dataDir,
        PUBLIC_URL: 'http://toolyard.bench',
        SECRETS_KEY: Buffer.alloc(32).toString('base64'),
        ...SENDING,
        ...workerEnv,
        RUN: 'worker',
      },
      '/readyz',
    );
  return {
    service,
    receiver,
    owners,
    addEndpoint,
    addOwner,
    addEndpointOf,
    emit,
    worker,
    received: async () => (await (await fetch(receiver.url)).json()) as Received,
    clear: async () => void (await fetch(receiver.url, { method: 'DELETE' })),
    stop: async () => {
      await Promise.all([service.stop(), receiver.stop()]);
    },
  };
}

/** Waits until everything has arrived. */
export async function settled({ received }: Deliveries, expected: number): Promise<Received> {
  for (let triesLeft = 600; ; triesLeft--) {
    const state = await received();
    if (state.distinct >= expected) return state;
    if (triesLeft === 0) throw new Error(`${state.distinct} of ${expected} deliveries arrived.`);
    await sleep(100);
  }
}
