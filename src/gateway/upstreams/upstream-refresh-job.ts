import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../../config/environment';
import { outsideRequests } from '../../database/deadline';
import { Notifications } from '../../database/notifications';
import { messageOf } from '../../errors/message-of';
import { UpstreamRefresher } from './upstream-refresher';

/** Notified when an upstream has become due before its time. */
const DUE_CHANNEL = 'toolyard_upstreams';
const LOOK_MS = 1_000;

/** Reads the lists of upstreams when they are due, in every process whose RUN contains `worker`. */
@Injectable()
export class UpstreamRefreshJob implements BeforeApplicationShutdown {
  private readonly logger = new Logger(UpstreamRefreshJob.name);
  private readonly isWorker: boolean;
  private turn?: Promise<void>;
  private isWanted = false;
  private isFailing = false;
  private isEnding = false;

  constructor(
    private readonly refresher: UpstreamRefresher,
    notifications: Notifications,
    { run }: Environment,
  ) {
    this.isWorker = run.has('worker');
    if (this.isWorker) notifications.listen(DUE_CHANNEL, () => this.look());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.turn;
  }

  /** Looks for those that are due: every second, and when notified. */
  @Interval('lists of upstreams', LOOK_MS)
  look(): void {
    if (!this.isWorker || this.isEnding) return;
    this.isWanted = true;
    this.turn ??= outsideRequests(() => this.takeTurns()).finally(() => (this.turn = undefined));
  }

  private async takeTurns(): Promise<void> {
    while (this.isWanted && !this.isEnding) {
      this.isWanted = false;
      try {
        await this.refresher.startDue(() => this.look());
        if (this.isFailing) this.logger.log('Lists of upstreams are refreshed again.');
        this.isFailing = false;
      } catch (error) {
        if (!this.isFailing) this.logger.warn(`Lists of upstreams are not refreshed: ${messageOf(error)}`);
        this.isFailing = true;
        return;
      }
    }
  }
}
