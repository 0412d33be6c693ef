import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isObject, isRequestId, type JsonObject, type RequestId } from '../protocol/json-rpc';
import { UnavailableError } from '../../errors/errors';
import { OWN_MESSAGE } from '../protocol/message-readings';
import type { Reading } from '../protocol/json-reading';
import type { AnswerShare } from './answer-budget';
import { addHeld, AnswerBytes, type MemoryReservation } from './answer-bytes';
import { readMessage } from './answer-message';
import { EventStreamReader, EventTooLargeError, MAX_EVENT_BYTES } from '../protocol/event-stream';
import { failureOfConnection, UpstreamFailure } from '../protocol/upstream-failure';

/** A message for an upstream. */
export interface UpstreamMessage {
  readonly url: URL;
  /** All of them: nothing of the client's request is copied. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined: it is a GET, which asks for a stream to go on. */
  readonly body?: string | Buffer;
  /** The request in it has this id; undefined for a notification or an answer, which has no answer. */
  readonly id?: RequestId;
  /** Ends the exchange, and closes the connection: the client has cancelled. */
  readonly signal: AbortSignal;
  /** Receives the other messages on the stream of the answer, as they come. @returns false for a request that no one is asked */
  readonly onMessage?: (message: JsonObject) => unknown;
  /** How the messages that come are read; absent: they are parsed. */
  readonly reading?: Reading;
  /** Where the memory of the answer is counted. */
  readonly share?: AnswerShare | undefined;
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
  /** In lower case, without parameters; absent where it is one that the protocol prescribes. */
  readonly strangeType?: string;
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

/** What an event has besides its data. */
const EVENT_FRAME_BYTES = 4_096;
/** What is read in one go, where it says how long it is. */
const SHORT_BYTES = 65_536;
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
  { url, headers, body, id, signal, onMessage, share, reading = OWN_MESSAGE }: UpstreamMessage,
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
    // It may be closed before anybody reads it, and an error that no one hears ends the process.
    stream.on('error', () => undefined);
    const { statusCode: status } = response;
    watch.begun(status);
    const sessionId = single(response.headers['mcp-session-id']);
    const type = mediaTypeOf(response.headers);
    const incoming = {
      body: response.body,
      most: limits.answerBytes,
      held: { share, signal },
      ...{ reading, id },
    };
    const onOther = (other: JsonObject) => {
      const isRefused = onMessage?.(other) === false;
      if (other.method === 'notifications/progress') watch.renew();
      else if (isRequestId(other.id) && !isRefused) watch.renew(limits.askedMs);
    };
    const read =
      type === 'text/event-stream'
        ? await readEvents(incoming, onOther)
        : { message: await readJson(incoming, type === 'application/json', lengthIn(response.headers)) };
    linger(stream);
    const challenge = status === 401 || status === 403 ? listed(response.headers['www-authenticate']) : undefined;
    const strangeType = type === undefined || OF_POST.accept.split(', ').includes(type) ? {} : { strangeType: type };
    return { status, sessionId, ...read, ...(challenge === undefined ? {} : { challenge }), ...strangeType };
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
  /** The answer has this status, when its head is there. */
  status?: number;
  hasExpired = false;

  constructor(
    readonly limits: ExchangeLimits,
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

/** An answer as it is read. */
interface IncomingAnswer {
  readonly body: Dispatcher.ResponseData['body'];
  readonly most: number;
  readonly held: MemoryReservation;
  readonly reading: Reading;
  readonly id: RequestId | undefined;
}

/** The event that is the answer may be as long as an answer; all others together, too. */
async function readEvents(
  { body, most, held, reading, id }: IncomingAnswer,
  onOther: (message: JsonObject) => void,
): Promise<Pick<UpstreamAnswer, 'message' | 'resumption'>> {
  const reader = new EventStreamReader(most + EVENT_FRAME_BYTES, (bytes) => held.share?.lend(bytes));
  let lastEventId: string | undefined;
  let others = 0;
  for await (const piece of piecesOf(body)) {
    const needed = reader.heldWith(piece);
    if (held.share && !held.share.has(needed)) await held.share.hold(needed, held.signal);
    for (const event of reader.push(piece)) {
      lastEventId = event.id ?? lastEventId;
      // An event without data only gives a place to resume from.
      if (event.type !== 'message' || event.data.length === 0) continue;
      if (event.data.length > most) throw tooLong(most);
      const data = held.share?.moved(event.data) ?? event.data;
      const message = await readMessage(data, reading);
      if (message !== undefined && isAnswerTo(message, id)) {
        held.share?.keep(data.length);
        return { message };
      }
      if (event.data.length > MAX_EVENT_BYTES) throw new EventTooLargeError(MAX_EVENT_BYTES);
      others += event.data.length;
      if (others > most) throw tooLong(most);
      if (typeof message?.method === 'string') onOther(message);
    }
  }
  if (!lastEventId) return { message: undefined };
  return { message: undefined, resumption: { lastEventId, afterMs: reader.retryMs } };
}

async function readJson(incoming: IncomingAnswer, isJson: boolean, declared: number): Promise<JsonObject | undefined> {
  const { most, held, reading, id } = incoming;
  if (declared > most) throw tooLong(most);
  const isShort = declared > 0 && declared <= SHORT_BYTES && (held.share?.has(declared) ?? true);
  const bytes = isShort ? await readShort(incoming) : await readLong(incoming, isJson, declared);
  const message = isJson ? await readMessage(bytes, reading) : undefined;
  return message !== undefined && isAnswerTo(message, id) ? message : undefined;
}

/** A body for which there is memory. */
async function readShort({ body, held }: IncomingAnswer): Promise<Buffer> {
  const { buffer, byteOffset, length } = await body.bytes();
  held.share?.keep(length);
  return Buffer.from(buffer, byteOffset, length);
}

/** A body piece by piece, each when there is memory for it. @returns nothing of one that is no JSON */
async function readLong({ body, most, held }: IncomingAnswer, isJson: boolean, declared: number): Promise<Buffer> {
  const memory = new AnswerBytes(most, declared, (bytes) => held.share?.lend(bytes));
  let size = 0;
  for await (const piece of piecesOf(body)) {
    size += piece.length;
    if (size > most || (isJson && !(await addHeld(memory, piece, held)))) throw tooLong(most);
  }
  const whole = memory.bytes();
  const bytes = held.share?.moved(whole) ?? whole;
  held.share?.keep(bytes === whole ? memory.size : bytes.length);
  return bytes;
}

function piecesOf(body: IncomingAnswer['body']): AsyncIterable<Buffer> {
  return body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

function tooLong(most: number): UpstreamFailure {
  return new UpstreamFailure('too_large', `It has answered with more than ${most / 1_048_576} MiB.`, true);
}

/** Errors may have no id, where the upstream could not read ours. */
function isAnswerTo(message: JsonObject, id: RequestId | undefined): boolean {
  if (id === undefined || typeof message.method === 'string') return false;
  if (isObject(message.error)) return message.id === id || message.id === undefined || message.id === null;
  return isObject(message.result) && message.id === id;
}

function failureOf(error: unknown, watch: Watch): UpstreamFailure | UnavailableError {
  // Not of the server: there is no room for its answer.
  if (error instanceof UpstreamFailure || error instanceof UnavailableError) return error;
  const cause = { cause: error };
  if (watch.hasExpired) return new UpstreamFailure('upstream_timeout', watch.complaint, true, watch.status, cause);
  if (error instanceof EventTooLargeError)
    return error.most === MAX_EVENT_BYTES
      ? new UpstreamFailure(
          'too_large',
          'It has sent a message of more than 1 MiB that is no answer.',
          true,
          undefined,
          cause,
        )
      : tooLong(watch.limits.answerBytes);
  return failureOfConnection(error);
}

function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 1_000);
}

/** @returns the media type in lower case, without parameters */
export function mediaTypeOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  return single(headers['content-type'])?.split(';')[0]?.trim().toLowerCase();
}

/** @returns `Content-Length`; 0 if there is none */
function lengthIn(headers: Readonly<Record<string, string | string[] | undefined>>): number {
  const length = Number(single(headers['content-length']) ?? 0);
  return Number.isSafeInteger(length) ? length : 0;
}

/** @returns the first value of a header that may be repeated */
export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
