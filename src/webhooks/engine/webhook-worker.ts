import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { Notifications } from '../../database/notifications';
import { many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { RecoveryRunner } from '../deliveries/recovery-runner';
import { DELIVERIES_CHANNEL, DeliveryQueue } from './delivery-queue';
import { Dispatcher } from './dispatcher';
import { FanOut } from './fan-out';
import { Loop } from './loop';
import { QueryEncryption } from './query-encryption';
import { Retention } from './retention';
import type { WebhookLane } from './webhook-lane.entity';

/** On it the database tells that events came to which somebody listens. */
const EVENTS_CHANNEL = 'webhook_events';

const RETENTION_REST_MS = 10 * 60_000;

/**
 * Runs the delivery engine in every process whose RUN has `worker`, any number of them at once. Each part is a loop of
 * small transactions, woken by notifications and by the clock; none of them depends on another one's progress.
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
    private readonly fanOut: FanOut,
    private readonly dispatcher: Dispatcher,
    private readonly queue: DeliveryQueue,
    private readonly recoveries: RecoveryRunner,
    private readonly retention: Retention,
    private readonly encryption: QueryEncryption,
  ) {
    this.fanOutLoop = this.loopOf('Making deliveries', () => this.fanOut.step());
    this.recoveryLoop = this.loopOf('Recoveries', () => this.recoveries.step());
    this.loops = [
      this.fanOutLoop,
      this.recoveryLoop,
      this.loopOf('Cancelling', () => this.drain()),
      this.loopOf('Removing', () => this.remove()),
      this.loopOf('Encrypting', () => this.encryption.step()),
    ];
    if (!environment.run.has('worker')) return;
    notifications.listen(EVENTS_CHANNEL, () => this.fanOutLoop.wake());
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

  /** Before connections are closed: what is under way is still written down. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.loops.map((loop) => loop.stop()), this.dispatcher.stop()]);
  }

  /** @param step returns whether there is more to do at once */
  private loopOf(name: string, step: () => Promise<boolean>): Loop {
    return new Loop(
      async () => ((await step()) ? 0 : Infinity),
      (error) => {
        if (error === undefined) this.logger.log(`${name} resumed.`);
        else this.logger.warn(`${name} is paused: ${(error as Error).message}`);
      },
    );
  }

  /** What was queued for endpoints that were disabled. */
  private async drain(): Promise<boolean> {
    const lanes = await many<Pick<Columns<WebhookLane>, 'endpoint_id'>>(
      this.dataSource,
      `SELECT endpoint_id FROM webhook_lanes WHERE is_draining`,
    );
    let more = false;
    for (const { endpoint_id } of lanes) {
      more = (await inTransaction(this.dataSource, (manager) => this.queue.drain(manager, endpoint_id))) || more;
    }
    return more;
  }

  private async remove(): Promise<boolean> {
    // In turn, so that what goes with endpoints that are deleted all the time does not keep what is old.
    const hasOrphans = await this.retention.removeOrphans();
    if (performance.now() < this.nextRetention) return hasOrphans;
    if (await this.retention.removeOld()) return true;
    this.nextRetention = performance.now() + RETENTION_REST_MS;
    return hasOrphans;
  }
}
