import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { ownerOf } from '../../bundles/bundle-owner';
import { Environment } from '../../config/environment';
import { outsideRequests } from '../../database/deadline';
import { many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { messageOf } from '../../errors/message-of';
import { type AnyDomainEvent, recordAll } from '../../events/outbox';
import { MAX_TOLD, TELL_DOWN, TELL_RECOVERED } from './upstream-outages.sql';

const LOOK_MS = 10_000;

interface OutageRow {
  bundle_id: string;
  entry_id: string;
  name: string;
  org_id: string | null;
  owner_id: string;
}
interface DownRow extends OutageRow {
  down_since: Date;
  list_error: string | null;
}

/**
 * Tells the owners of bundles when an upstream of their endpoint is down, and when it answers again: each at most once in
 * five minutes and entry, by whatever worker sees it first. What changed back in the meantime is not told.
 */
@Injectable()
export class UpstreamOutages implements BeforeApplicationShutdown {
  private readonly logger = new Logger(UpstreamOutages.name);
  private readonly isWorker: boolean;
  private turn?: Promise<void>;
  private isEnding = false;

  constructor(
    private readonly dataSource: DataSource,
    { run }: Environment,
  ) {
    this.isWorker = run.has('worker');
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.turn;
  }

  @Interval('outages of upstreams', LOOK_MS)
  async look(): Promise<void> {
    if (!this.isWorker || this.isEnding) return;
    this.turn ??= outsideRequests(() => this.takeTurn())
      .catch((error: unknown) => this.logger.warn(`Outages of upstreams were not told: ${messageOf(error)}`))
      .finally(() => (this.turn = undefined));
    await this.turn;
  }

  private async takeTurn(): Promise<void> {
    while (!this.isEnding && (await this.tellSome()) >= MAX_TOLD);
  }

  /** @returns how many events of the kind that had more of them */
  private tellSome(): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const down = await many<DownRow>(manager, TELL_DOWN);
      const recovered = await many<OutageRow>(manager, TELL_RECOVERED);
      await recordAll(manager, [
        ...down.map((row): AnyDomainEvent => {
          const since = { down_since: row.down_since.toISOString(), reason: row.list_error ?? '' };
          return { type: 'endpoint.upstream_down', ...ownerOf(row), data: { ...dataOf(row), ...since } };
        }),
        ...recovered.map((row): AnyDomainEvent => {
          return { type: 'endpoint.upstream_recovered', ...ownerOf(row), data: dataOf(row) };
        }),
      ]);
      return Math.max(down.length, recovered.length);
    });
  }
}

function dataOf({ bundle_id, entry_id, name, org_id }: OutageRow) {
  return { bundle_id, name, entry_id, org_id };
}
