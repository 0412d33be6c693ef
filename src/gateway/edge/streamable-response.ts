import type { ServerResponse } from 'node:http';
import { jsonText, onOneLine } from '../protocol/json-writing';
import { eventOf, KEEP_ALIVE } from '../protocol/event-stream';
import type { JsonObject } from '../protocol/json-rpc';
import { isLong, writeInTurns } from './long-answer';
import type { UnreadResponses } from './unread-responses';

/** How often a stream on which nothing happens gets a comment. */
export const KEEP_ALIVE_MS = 15_000;
/** What may wait for a client that reads slowly, before notifications are left out. */
const MAX_WAITING_BYTES = 1_048_576;
/** A client that reads nothing of its answer for so long has gone, whatever its connection says. */
export const STALLED_MS = 30_000;

/** Headers of a stream: nothing in between may hold it back or change it. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Settings of a response. */
export interface StreamableResponseOptions {
  /** Counts what the client has not read yet. */
  readonly unread?: UnreadResponses;
  readonly keepAliveMs?: number;
  readonly stalledMs?: number;
}

/**
 * The HTTP response to a request, as Streamable HTTP has it (MCP, transports). It is one JSON object, unless something precedes it: a notification, a request of a server, or
 * quiet for so long that something in between might close the connection. Then it is a stream of events, of which the
 * answer is the last.
 */
export class StreamableResponse {
  private readonly quiet: NodeJS.Timeout;
  private readonly unread: UnreadResponses | undefined;
  private readonly stalledMs: number;
  private isStream = false;
  private isOver = false;
  private sent = 0;

  constructor(
    private readonly response: ServerResponse,
    { unread: waiting, keepAliveMs = KEEP_ALIVE_MS, stalledMs = STALLED_MS }: StreamableResponseOptions = {},
  ) {
    this.unread = waiting;
    this.stalledMs = stalledMs;
    this.quiet = setInterval(() => this.comment(), keepAliveMs);
    // It may have happened while the request was read, and is not told again then.
    if (hasGone(response)) this.stop();
    else
      response.once('close', () => {
        this.stop();
        waiting?.forget(response);
      });
  }

  /** Whether a status was sent already, so that an error has to be an event. */
  get hasBegun(): boolean {
    return this.isStream;
  }

  /** What was sent so far, without comments. */
  get sentBytes(): number {
    return this.sent;
  }

  /** Whether the client reads fast enough for a message that cannot be left out. */
  get hasRoom(): boolean {
    return !this.isOver && this.response.writableLength <= MAX_WAITING_BYTES;
  }

  /** Begins a stream before there is anything to send. */
  open(): void {
    if (this.isOver) return;
    this.begin();
    this.response.flushHeaders();
  }

  /** Sends a notification. Those that a client does not read in time are left out. */
  notify(message: JsonObject): void {
    if (this.hasRoom) this.send(message);
  }

  /** Sends a message before the answer. */
  send(message: JsonObject): void {
    if (this.isOver) return;
    this.begin();
    const event = eventOf(String(onOneLine(jsonText(message))));
    this.sent += Buffer.byteLength(event);
    this.response.write(event);
    this.unread?.note(this.response);
    this.quiet.refresh();
  }

  /**
   * Sends the answer.
   *
   * @param body JSON, in parts; in a stream, line breaks in it become blanks, in place
   * @param status of an answer that is not a stream yet
   * @param headers likewise
   */
  end(body: readonly (string | Buffer)[], status = 200, headers: Readonly<Record<string, string>> = {}): void {
    if (this.isOver) return;
    this.stop();
    const length = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    this.sent += length;
    if (this.isStream) {
      this.finish(['event: message\ndata: ', ...body.map(onOneLine), '\n\n']);
      return;
    }
    this.response.writeHead(status, {
      'Content-Type': 'application/json',
      // Compressing it would take longer than everything else.
      'Cache-Control': 'no-store, no-transform',
      'Content-Length': length,
      ...headers,
    });
    this.finish(body);
  }

  /** Ends without an answer: the client has cancelled the request. */
  withdraw(): void {
    if (this.isOver) return;
    this.begin();
    this.stop();
    this.finish([]);
  }

  /** Parts are not put together: a page of a list is the same memory for everyone who waits for it. */
  private finish(parts: readonly (string | Buffer)[]): void {
    const { response } = this;
    // Node holds writes back until the end of the turn, or `end`, so this is one system call. To `cork` as well would lose
    // what was written of a stream: `end` of Node 24 sends the last chunk before it.
    if (isLong(parts)) void writeInTurns(response, parts).then(() => this.close(parts));
    else {
      for (const part of parts) response.write(part);
      this.close(parts);
    }
    // Begins again with everything that the client reads.
    response.setTimeout(this.stalledMs, () => response.destroy());
  }

  private close(parts: readonly (string | Buffer)[]): void {
    if (hasGone(this.response)) return;
    this.response.end();
    this.unread?.note(this.response, parts);
  }

  private comment(): void {
    // Nothing was sent for a while, and what was sent before has not been read.
    if (!this.hasRoom) {
      this.response.destroy();
      return;
    }
    this.begin();
    this.response.write(KEEP_ALIVE);
    this.unread?.note(this.response);
  }

  private begin(): void {
    if (this.isStream) return;
    this.isStream = true;
    this.response.writeHead(200, STREAM_HEADERS);
  }

  private stop(): void {
    this.isOver = true;
    clearInterval(this.quiet);
  }
}

/** Does something when a response has been sent or given up; at once, if it has already. */
export function whenGone(response: ServerResponse, done: () => void): void {
  if (hasGone(response)) done();
  else response.once('close', done);
}

/** @returns whether the connection of the client has been closed already */
export function hasGone(response: ServerResponse): boolean {
  return response.destroyed || response.closed;
}
