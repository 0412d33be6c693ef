import type { PlatformHealth } from '../../../api/schema';

export type State = PlatformHealth['state'];

/** What an operator does about a light that is not in order. */
export type Todo =
  | 'rollOut'
  | 'migrate'
  | 'newer'
  | 'noApi'
  | 'noWorker'
  | 'lost'
  | 'workers'
  | 'mails'
  | 'counts'
  | 'importLate'
  | 'importFailed'
  | 'importStuck'
  | 'quarantine'
  | 'signing'
  | 'unknownKey'
  | 'formerKey'
  | 'oldKey';

type Queue = PlatformHealth['queues'][number];
type Key = PlatformHealth['keys'][number];

/** A light of the page, with what it is about. */
export type Light = { id: string; state: State; todo: Todo | undefined } & (
  | { kind: 'versions' | 'migrations' | 'replicas' | 'categoryCounts' | 'imports' }
  | { kind: 'queue'; queue: Queue }
  | { kind: 'key'; key: Key }
);

/** @returns all lights in the order of the page; each that is not in order has something to do */
export function lightsOf(health: PlatformHealth): Light[] {
  const { versions, migrations, replicas, queues, category_counts: counts, imports, keys } = health;
  return [
    { id: 'replicas', kind: 'replicas', ...judged(replicas.state, ofReplicas(replicas)) },
    ...queues.map((queue): Light => {
      const todo = queue.name === 'MAILS' ? 'mails' : 'workers';
      return { id: queue.name, kind: 'queue', queue, ...judged(queue.state, todo) };
    }),
    {
      id: 'migrations',
      kind: 'migrations',
      ...judged(migrations.state, migrations.pending.length > 0 ? 'migrate' : 'newer'),
    },
    { id: 'versions', kind: 'versions', ...judged(versions.state, 'rollOut') },
    { id: 'imports', kind: 'imports', ...judged(imports.state, ofImports(imports)) },
    { id: 'category-counts', kind: 'categoryCounts', ...judged(counts.state, 'counts') },
    ...keys.map((key): Light => ({
      id: `${key.purpose} ${key.id}`,
      kind: 'key',
      key,
      ...judged(key.state, ofKey(key)),
    })),
  ];
}

/** @returns the lights that are not in order, the worst first */
export function toDo(lights: readonly Light[]): Light[] {
  return [...lights.filter(({ state }) => state === 'BAD'), ...lights.filter(({ state }) => state === 'WARN')];
}

function judged(state: State, todo: Todo): { state: State; todo: Todo | undefined } {
  return { state, todo: state === 'OK' ? undefined : todo };
}

function ofReplicas({ state, api }: PlatformHealth['replicas']): Todo {
  if (state === 'WARN') return 'lost';
  return api === 0 ? 'noApi' : 'noWorker';
}

function ofImports({ state, last }: PlatformHealth['imports']): Todo {
  if (state === 'BAD') return 'importLate';
  if (last?.status === 'failed') return 'importFailed';
  return last?.status === 'running' ? 'importStuck' : 'quarantine';
}

function ofKey({ purpose, use }: Key): Todo {
  if (purpose === 'SIGNING') return 'signing';
  if (use === 'UNKNOWN') return 'unknownKey';
  return use === 'FORMER' ? 'formerKey' : 'oldKey';
}
