import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../config/clock';
import { one } from '../database/statements';
import { messageOf } from '../errors/message-of';

const INTERVAL_MS = 10_000;
/** An answer that took longer says too little about now. */
const SLOWEST_MS = 1_000;
/** From here on an operator should know. */
const WORTH_REPORTING_MS = 5_000;

const NOW = `SELECT clock_timestamp() AS now`;

/**
 * Keeps the clock of this process at the time of the database. Leases of deliveries, waits after failed sign-ins and ends
 * of sessions are written by one process and compared by others: were one of them an hour ahead, what it noted would hold
 * for an hour too long.
 */
@Injectable()
export class DatabaseTime implements OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseTime.name);
  private timer?: NodeJS.Timeout;
  private isReported = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** From now on the time is read every ten seconds, as two machines drift apart. */
  keep(): void {
    this.timer = setInterval(() => void this.read(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Reads the time of the database once. If that fails, the clock goes on as before. */
  async read(): Promise<void> {
    const asked = performance.now();
    try {
      const { now } = await one<{ now: Date }>(this.dataSource, NOW);
      const took = performance.now() - asked;
      if (took > SLOWEST_MS) return;
      this.report(Date.now() - took / 2 - now.getTime());
      this.clock.follow(now, asked + took / 2);
    } catch (error) {
      this.logger.debug(`The time of the database was not read: ${messageOf(error)}`);
    }
  }

  /** @param ahead milliseconds that the machine is ahead of the database; negative if it is behind */
  private report(ahead: number): void {
    const isOff = Math.abs(ahead) > WORTH_REPORTING_MS;
    if (isOff && !this.isReported) {
      const seconds = Math.round(Math.abs(ahead) / 1_000);
      this.logger.warn(
        `The clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's, which counts.`,
      );
    }
    this.isReported = isOff;
  }
}
