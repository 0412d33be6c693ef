import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isObject, isRequestId, type JsonObject, type RequestId } from '../edge/json-rpc';
import { EventStreamReader, EventTooLargeError } from './event-stream';
import { nestsDeeperThan } from './nesting';
import { failureOfConnection, UpstreamFailure } from './upstream-failure';

/** A message for an upstream. */
export interface UpstreamMessage {
  readonly url: URL;
  /** All of them: nothing of the client's request is copied. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined: it is a GET, which asks for a stream to go on. */
  readonly body?: string;
  /** Of the request in it; undefined for a notification or an answer, which has no answer. */
  readonly id?: RequestId;
  /** Ends the exchange, and closes the connection: the client has cancelled. */
  readonly signal: AbortSignal;
  /** Receives the other messages on the stream of the answer, as they come. */
  readonly onMessage?: (message: JsonObject) => void;
}

/** What came back. */
export interface UpstreamAnswer {
  readonly status: number;
  /** `Mcp-Session-Id` of the answer. */
  readonly sessionId: string | undefined;
  /** The answer to the request; undefined if there was none, or if it is no JSON-RPC answer. */
  readonly message: JsonObject | undefined;
  /** Where a stream that has ended without the answer can be resumed. */
  readonly resumption?: Resumption;
  /** `WWW-Authenticate` of a refusal: what it wants instead. */
  readonly challenge?: string;
}

/** An event after which a stream can go on (MCP 2025-11-25, transports, "Resumability and Redelivery"). */
export interface Resumption {
  readonly lastEventId: string;
  /** When to ask for it, in milliseconds; undefined if the upstream does not say. */
  readonly afterMs: number | undefined;
}

/** How long things may take, in milliseconds, and how large they may be. */
export interface ExchangeLimits {
  /** Until the head of the answer is there. */
  readonly firstByteMs: number;
  /** Without anything from the upstream; each notification of progress begins again. */
  readonly callMs: number;
  /** After the upstream has asked the client for something, which a person may have to answer. */
  readonly askedMs: number;
  /** In any case. */
  readonly wholeMs: number;
  readonly answerBytes: number;
}

export const EXCHANGE_LIMITS: ExchangeLimits = {
  firstByteMs: 30_000,
  callMs: 60_000,
  askedMs: 600_000,
  wholeMs: 900_000,
  answerBytes: 10_485_760,
};

const OF_POST = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const OF_GET = { accept: 'text/event-stream' };

/** What is nested more deeply is no answer; real ones stay below 50 or so. */
const MOST_NESTING = 256;
/** For how long a stream may go on after the answer, so that its connection can be used again; milliseconds. */
const LINGER_MS = 250;

/**
 * Posts a message to an upstream and reads its answer, as JSON or from a stream of events (Streamable HTTP). Statuses that are
 * no success are given back, with their JSON-RPC error if there is one: what they mean depends on the era.
 *
 * @param dispatcher of the origin
 * @throws UpstreamFailure; the reason of the signal
 */
export async function exchange(
  dispatcher: Dispatcher,
  { url, headers, body, id, signal, onMessage }: UpstreamMessage,
  limits: ExchangeLimits = EXCHANGE_LIMITS,
): Promise<UpstreamAnswer> {
  const watch = new Watch(limits, signal);
  let stream: Readable | undefined;
  try {
    const response = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body === undefined ? OF_GET : OF_POST), 'accept-encoding': 'identity' },
      body,
      signal: watch.signal,
    });
    stream = response.body;
    const { statusCode: status } = response;
    watch.begun(status);
    const sessionId = single(response.headers['mcp-session-id']);
    const type = mediaTypeOf(response.headers);
    const pieces = bounded(stream.iterator({ destroyOnReturn: false }), limits.answerBytes);
    const onOther = (other: JsonObject) => {
      if (other.method === 'notifications/progress') watch.renew();
      else if (isRequestId(other.id)) watch.renew(limits.askedMs);
      onMessage?.(other);
    };
    const read =
      type === 'text/event-stream'
        ? await readEvents(pieces, id, onOther)
        : { message: answerIn(await readJson(pieces, type === 'application/json'), id) };
    linger(stream);
    const challenge = status === 401 || status === 403 ? listed(response.headers['www-authenticate']) : undefined;
    return { status, sessionId, ...read, ...(challenge === undefined ? {} : { challenge }) };
  } catch (error) {
    stream?.destroy();
    signal.throwIfAborted();
    throw failureOf(error, watch);
  } finally {
    watch.end();
  }
}

/** A list may come in several lines (RFC 9110, section 5.3). */
function listed(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : [header].flat().join(', ');
}

/** A stream may end a little after the answer; if it does not, its connection is closed. */
function linger(stream: Readable): void {
  stream.on('error', () => undefined);
  if (stream.readableEnded || stream.destroyed) return;
  const timer = setTimeout(() => stream.destroy(), LINGER_MS);
  stream.once('close', () => clearTimeout(timer)).resume();
}

/**
 * What undici takes in place of an AbortSignal. Each of those has a hidden class of its own in V8's old generation (Node 20), which
 * keeps it, and with it everything of the call, until that is collected.
 */
class Abortion extends EventEmitter {
  aborted = false;

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.emit('abort');
  }
}

/** Aborts an exchange that takes too long. */
class Watch {
  /** Ends the request. */
  readonly signal = new Abortion();
  private readonly whole: NodeJS.Timeout;
  private silence: NodeJS.Timeout;
  /** Of the answer, when its head is there. */
  status?: number;
  hasExpired = false;

  constructor(
    private readonly limits: ExchangeLimits,
    private readonly outer: AbortSignal,
  ) {
    this.whole = setTimeout(this.expire, limits.wholeMs);
    this.silence = setTimeout(this.expire, Math.min(limits.firstByteMs, limits.callMs));
    if (outer.aborted) this.cancel();
    else outer.addEventListener('abort', this.cancel, { once: true });
  }

  /** What the upstream did not do in time. */
  get complaint(): string {
    const { firstByteMs, callMs } = this.limits;
    if (this.status !== undefined || callMs <= firstByteMs) return `It did not answer within ${inSeconds(callMs)} s.`;
    return `It did not begin to answer within ${inSeconds(firstByteMs)} s.`;
  }

  /** The head of the answer is there. */
  begun(status: number): void {
    this.status = status;
    this.renew();
  }

  renew(patienceMs = this.limits.callMs): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(this.expire, patienceMs);
  }

  end(): void {
    clearTimeout(this.whole);
    clearTimeout(this.silence);
    this.outer.removeEventListener('abort', this.cancel);
  }

  private readonly expire = () => {
    this.hasExpired = true;
    this.signal.abort();
  };

  private readonly cancel = () => this.signal.abort();
}

/** @throws UpstreamFailure `too_large` */
async function* bounded(stream: AsyncIterable<unknown>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream) {
    const piece = chunk as Buffer;
    size += piece.length;
    if (size > most)
      throw new UpstreamFailure('too_large', `It has answered with more than ${most / 1_048_576} MiB.`, true);
    yield piece;
  }
}

async function readEvents(
  pieces: AsyncIterable<Buffer>,
  id: RequestId | undefined,
  onOther: (message: JsonObject) => void,
): Promise<Pick<UpstreamAnswer, 'message' | 'resumption'>> {
  const reader = new EventStreamReader();
  let lastEventId: string | undefined;
  for await (const piece of pieces) {
    for (const event of reader.push(piece)) {
      lastEventId = event.id ?? lastEventId;
      // An event without data only gives a place to resume from.
      const message = event.type === 'message' && event.data !== '' ? parsed(event.data) : undefined;
      if (message === undefined) continue;
      if (isAnswerTo(message, id)) return { message };
      if (typeof message.method === 'string') onOther(message);
    }
  }
  if (!lastEventId) return { message: undefined };
  return { message: undefined, resumption: { lastEventId, afterMs: reader.retryMs } };
}

function answerIn(message: JsonObject | undefined, id: RequestId | undefined): JsonObject | undefined {
  return message !== undefined && isAnswerTo(message, id) ? message : undefined;
}

async function readJson(pieces: AsyncIterable<Buffer>, isJson: boolean): Promise<JsonObject | undefined> {
  const all: Buffer[] = [];
  for await (const piece of pieces) if (isJson) all.push(piece);
  return isJson ? parsed(Buffer.concat(all).toString('utf8')) : undefined;
}

/** @returns undefined if it is no JSON object, or nested too deeply */
export function parsed(text: string): JsonObject | undefined {
  if (nestsDeeperThan(text, MOST_NESTING)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Errors may have no id, where the upstream could not read ours. */
function isAnswerTo(message: JsonObject, id: RequestId | undefined): boolean {
  if (id === undefined || typeof message.method === 'string') return false;
  if (isObject(message.error)) return message.id === id || message.id === undefined || message.id === null;
  return isObject(message.result) && message.id === id;
}

function failureOf(error: unknown, watch: Watch): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const cause = { cause: error };
  if (watch.hasExpired) return new UpstreamFailure('upstream_timeout', watch.complaint, true, watch.status, cause);
  if (error instanceof EventTooLargeError)
    return new UpstreamFailure('too_large', 'It has sent an event of more than 1 MiB.', true, undefined, cause);
  return failureOfConnection(error);
}

function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 1_000);
}

/** @returns the media type in lower case, without parameters */
export function mediaTypeOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  return single(headers['content-type'])?.split(';')[0]?.trim().toLowerCase();
}

/** @returns the first value of a header that may be repeated */
export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
