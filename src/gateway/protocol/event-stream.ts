/** The longest event of a stream that has no end (limits of the gateway). */
export const MAX_EVENT_BYTES = 1_048_576;
/** A line that is longer gets the memory of the longest one. */
const SHORT_BYTES = 262_144;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
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
  /** Memory of our own that begins with the last line; empty if that is in its chunk. */
  private lineMemory: Buffer = NOTHING;
  private isFirst = true;
  /** The last chunk ended in CR: an LF that follows belongs to it. */
  private skipsLineFeed = false;
  private type = '';
  /** Memory that begins with the data; undefined: there is none. */
  private data: Buffer | undefined;
  private dataLength = 0;
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
    const length = this.restLength + bytes.length;
    const { data, dataLength, size } = this;
    const ofData = data ? Math.max(size, this.sizeFor(dataLength + length, data.length)) : size;
    return ofData + this.sizeFor(length, this.rest.length);
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
    this.lineMemory = NOTHING;
    this.keep(bytes.subarray(at));
    return events;
  }

  private lineOf(end: Buffer): Buffer {
    let line = end;
    this.lineMemory = NOTHING;
    if (this.restLength > 0) {
      this.keep(end);
      line = this.rest.subarray(0, this.restLength);
      this.lineMemory = this.rest;
      this.rest = NOTHING;
      this.restLength = 0;
    }
    if (!this.isFirst) return line;
    this.isFirst = false;
    if (!line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) return line;
    this.lineMemory = this.lineMemory.subarray(BYTE_ORDER_MARK.length);
    return line.subarray(BYTE_ORDER_MARK.length);
  }

  /** In memory that grows, so that a long line in very small pieces is neither copied nor kept piece by piece. */
  private keep(bytes: Buffer): void {
    const length = this.restLength + bytes.length;
    if (this.size + length > this.most) throw new EventTooLargeError(this.most);
    if (bytes.length === 0) return;
    this.rest = this.withRoom(this.rest, this.restLength, length);
    bytes.copy(this.rest, this.restLength);
    this.restLength = length;
  }

  /** @returns memory for a length that begins with what is used of this one */
  private withRoom(memory: Buffer, used: number, length: number): Buffer {
    if (length <= memory.length) return memory;
    const size = this.sizeFor(length, memory.length);
    const larger = (size > SHORT_BYTES ? this.lend(size) : undefined) ?? Buffer.allocUnsafeSlow(size);
    memory.copy(larger, 0, 0, used);
    return larger;
  }

  /**
   * @param length bytes that are needed
   * @param present bytes that the memory has now
   */
  private sizeFor(length: number, present: number): number {
    if (length <= present) return present;
    // Pages that nothing was written to take no room, and each copy would be garbage of megabytes.
    if (length > SHORT_BYTES) return Math.max(length, this.most);
    return Math.max(length, Math.min(this.most, 2 * present, 2 * length));
  }

  private take(line: Buffer): StreamEvent | undefined {
    if (line.length === 0) return this.dispatch();
    this.size += line.length;
    if (this.size > this.most) throw new EventTooLargeError(this.most);
    const colon = line.indexOf(COLON);
    const field = colon === -1 ? line : line.subarray(0, colon);
    const start = colon === -1 ? line.length : line[colon + 1] === SPACE ? colon + 2 : colon + 1;
    if (field.equals(DATA)) this.addData(line, start);
    else this.setField(field, line.subarray(start));
    // Comments and unknown fields say nothing to us, but count: a comment without end is no keep-alive.
    if (colon === 0) this.size -= line.length;
    return undefined;
  }

  /** Lines are not kept one by one: there may be a million of them, each with a value of two bytes. */
  private addData(line: Buffer, start: number): void {
    const value = line.subarray(start);
    if (this.data === undefined) {
      this.data = this.lineMemory.length > 0 ? this.lineMemory.subarray(start) : value;
      this.dataLength = value.length;
      return;
    }
    const length = this.dataLength + 1 + value.length;
    this.data = this.withRoom(this.data, this.dataLength, length);
    this.data[this.dataLength] = LINE_FEED;
    value.copy(this.data, this.dataLength + 1);
    this.dataLength = length;
  }

  private setField(name: Buffer, value: Buffer): void {
    if (name.length > 5) return;
    const [field, text] = [name.toString('utf8'), value.toString('utf8')];
    if (field === 'event') this.type = text;
    else if (field === 'id' && !text.includes('\0')) this.id = text;
    else if (field === 'retry' && /^\d{1,9}$/.test(text)) this.retryMs = Number(text);
  }

  private dispatch(): StreamEvent | undefined {
    const { type, data, dataLength, id } = this;
    this.type = '';
    this.data = undefined;
    this.dataLength = 0;
    this.id = undefined;
    this.size = 0;
    return data && { type: type || 'message', data: data.subarray(0, dataLength), id };
  }
}

/** Keeps connections from being closed while nothing happens. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/** @param message one line of JSON */
export function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
