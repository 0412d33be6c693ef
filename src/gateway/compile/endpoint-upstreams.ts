import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { outsideRequests } from '../../database/deadline';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { messageOf } from '../../errors/message-of';
import { type CompiledBundle, isReachable, type ReachableEntry } from './compiled-bundle';

const MAX_REMEMBERED = 10_000;
const NOTE_EVERY_MS = 3_600_000;

/** $1 bundle, $2 entries, $3 their upstreams. Writes only what has changed; entries that are gone are forgotten. */
export const NOTE_UPSTREAMS = `
  WITH gone AS (
    DELETE FROM endpoint_upstreams AS known
    WHERE known.bundle_id = $1
      AND NOT EXISTS (SELECT FROM bundle_entries AS entries WHERE entries.id = known.entry_id AND entries.bundle_id = $1)
  )
  INSERT INTO endpoint_upstreams AS known (bundle_id, entry_id, upstream_id)
  SELECT entries.bundle_id, entries.id, upstreams.id
  FROM unnest($2::uuid[], $3::uuid[]) AS given (entry_id, upstream_id)
  JOIN bundle_entries AS entries ON entries.id = given.entry_id AND entries.bundle_id = $1
  JOIN upstreams ON upstreams.id = given.upstream_id
  ORDER BY entries.id
  ON CONFLICT (bundle_id, entry_id) DO UPDATE SET upstream_id = EXCLUDED.upstream_id, is_tools_due = true
    WHERE known.upstream_id <> EXCLUDED.upstream_id`;

/** Their tools have to be noticed (`ToolNewsJob`). */
export const TOOLS_CHANNEL = 'toolyard_tools';
const NOTIFY = `SELECT pg_notify('${TOOLS_CHANNEL}', '')`;

/** Notes which upstream each entry of an endpoint leads to, so that owners can be told when it is down. */
@Injectable()
export class EndpointUpstreams {
  private readonly logger = new Logger(EndpointUpstreams.name);
  private readonly noted = new LRUCache<string, string>({ max: MAX_REMEMBERED, ttl: NOTE_EVERY_MS });

  constructor(private readonly dataSource: DataSource) {}

  /** At once, whatever was noted before. @throws what the database throws */
  async noteNow(bundleId: string, entries: CompiledBundle['entries']): Promise<void> {
    const reachable = ofEveryone(entries);
    if (reachable.length === 0) return;
    const values = [bundleId, reachable.map(({ id }) => id), reachable.map(({ upstream }) => upstream.id)];
    await inTransaction(this.dataSource, (manager) => execute(manager, NOTE_UPSTREAMS, values));
  }

  /** In the background: what fails is noted with the next compilation. */
  note(bundleId: string, entries: CompiledBundle['entries']): void {
    const reachable = ofEveryone(entries);
    const text = reachable.map(({ id, upstream }) => `${id} ${upstream.id}`).join();
    if (reachable.length === 0 || this.noted.get(bundleId) === text) return;
    this.noted.set(bundleId, text);
    const values = [bundleId, reachable.map(({ id }) => id), reachable.map(({ upstream }) => upstream.id)];
    outsideRequests(() => this.write(values)).catch((error: unknown) => {
      this.noted.delete(bundleId);
      this.logger.debug(`The upstreams of an endpoint were not noted: ${messageOf(error)}`);
    });
  }

  private async write(values: readonly unknown[]): Promise<void> {
    if ((await execute(this.dataSource, NOTE_UPSTREAMS, values)) > 0) await execute(this.dataSource, NOTIFY);
  }
}

/** What only one person sees of a server says nothing of what others see, and is not for them to know. */
function ofEveryone(entries: CompiledBundle['entries']): ReachableEntry[] {
  return entries.filter(isReachable).filter(({ credential }) => credential?.chosen?.owner !== 'PERSON');
}
