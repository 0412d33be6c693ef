import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Secrets } from '../../config/secrets';
import { many, one } from '../../database/statements';
import { ForbiddenError } from '../../errors/errors';
import { HealthSources, type ImportFacts, type KeyFacts, type QueueFacts } from '../../metrics/health-sources';
import {
  REPLICA_ALIVE_MS,
  stateOfCounts,
  stateOfImports,
  stateOfKey,
  stateOfMigrations,
  stateOfQueue,
  stateOfReplicas,
  stateOfVersions,
  worst,
} from './health-rules';
import type {
  HealthImportsOut,
  HealthKeyOut,
  HealthMigrationsOut,
  HealthQueueOut,
  HealthReplicaOut,
  PlatformHealthOut,
} from './platform-health.dto';
import { ENCRYPTION_KEYS, MIGRATIONS_RUN, REPLICAS, VERSIONS } from './platform-health.sql';
import { releaseVersion } from './release';

const MAX_UNKNOWN = 10;

interface ReplicaRow {
  id: string;
  parts: string[];
  version: string | null;
  started_at: Date;
  seen_at: Date;
  is_alive: boolean;
}

/**
 * How the instance is, for platform administrators. A dozen statements, each of which reads a bounded number of rows; all
 * who ask at the same time get the same answer.
 */
@Injectable()
export class PlatformHealth {
  private readonly release = releaseVersion();
  private reading?: Promise<PlatformHealthOut>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: HealthSources,
    private readonly secrets: Secrets,
  ) {}

  /** @throws ForbiddenError */
  read({ isPlatformAdmin }: Caller): Promise<PlatformHealthOut> {
    if (!isPlatformAdmin) throw new ForbiddenError('Only platform administrators see how the instance is.');
    return (this.reading ??= this.readNow().finally(() => (this.reading = undefined)));
  }

  private async readNow(): Promise<PlatformHealthOut> {
    const { postgresql, now } = await one<{ postgresql: string; now: Date }>(this.dataSource, VERSIONS);
    const replicas = await many<ReplicaRow>(this.dataSource, REPLICAS, [REPLICA_ALIVE_MS / 1_000]);
    const alive = replicas.filter(({ is_alive }) => is_alive);
    const running = (part: string) => alive.filter(({ parts }) => parts.includes(part)).length;
    const counted = { api: running('api'), worker: running('worker') };
    const releases = [...new Set(alive.flatMap(({ version }) => version ?? []))].sort();
    const queues = (await this.sources.read('queues')).flat();
    const keys = [...(await this.sources.read('keys')).flat(), ...(await this.encryptionKeys())];
    const [refreshedAt = null] = await this.sources.read('categoryCounts');
    const [imports] = await this.sources.read('imports');
    if (!imports) throw new Error('No module says what was imported.');
    const parts = {
      versions: {
        state: stateOfVersions(releases),
        service: this.release,
        releases,
        postgresql,
        node: process.versions.node,
      },
      migrations: await this.migrations(),
      replicas: {
        state: stateOfReplicas({ ...counted, lost: replicas.length - alive.length }),
        ...counted,
        replicas: replicas.map(toReplica),
      },
      queues: queues.map((facts) => toQueue(facts, now)),
      category_counts: {
        state: stateOfCounts(refreshedAt, now),
        refreshed_at: refreshedAt?.toISOString() ?? null,
      },
      imports: toImports(imports, now),
      keys: keys.map((facts) => toKey(facts, now)),
    };
    const states = Object.values(parts)
      .flat()
      .map(({ state }) => state);
    return { state: worst(states), read_at: now.toISOString(), ...parts };
  }

  private async migrations(): Promise<HealthMigrationsOut> {
    const rows = await many<{ name: string }>(this.dataSource, MIGRATIONS_RUN);
    const run = new Set(rows.map(({ name }) => name));
    const own = this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
    const known = new Set(own);
    const pending = own.filter((name) => !run.has(name));
    const unknown = [...run].filter((name) => !known.has(name));
    return {
      state: stateOfMigrations({ pending: pending.length, unknown: unknown.length }),
      applied: own.length - pending.length,
      pending,
      unknown: unknown.slice(0, MAX_UNKNOWN),
    };
  }

  private async encryptionKeys(): Promise<KeyFacts[]> {
    const rows = await many<{ id: string; first_used_at: Date }>(this.dataSource, ENCRYPTION_KEYS);
    const [current, ...accepted] = this.secrets.ids;
    return rows.map(({ id, first_used_at: since }) => {
      const use = id === current ? 'CURRENT' : accepted.includes(id) ? 'FORMER' : 'UNKNOWN';
      return { purpose: 'ENCRYPTION', id, use, since };
    });
  }
}

function toReplica({ id, parts, version, is_alive, started_at, seen_at }: ReplicaRow): HealthReplicaOut {
  return {
    id,
    parts,
    version,
    is_alive,
    started_at: started_at.toISOString(),
    seen_at: seen_at.toISOString(),
  };
}

function toQueue(facts: QueueFacts, now: Date): HealthQueueOut {
  const { name, depth, countedUpTo, oldestAt } = facts;
  return {
    state: stateOfQueue(facts, now),
    name,
    depth,
    counted_up_to: countedUpTo,
    oldest_at: oldestAt?.toISOString() ?? null,
  };
}

function toImports(facts: ImportFacts, now: Date): HealthImportsOut {
  const { from, last, finishedAt, quarantined, quarantinedToday, countedUpTo } = facts;
  return {
    state: stateOfImports(facts, now),
    from,
    last: last && {
      source: last.source,
      status: last.status,
      error: last.error,
      started_at: last.startedAt.toISOString(),
      updated_at: last.updatedAt.toISOString(),
      finished_at: last.finishedAt?.toISOString() ?? null,
    },
    finished_at: finishedAt?.toISOString() ?? null,
    quarantined,
    quarantined_today: quarantinedToday,
    counted_up_to: countedUpTo,
  };
}

function toKey(facts: KeyFacts, now: Date): HealthKeyOut {
  const { purpose, id, use, since } = facts;
  return { state: stateOfKey(facts, now), purpose, id, use, since: since.toISOString() };
}
