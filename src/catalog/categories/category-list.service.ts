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

/** What the triggers of the categories and their counts notify. */
export const CATEGORIES_CHANNEL = 'categories';

const POLL_MS = 5_000;
/** How long a request waits for the database while there is a cached response to fall back on. */
const PATIENCE_MS = 1_000;
/** Pause after a failed read, so that an outage does not cause a storm of attempts. */
const RETRY_MS = 1_000;

/**
 * The response of "list categories", cached as bytes. A database notification marks it stale and the next request reads
 * it again; while the listener is disconnected it is read every 5 seconds. If the database cannot be read, or not in
 * time, the last known list is served: a slightly old catalogue is better than none.
 */
@Injectable()
export class CategoryList implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(CategoryList.name);
  private cached?: PreparedAnswer;
  private stale = true;
  private reading?: Promise<PreparedAnswer>;
  private poll?: NodeJS.Timeout;
  private retry?: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.notifications.listen(CATEGORIES_CHANNEL, () => this.readAgain());
    this.poll = setInterval(() => {
      if (!this.notifications.connected) this.stale = true;
    }, POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.poll);
    clearTimeout(this.retry);
  }

  /** @returns synchronously while the cached response is current */
  current(): PreparedAnswer | Promise<PreparedAnswer> {
    return this.cached && !this.stale ? this.cached : this.refresh();
  }

  /** Call after a change: the next request reads the list again. */
  readAgain(): void {
    this.stale = true;
  }

  private refresh(): Promise<PreparedAnswer> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.cached ? Promise.race([this.reading, sleep(PATIENCE_MS, this.cached, { ref: false })]) : this.reading;
  }

  private async read(): Promise<PreparedAnswer> {
    // Cleared before the read, so that a change notified during the read marks the response stale again.
    this.stale = false;
    try {
      this.cached = prepareJson(await many<CategoryOut>(this.dataSource, SELECT));
    } catch (error) {
      if (!this.cached) throw error;
      this.retry = setTimeout(() => (this.stale = true), RETRY_MS).unref();
      this.logger.warn(`Categories could not be read; serving the last known list: ${(error as Error).message}`);
    }
    return this.cached;
  }
}
