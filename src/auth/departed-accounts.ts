import { Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Notifications } from '../database/notifications';
import { many } from '../database/statements';
import { TokenMemory } from './token-memory';

/** Sent by a trigger on `users`, with the id of the account. */
const CHANNEL = 'accounts_closed';

/** How often the database is polled while its notifications do not arrive: a second is allowed (contract, section 13.2). */
const POLL_MS = 500;

/** Longer than two polls, and than the time from closing an account to the end of its transaction. */
const LOOK_BACK = '5 minutes';

/**
 * Evicts cached tokens of accounts that are no longer open. An account may be deleted or closed on another replica: the
 * database notifies all of them. While notifications are lost, the database is polled twice a second; once they
 * arrive again, the whole cache is cleared, since one may have been missed.
 */
@Injectable()
export class DepartedAccounts implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(DepartedAccounts.name);
  private poll?: NodeJS.Timeout;
  private isAsking = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    private readonly memory: TokenMemory,
  ) {}

  onModuleInit(): void {
    this.notifications.listen(CHANNEL, (userId) =>
      userId === undefined ? this.memory.forgetAll() : this.memory.forgetAccount(userId),
    );
    this.poll = setInterval(() => {
      if (!this.notifications.connected && !this.isAsking) void this.ask();
    }, POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.poll);
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      const closed = await many<{ id: string }>(
        this.dataSource,
        `SELECT id FROM users WHERE closed_at > now() - $1::interval`,
        [LOOK_BACK],
      );
      for (const { id } of closed) this.memory.forgetAccount(id);
    } catch (error) {
      this.logger.debug(`Closed accounts could not be read: ${(error as Error).message}`);
    } finally {
      this.isAsking = false;
    }
  }
}
