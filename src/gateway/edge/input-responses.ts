import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import { outsideRequests } from '../../database/deadline';
import { execute, maybe } from '../../database/statements';
import { type Holder, Shares, sharesOf } from '../upstreams/shares';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { EdgeNews } from './edge-news';
import { readJson } from '../protocol/json-reading';
import { jsonText } from '../protocol/json-writing';
import type { JsonObject, RequestId } from '../protocol/json-rpc';
import { CLIENT_ANSWER } from '../protocol/message-readings';

/** How long a person has to answer. */
export const PATIENCE_MS = 300_000;
const MARK = 'ti-';
/** Questions that are over, whose late answers are removed. */
const MAX_OVER = 10_000;
/** Questions that wait in this process, and to whom how many of them: each holds a connection and a call. */
export const QUESTION_LIMITS = sharesOf(4_096);

/** $1 key, $2 body. A client that answers twice is heard once. */
const STORE = `INSERT INTO client_answers (key, body) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** $1 key. */
const TAKE = `DELETE FROM client_answers WHERE key = $1 RETURNING body`;

/** $1 now, $2 how many at most. Those that no one has waited for any more. */
export const REMOVE_FORGOTTEN_ANSWERS = `
  DELETE FROM client_answers WHERE key IN (
    SELECT key FROM client_answers WHERE created_at < $1::timestamptz - interval '5 minutes' LIMIT $2)`;

/** The client that is asked, and the path of its endpoint. */
interface InputRecipient extends Holder {
  readonly path: string;
}

/** A request for input whose response has not come yet. */
interface PendingInputRequest {
  readonly giveBack: () => void;
  readonly resolve: (answer: JsonObject) => void;
}

/** A request for input that is about to be sent to a client. */
export interface ExpectedInputResponse {
  /** The request that is sent has this id. */
  readonly id: string;
  /** `{ result }` or `{ error }`. Rejects with an UpstreamFailure after five minutes, or with the reason of the signal. */
  readonly answer: Promise<JsonObject>;
}

/**
 * Answers that this service itself waits for: clients with sessions are asked for the input that a server of the modern era
 * needs. The answer may reach another process, which puts it into the database and says so.
 */
@Injectable()
export class InputResponses {
  private readonly logger = new Logger(InputResponses.name);
  private readonly keys: Keyring;
  private readonly pending = new Map<string, PendingInputRequest>();
  private readonly shares = new Shares();
  private readonly over = new LRUCache<string, true>({ max: MAX_OVER, ttl: PATIENCE_MS });

  constructor(
    secrets: Secrets,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly news: EdgeNews,
  ) {
    this.keys = secrets.derive('MCP input of clients');
    news.on('answered', (key) => this.fetch(key));
    // An answer may have come while this process heard nothing.
    news.onGap(() => [...this.pending.keys()].forEach((key) => this.fetch(key)));
  }

  /** @throws UpstreamFailure `rate_limited` if too many questions wait for their answers already */
  expect(asked: InputRecipient, signal: AbortSignal): ExpectedInputResponse {
    this.requireRoom(asked);
    const key = randomUUID();
    const text = JSON.stringify([key, this.clock.now().getTime() + PATIENCE_MS]);
    const id = MARK + sealText(this.keys, contextOf(asked), text).toString('base64url');
    return { id, answer: this.wait(key, asked, signal) };
  }

  /**
   * @param answer `{ result }` or `{ error }`
   * @returns whether the id is one of these, and still counts
   */
  async take(id: RequestId, asked: InputRecipient, answer: JsonObject): Promise<boolean> {
    const key = this.keyIn(id, asked);
    if (key === undefined) return false;
    const here = this.pending.get(key);
    if (here) {
      here.resolve(answer);
      return true;
    }
    const body = sealText(this.keys, answerContext(key), jsonText(answer)).toString('base64url');
    await execute(this.dataSource, STORE, [key, body]);
    await this.news.tell('answered', key);
    return true;
  }

  private requireRoom(asked: InputRecipient): void {
    if (this.shares.refusal(asked, QUESTION_LIMITS) === undefined) return;
    throw new UpstreamFailure(
      'rate_limited',
      'It needs input, and too many questions wait for their answers already.',
      true,
    );
  }

  private wait(key: string, asked: InputRecipient, signal: AbortSignal): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.pending.get(key)?.giveBack();
        this.pending.delete(key);
        this.over.set(key, true);
      };
      const onAbort = (): void => {
        stop();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        stop();
        reject(
          new UpstreamFailure(
            'upstream_timeout',
            'The client was asked for input and did not answer within 5 minutes.',
            true,
          ),
        );
      }, PATIENCE_MS);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.pending.set(key, {
        giveBack: this.shares.take(asked),
        resolve: (answer) => {
          stop();
          resolve(answer);
        },
      });
    });
  }

  private fetch(key: string): void {
    const waiting = this.pending.get(key);
    if (!waiting && !this.over.has(key)) return;
    outsideRequests(() => maybe<{ body: string }>(this.dataSource, TAKE, [key]))
      .then((row) => row && waiting?.resolve(this.opened(key, row.body)))
      .catch((error: unknown) => this.logger.warn(`An answer of a client could not be read: ${String(error)}`));
  }

  /** @throws Error if it was sealed with a key that is no longer known */
  private opened(key: string, body: string): JsonObject {
    const opened = tryUnsealText(this.keys, answerContext(key), Buffer.from(body, 'base64url'));
    if (!opened) throw new Error('its key is not known');
    const read = readJson(Buffer.from(opened.text), CLIENT_ANSWER);
    return 'value' in read ? (read.value as JsonObject) : {};
  }

  private keyIn(id: RequestId, asked: InputRecipient): string | undefined {
    if (typeof id !== 'string' || !id.startsWith(MARK) || !/^[\w-]{40,512}$/.test(id)) return undefined;
    const opened = tryUnsealText(this.keys, contextOf(asked), Buffer.from(id.slice(MARK.length), 'base64url'));
    if (!opened) return undefined;
    const [key, until] = JSON.parse(opened.text) as [string, number];
    return until > this.clock.now().getTime() ? key : undefined;
  }
}

/** Authenticated with the id, so that only who was asked can answer. */
function contextOf({ principal, path }: InputRecipient): string {
  return `MCP input of ${principal} at ${path}`;
}

/** Sealed, so that no one who can read the table reads what people have said. */
function answerContext(key: string): string {
  return `MCP answer ${key}`;
}
