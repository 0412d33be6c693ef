import { StringDecoder } from 'node:string_decoder';

/** The longest event that is accepted (limits of the gateway). */
export const LONGEST_EVENT_BYTES = 1_048_576;

const LINE_END = /[\r\n]/;

/** An event of a stream (HTML standard, section 9.2). */
export interface StreamEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  readonly data: string;
  /** As `Last-Event-ID` would repeat it; undefined if this event sets none. */
  readonly id: string | undefined;
}

/** An event is longer than allowed. */
export class EventTooLargeError extends Error {
  constructor() {
    super(`An event of the stream has more than ${LONGEST_EVENT_BYTES} bytes.`);
    this.name = 'EventTooLargeError';
  }
}

/**
 * Reads events from the bytes of a stream, as they come. Memory is bounded by the longest event: a line that never ends
 * is an error.
 */
export class EventStreamReader {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private isFirst = true;
  /** The last chunk ended in CR: an LF that follows belongs to it. */
  private skipsLineFeed = false;
  private type = '';
  private data: string[] = [];
  private id: string | undefined;
  private size = 0;
  /** After how many milliseconds the stream wants to be asked for again; undefined if it does not say. */
  retryMs: number | undefined;

  /**
   * @returns the events that are complete now
   * @throws EventTooLargeError
   */
  push(bytes: Buffer): StreamEvent[] {
    let text = this.decoder.write(bytes);
    if (text === '') return [];
    if (this.isFirst) {
      this.isFirst = false;
      if (text.startsWith('\ufeff')) text = text.slice(1);
    }
    if (this.skipsLineFeed && text.startsWith('\n')) text = text.slice(1);
    this.skipsLineFeed = text.endsWith('\r');
    // A long line in very small pieces must not be searched again with each of them.
    if (!LINE_END.test(text)) return this.keep(text);
    const lines = (this.rest + text).split(/\r\n|\r|\n/);
    this.rest = lines.pop() ?? '';
    if (this.size + this.rest.length > LONGEST_EVENT_BYTES) throw new EventTooLargeError();
    return lines.flatMap((line) => this.take(line) ?? []);
  }

  private keep(text: string): StreamEvent[] {
    this.rest += text;
    if (this.size + this.rest.length > LONGEST_EVENT_BYTES) throw new EventTooLargeError();
    return [];
  }

  private take(line: string): StreamEvent | undefined {
    if (line === '') return this.dispatch();
    this.size += line.length;
    if (this.size > LONGEST_EVENT_BYTES) throw new EventTooLargeError();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.type = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    // Comments and unknown fields say nothing to us, but count: a comment without end is no keep-alive.
    if (colon === 0) this.size -= line.length;
    return undefined;
  }

  private dispatch(): StreamEvent | undefined {
    const { type, data, id } = this;
    this.type = '';
    this.data = [];
    this.id = undefined;
    this.size = 0;
    return data.length === 0 ? undefined : { type: type || 'message', data: data.join('\n'), id };
  }
}

/** Keeps connections from being closed while nothing happens. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/** @param message one line of JSON */
export function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
