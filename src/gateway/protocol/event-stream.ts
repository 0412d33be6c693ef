/** The longest event of a stream that has no end (limits of the gateway). */
export const MAX_EVENT_BYTES = 1_048_576;
/** A line that is longer gets the memory of the longest one. */
const SHORT_BYTES = 262_144;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const NEW_LINE = Buffer.from('\n');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const DATA = Buffer.from('data');
const NOTHING = Buffer.alloc(0);

/** An event of a stream (HTML standard, section 9.2). */
export interface StreamEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  /** UTF-8, if the stream is. */
  readonly data: Buffer;
  /** As `Last-Event-ID` would repeat it; undefined if this event sets none. */
  readonly id: string | undefined;
}

/** An event is longer than allowed. */
export class EventTooLargeError extends Error {
  constructor(readonly most: number) {
    super(`An event of the stream has more than ${most} bytes.`);
    this.name = 'EventTooLargeError';
  }
}

/**
 * Reads events from the bytes of a stream, as they come. Memory is bounded by the longest event: a line that never ends
 * is an error.
 */
export class EventStreamReader {
  /** The beginning of a line whose end has not come. */
  private rest: Buffer = NOTHING;
  private restLength = 0;
  private isFirst = true;
  /** The last chunk ended in CR: an LF that follows belongs to it. */
  private skipsLineFeed = false;
  private type = '';
  private data: Buffer[] = [];
  private id: string | undefined;
  private size = 0;
  /** After how many milliseconds the stream wants to be asked for again; undefined if it does not say. */
  retryMs: number | undefined;

  /**
   * @param most bytes of an event
   * @param lend gives memory for a long line; undefined: it is allocated
   */
  constructor(
    private readonly most = MAX_EVENT_BYTES,
    private readonly lend: (bytes: number) => Buffer | undefined = () => undefined,
  ) {}

  /** @returns how many bytes are in memory when a chunk has been pushed */
  heldWith(bytes: Buffer): number {
    return this.size + Math.max(this.rest.length, this.sizeFor(this.restLength + bytes.length));
  }

  /**
   * @returns the events that are complete now; they may have the memory of the chunk
   * @throws EventTooLargeError
   */
  push(bytes: Buffer): StreamEvent[] {
    if (bytes.length === 0) return [];
    const events: StreamEvent[] = [];
    let at = this.skipsLineFeed && bytes[0] === LINE_FEED ? 1 : 0;
    this.skipsLineFeed = bytes.at(-1) === CARRIAGE_RETURN;
    let carriageReturn = bytes.indexOf(CARRIAGE_RETURN, at);
    while (at < bytes.length) {
      if (carriageReturn !== -1 && carriageReturn < at) carriageReturn = bytes.indexOf(CARRIAGE_RETURN, at);
      const lineFeed = bytes.indexOf(LINE_FEED, at);
      const end = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed) ? carriageReturn : lineFeed;
      if (end === -1) break;
      const event = this.take(this.lineOf(bytes.subarray(at, end)));
      if (event) events.push(event);
      at = end + (end === carriageReturn && bytes[end + 1] === LINE_FEED ? 2 : 1);
    }
    this.keep(bytes.subarray(at));
    return events;
  }

  private lineOf(end: Buffer): Buffer {
    let line = end;
    if (this.restLength > 0) {
      this.keep(end);
      line = this.rest.subarray(0, this.restLength);
      this.rest = NOTHING;
      this.restLength = 0;
    }
    if (!this.isFirst) return line;
    this.isFirst = false;
    return line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
      ? line.subarray(BYTE_ORDER_MARK.length)
      : line;
  }

  /** In memory that grows, so that a long line in very small pieces is neither copied nor kept piece by piece. */
  private keep(bytes: Buffer): void {
    const length = this.restLength + bytes.length;
    if (this.size + length > this.most) throw new EventTooLargeError(this.most);
    if (bytes.length === 0) return;
    if (length > this.rest.length) {
      const size = this.sizeFor(length);
      const memory = (size > SHORT_BYTES ? this.lend(size) : undefined) ?? Buffer.allocUnsafeSlow(size);
      this.rest.copy(memory, 0, 0, this.restLength);
      this.rest = memory;
    }
    bytes.copy(this.rest, this.restLength);
    this.restLength = length;
  }

  private sizeFor(length: number): number {
    // Pages that nothing was written to take no room, and each copy would be garbage of megabytes.
    if (length > SHORT_BYTES) return Math.max(length, this.most);
    return Math.max(length, Math.min(this.most, 2 * this.rest.length, 2 * length));
  }

  private take(line: Buffer): StreamEvent | undefined {
    if (line.length === 0) return this.dispatch();
    this.size += line.length;
    if (this.size > this.most) throw new EventTooLargeError(this.most);
    const colon = line.indexOf(COLON);
    const field = colon === -1 ? line : line.subarray(0, colon);
    const value = colon === -1 ? NOTHING : line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    if (field.equals(DATA)) this.data.push(value);
    else this.setField(field, value);
    // Comments and unknown fields say nothing to us, but count: a comment without end is no keep-alive.
    if (colon === 0) this.size -= line.length;
    return undefined;
  }

  private setField(name: Buffer, value: Buffer): void {
    if (name.length > 5) return;
    const [field, text] = [name.toString('utf8'), value.toString('utf8')];
    if (field === 'event') this.type = text;
    else if (field === 'id' && !text.includes('\0')) this.id = text;
    else if (field === 'retry' && /^\d{1,9}$/.test(text)) this.retryMs = Number(text);
  }

  private dispatch(): StreamEvent | undefined {
    const { type, data, id } = this;
    this.type = '';
    this.data = [];
    this.id = undefined;
    this.size = 0;
    const [first] = data;
    if (!first) return undefined;
    const whole =
      data.length === 1 ? first : Buffer.concat(data.flatMap((line, n) => (n === 0 ? line : [NEW_LINE, line])));
    return { type: type || 'message', data: whole, id };
  }
}

/** Keeps connections from being closed while nothing happens. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/** @param message one line of JSON */
export function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
