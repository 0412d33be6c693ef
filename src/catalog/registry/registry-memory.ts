import { Injectable, OnModuleInit } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { Environment } from '../../config/environment';
import { DatabaseDeadlineError, withinDatabaseDeadline } from '../../database/deadline';
import { Notifications } from '../../database/notifications';
import { inTransaction } from '../../database/transaction';
import {
  missingCoding,
  type PreparedAnswer,
  preparePlain,
  REVALIDATE,
  sendPrepared,
  sizeOf,
  withCoding,
} from '../../http/answers/prepared-answer';
import { CATEGORIES_CHANNEL } from '../categories/category-list.service';
import { RegistryChanges } from '../registry-changes';

/** What the triggers of the registry's tables notify, in the transaction of the change. */
const REGISTRY_CHANNEL = 'registry';

const READS = new Set(['GET', 'HEAD']);
/** The public registry, as rewritten by `registryAliases`. */
const PUBLIC_BASE = '/v0.1/';
/**
 * The parameters of each operation. A request with others is answered as well, but not from memory, so that nobody can
 * fill it with copies of one answer: `?x=1`, `?x=2`, …
 */
const PARAMETERS: readonly (readonly [path: RegExp, names: ReadonlySet<string>])[] = [
  [/^servers$/, new Set(['limit', 'cursor', 'search', 'version', 'updated_since', 'include_deleted'])],
  [/^servers\/[^/]+\/versions$/, new Set(['cursor', 'include_deleted'])],
  [/^servers\/[^/]+\/versions\/[^/]+$/, new Set(['include_deleted'])],
  [/^x\/com\.toolyard\/facets$/, new Set(['search'])],
];

/** An entry's key, objects and Buffers besides its bytes; roughly. */
const ENTRY_BYTES = 1_024;

/** Something that takes time and ends with an answer. */
interface Work {
  /** Under which the answer is kept; undefined for one that is not. */
  key: string | undefined;
  /** Concurrent work of the same name is the same. */
  name: string | undefined;
  /** When the request began. */
  generation: number;
}

/**
 * Ready answers of the public registry, as bytes (ADR 24). They depend on nothing but path and query, and change only
 * when a public listing or a category does. Every such transaction notifies all replicas, which then forget everything;
 * while notifications do not arrive, answers come from the database.
 */
@Injectable()
export class RegistryMemory extends RegistryChanges implements OnModuleInit {
  private readonly answers?: LRUCache<string, PreparedAnswer>;
  /** What is being read or compressed now, so that concurrent requests for the same answer wait for one read. */
  private readonly pending = new Map<string, Promise<PreparedAnswer>>();
  private generation = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    { registryCacheBytes: maxSize }: Environment,
  ) {
    super();
    if (maxSize === 0) return;
    this.answers = new LRUCache({
      maxSize,
      sizeCalculation: (answer, key) => sizeOf(answer) + key.length + ENTRY_BYTES,
    });
  }

  onModuleInit(): void {
    for (const channel of [REGISTRY_CHANNEL, CATEGORIES_CHANNEL]) {
      this.notifications.listen(channel, () => this.forget());
    }
  }

  /** A middleware: sends a ready answer before guards and routes, which have accepted the same request before. */
  readonly serve = (request: Request, response: Response, next: NextFunction): void => {
    const key = keyOf(request);
    const answer = key === undefined ? undefined : this.recall(key);
    if (!answer || missingCoding(request, answer)) return next();
    sendPrepared(request, response, answer, REVALIDATE.everybody);
  };

  /**
   * Sends the answer to a request that was accepted, and keeps it.
   *
   * @param read gives it as JSON
   * @throws whatever `read` throws
   */
  async answer(request: Request, response: Response, read: () => Promise<string>): Promise<void> {
    const key = keyOf(request);
    const { generation } = this;
    const found = key === undefined ? undefined : this.recall(key);
    const plain = found ?? (await this.share({ key, name: key, generation }, async () => preparePlain(await read())));
    const coding = missingCoding(request, plain);
    const name = `${coding} ${plain.plain.etag} ${key}`;
    const answer = coding ? await this.share({ key, name, generation }, () => withCoding(plain, coding)) : plain;
    sendPrepared(request, response, answer, REVALIDATE.everybody);
  }

  /** Forgets everything after the commit. */
  async change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await inTransaction(this.dataSource, work);
    this.forget();
    return result;
  }

  private recall(key: string): PreparedAnswer | undefined {
    return this.notifications.connected ? this.answers?.get(key) : undefined;
  }

  /** Concurrent requests share what is done under one name, while notifications would tell that it is outdated. */
  private async share(work: Work, run: () => Promise<PreparedAnswer>): Promise<PreparedAnswer> {
    const { key, name } = work;
    if (key === undefined || name === undefined || !this.answers || !this.notifications.connected) return run();
    const others = this.pending.get(name);
    if (others) {
      try {
        await withinDatabaseDeadline(others);
        return await others;
      } catch (error) {
        // That request had less time left than this one.
        if (error instanceof DatabaseDeadlineError) return run();
        throw error;
      }
    }
    const result = this.keep(key, work.generation, run).finally(() => {
      if (this.pending.get(name) === result) this.pending.delete(name);
    });
    this.pending.set(name, result);
    return result;
  }

  /** What was read before a change may be without it, so it is sent but not kept. */
  private async keep(key: string, generation: number, run: () => Promise<PreparedAnswer>): Promise<PreparedAnswer> {
    const answer = await run();
    if (generation === this.generation && this.notifications.connected) this.answers?.set(key, answer);
    return answer;
  }

  private forget(): void {
    this.generation++;
    this.answers?.clear();
    this.pending.clear();
  }
}

/**
 * @returns what the answer depends on: path and sorted query; undefined if it is not one of the public registry or has
 *   a parameter that its operation does not know. A parameter that is sent twice is refused, so the order of two does
 *   not matter.
 */
function keyOf({ method, url }: Request): string | undefined {
  if (!READS.has(method) || !url.startsWith(PUBLIC_BASE) || url.includes('#')) return undefined;
  const query = url.indexOf('?');
  if (query === -1) return url;
  const parameters = url.slice(query + 1).split('&');
  const path = url.slice(0, query);
  const [, known] = PARAMETERS.find(([pattern]) => pattern.test(path.slice(PUBLIC_BASE.length))) ?? [];
  const areKnown = parameters.every((parameter) => known?.has(parameter.split('=', 1)[0] ?? ''));
  return areKnown ? `${path}?${parameters.sort().join('&')}` : undefined;
}
