import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isObject, type JsonObject, type RequestId } from '../protocol/json-rpc';
import { EventStreamReader } from '../protocol/event-stream';
import { OWN_MESSAGE } from '../protocol/message-readings';
import { readShortMessage } from './answer-message';
import { mediaTypeOf } from './exchange';
import { failureOfConnection, failureOfStatus, UpstreamFailure } from '../protocol/upstream-failure';

/**
 * Events that a stream may bring in a minute, whatever is in them, and bytes, comments included. Lists and resources change
 * less often; others would keep us busy for as long as they like.
 */
const EVENTS_A_MINUTE = 600;
const BYTES_A_MINUTE = 16_777_216;
const MINUTE_MS = 60_000;

/** A request whose answer is a stream that stays open. */
export interface ChannelRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, of a POST; undefined: it is a GET. */
  readonly body?: string | Buffer;
  /** The request in the body has this id: its answer ends the stream. */
  readonly id?: RequestId;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Until the head of the answer has to be there, in milliseconds. */
  readonly firstByteMs: number;
  readonly onMessage: (message: JsonObject) => void;
}

/** An open stream. */
export interface Channel {
  /** When it has ended, who ended it. Never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Opens a stream of messages that has no end: `subscriptions/listen`, or GET in the legacy era. Events are as bounded as
 * everywhere (1 MiB each), and so is how many come in a minute; there is no other limit.
 *
 * @throws UpstreamFailure if the upstream offers none; the reason of the signal
 */
export async function openChannel(dispatcher: Dispatcher, request: ChannelRequest): Promise<Channel> {
  const { url, headers, body, signal, firstByteMs } = request;
  signal.throwIfAborted();
  const head = new AbortController();
  const cancel = () => head.abort();
  signal.addEventListener('abort', cancel, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    head.abort();
  }, firstByteMs);
  let stream: Readable;
  try {
    const response = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
        'accept-encoding': 'identity',
      },
      body,
      signal: head.signal,
    });
    stream = response.body;
    stream.on('error', () => undefined);
    if (response.statusCode !== 200 || mediaTypeOf(response.headers) !== 'text/event-stream') {
      stream.destroy();
      throw failureOfStatus(response.statusCode);
    }
  } catch (error) {
    signal.removeEventListener('abort', cancel);
    signal.throwIfAborted();
    if (isLate)
      throw new UpstreamFailure(
        'upstream_timeout',
        `It did not begin to answer within ${firstByteMs / 1_000} s.`,
        true,
      );
    throw failureOfConnection(error);
  } finally {
    clearTimeout(timer);
  }
  const ended = read(stream, request).finally(() => {
    signal.removeEventListener('abort', cancel);
    stream.destroy();
  });
  return { ended };
}

async function read(stream: Readable, { id, onMessage }: ChannelRequest): Promise<void> {
  const reader = new EventStreamReader();
  let since = performance.now();
  let count = 0;
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      const piece = chunk as Buffer;
      if (performance.now() - since > MINUTE_MS) {
        since = performance.now();
        count = 0;
        bytes = 0;
      }
      bytes += piece.length;
      if (bytes > BYTES_A_MINUTE) return;
      for (const { type, data } of reader.push(piece)) {
        if (++count > EVENTS_A_MINUTE) return;
        const message = type === 'message' && data.length > 0 ? readShortMessage(data, OWN_MESSAGE) : undefined;
        if (message === undefined) continue;
        if (isEnd(message, id)) return;
        if (typeof message.method === 'string') onMessage(message);
      }
    }
  } catch {
    // It was closed, by whichever side, or it was too large: who listens begins again if they still want to.
  }
}

function isEnd({ id, method, result, error }: JsonObject, asked: RequestId | undefined): boolean {
  return asked !== undefined && method === undefined && id === asked && (isObject(result) || isObject(error));
}
