import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { Notifications } from '../../database/notifications';
import { many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { RecoveryRunner } from '../deliveries/recovery-runner';
import { DELIVERIES_CHANNEL, DeliveryQueue } from '../queue/delivery-queue';
import { Dispatcher } from './dispatcher';
import { Loop } from './loop';
import { QueryEncryption } from './query-encryption';
import { Retention } from './retention';
import { passing } from '../stations';
import type { WebhookLane } from '../queue/webhook-lane.entity';

/** The database notifies this channel of events that an endpoint subscribes to. */
const EVENTS_CHANNEL = 'webhook_events';

const RETENTION_INTERVAL_MS = 10 * 60_000;

/**
 * Runs the delivery engine in every process whose RUN contains `worker`, any number of them at once. Each part is a
 * loop of small transactions, woken by notifications and timers; none depends on the progress of another.
 */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookWorker.name);
  private readonly loops: Loop[];
  private readonly fanOutLoop: Loop;
  private readonly recoveryLoop: Loop;
  private nextRetention = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly notifications: Notifications,
    private readonly dispatcher: Dispatcher,
    private readonly queue: DeliveryQueue,
    private readonly recoveries: RecoveryRunner,
    private readonly retention: Retention,
    private readonly encryption: QueryEncryption,
  ) {
    this.fanOutLoop = this.loopOf('Webhook fan-out', () => this.dispatcher.createDeliveries());
    this.recoveryLoop = this.loopOf('Webhook recovery', () => this.recoveries.step());
    this.loops = [
      this.fanOutLoop,
      this.recoveryLoop,
      this.loopOf('Webhook cancellation', () => this.drain()),
      this.loopOf('Webhook retention', () => this.remove()),
      this.loopOf('Webhook query encryption', () => this.encryption.step()),
    ];
    if (!environment.run.has('worker')) return;
    notifications.listen(EVENTS_CHANNEL, () => this.onEvents());
    notifications.listen(DELIVERIES_CHANNEL, () => {
      this.dispatcher.wake();
      this.recoveryLoop.wake();
    });
  }

  onApplicationBootstrap(): void {
    if (!this.environment.run.has('worker')) return;
    for (const loop of this.loops) loop.wake();
    this.dispatcher.wake();
  }

  /** Runs before connections are closed, so that attempts in flight are still recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.loops.map((loop) => loop.stop()), this.dispatcher.stop()]);
  }

  private onEvents(): void {
    passing('notified');
    this.fanOutLoop.wake();
  }

  /** @param step returns whether there is more work now */
  private loopOf(name: string, step: () => Promise<boolean>): Loop {
    return new Loop(
      async () => ((await step()) ? 0 : Infinity),
      (error) => {
        if (error === undefined) this.logger.log(`${name} resumed.`);
        else this.logger.warn(`${name} is paused: ${(error as Error).message}`);
      },
    );
  }

  /** Cancels what was queued for disabled endpoints. */
  private async drain(): Promise<boolean> {
    const lanes = await many<Pick<Columns<WebhookLane>, 'endpoint_id'>>(
      this.dataSource,
      `SELECT endpoint_id FROM webhook_lanes WHERE is_draining`,
    );
    let hasMore = false;
    for (const { endpoint_id } of lanes) {
      hasMore = (await inTransaction(this.dataSource, (manager) => this.queue.drain(manager, endpoint_id))) || hasMore;
    }
    return hasMore;
  }

  private async remove(): Promise<boolean> {
    // Alternating, so that constant deletions of endpoints do not delay the removal of expired rows.
    const hasOrphans = await this.retention.removeOrphans();
    if (performance.now() < this.nextRetention) return hasOrphans;
    if (await this.retention.removeOld()) return true;
    this.nextRetention = performance.now() + RETENTION_INTERVAL_MS;
    return hasOrphans;
  }
}
