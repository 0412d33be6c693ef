import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../../config/environment';
import { outsideRequests } from '../../database/deadline';
import { Notifications } from '../../database/notifications';
import { messageOf } from '../../errors/message-of';
import { TOOLS_CHANNEL } from '../compile/endpoint-upstreams';
import { Upstreams } from '../upstreams/upstreams.service';
import { MAX_NOTICED, ToolInventory } from './tool-inventory';

/** Changes are notified; this is for what a process missed, or died of. */
const LOOK_MS = 10_000;

/** Notices changes of tools as soon as lists were read, in every process whose RUN contains `worker`. */
@Injectable()
export class ToolNewsJob implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ToolNewsJob.name);
  private readonly isWorker: boolean;
  private turn?: Promise<void>;
  private isWanted = false;
  private isEnding = false;

  constructor(
    private readonly inventory: ToolInventory,
    upstreams: Upstreams,
    notifications: Notifications,
    { run }: Environment,
  ) {
    this.isWorker = run.has('worker');
    if (!this.isWorker) return;
    upstreams.onChange(() => this.look());
    notifications.listen(TOOLS_CHANNEL, () => this.look());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.turn;
  }

  @Interval('news of tools', LOOK_MS)
  look(): void {
    if (!this.isWorker || this.isEnding) return;
    this.isWanted = true;
    this.turn ??= outsideRequests(() => this.takeTurns()).finally(() => (this.turn = undefined));
  }

  private async takeTurns(): Promise<void> {
    try {
      while (this.isWanted && !this.isEnding) {
        this.isWanted = false;
        if ((await this.inventory.notice()) === MAX_NOTICED) this.isWanted = true;
      }
    } catch (error) {
      // The next look tries again.
      this.logger.warn(`Changes of tools were not noticed: ${messageOf(error)}`);
    }
  }
}
