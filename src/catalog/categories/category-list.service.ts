import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Notifications } from '../../database/notifications';
import { many } from '../../database/statements';
import { prepareJson, PreparedAnswer } from '../../http/answers/prepared-answer';
import type { CategoryOut } from './category.dto';

const SELECT = `
  SELECT categories.id, name, slug, description, icon, COALESCE(mcp_count, 0) AS mcp_count
  FROM categories LEFT JOIN category_counts ON category_counts.category_id = categories.id
  ORDER BY display_order, categories.id`;

const POLL_MS = 5_000;
/** How long a request waits for the database while there is an answer to fall back on. */
const PATIENCE_MS = 1_000;
/** How long after a failure the database is not asked again, so that an outage makes no storm of attempts. */
const RETRY_MS = 1_000;

/**
 * The answer to "list categories", held ready as bytes. A notification of the database drops it and the next request
 * reads it anew; while notifications are lost it is read every 5 seconds. If the database cannot be read, or not in
 * time, the last known answer still stands: a catalogue that is a little old beats none.
 */
@Injectable()
export class CategoryList implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(CategoryList.name);
  private held?: PreparedAnswer;
  private stale = true;
  private reading?: Promise<PreparedAnswer>;
  private poll?: NodeJS.Timeout;
  private retry?: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.notifications.listen('categories', () => (this.stale = true));
    this.poll = setInterval(() => {
      if (!this.notifications.connected) this.stale = true;
    }, POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.poll);
    clearTimeout(this.retry);
  }

  /** @returns at once while nothing has changed */
  current(): PreparedAnswer | Promise<PreparedAnswer> {
    return this.held && !this.stale ? this.held : this.refresh();
  }

  private refresh(): Promise<PreparedAnswer> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.held ? Promise.race([this.reading, sleep(PATIENCE_MS, this.held, { ref: false })]) : this.reading;
  }

  private async read(): Promise<PreparedAnswer> {
    // Before the statement: news that arrive while it runs make the answer stale again.
    this.stale = false;
    try {
      this.held = prepareJson(await many<CategoryOut>(this.dataSource, SELECT));
    } catch (error) {
      if (!this.held) throw error;
      this.retry = setTimeout(() => (this.stale = true), RETRY_MS).unref();
      this.logger.warn(`Categories could not be read; serving the last known list: ${(error as Error).message}`);
    }
    return this.held;
  }
}
