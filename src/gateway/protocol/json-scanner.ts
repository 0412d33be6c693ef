import { alongString, endOfScalar, endOfString, NOWHERE } from './json-lexemes';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** RFC 8259, section 2. */
const BLANK = new Uint8Array(256);
for (const byte of [0x20, 0x09, 0x0a, 0x0d]) BLANK[byte] = 1;

/** What a text may have. */
export interface ScanLimits {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Members and items whose places are remembered, each time that their name is repeated. */
  readonly places: number;
}

export const SCAN_LIMITS: ScanLimits = { depth: 256, places: 10_000 };

/** Which lists and objects have the places of their members or items remembered: those of an object, or of a list. */
export interface ScanPlan {
  /** By name; the members that are not here are not opened in turn. */
  readonly members?: Readonly<Record<string, ScanPlan>>;
  /** Every item of a list has this plan. */
  readonly items?: ScanPlan;
  /** Items of the list whose places are remembered; the others are only counted. Absent: all. */
  readonly most?: number;
}

/** The part of the text that a value is. */
export interface ValueSpan {
  readonly start: number;
  /** After its last byte. */
  readonly end: number;
  /** How many values it is, itself included; names do not count. */
  readonly values: number;
  /** An object that was opened has members: the last one of each name, as `JSON.parse` has it. */
  readonly members: ReadonlyMap<string, ValueSpan> | undefined;
  /** A list that was opened has items. */
  readonly items: readonly ValueSpan[] | undefined;
}

/** Why a text is not read: `JSON.parse` would refuse it, or it is out of bounds. */
export type ScanFault = 'invalid' | 'too_deep' | 'too_many_places';

/** An object or a list that is being scanned, of which places are remembered. */
interface Frame {
  readonly start: number;
  readonly valuesBefore: number;
  readonly opening: ScanPlan;
  readonly members: Map<string, ValueSpan> | undefined;
  readonly items: ValueSpan[] | undefined;
  /** The member whose value comes next has this name. */
  name: string;
}

/** What may come next. */
const enum Next {
  Value,
  ValueOrEnd,
  NameOrEnd,
  Name,
  CommaOrEnd,
  Nothing,
}

/**
 * Scans a JSON text without building anything from it: accepts exactly what `JSON.parse` does, counts values, and remembers where
 * the members are that are asked for. Goes on in pieces, so that other work gets turns between them. One pass: 1 to 3 ms for a MiB.
 */
export class JsonScanner {
  /** How many values there are so far. */
  values = 0;
  /** How many names of members there are so far, each as often as it is repeated. */
  names = 0;
  fault: ScanFault | undefined;
  private at = 0;
  private next = Next.Value;
  private depth = 0;
  private places = 0;
  /** The last list or object that is opened is this deep; 0: nothing is opened. What is deeper is skimmed. */
  private openDepth = 0;
  /** The value that is not opened and has begun starts here, after so many values. */
  private startOfClosed = 0;
  private valuesBeforeClosed = 0;
  /** Where the long string goes on that is a value and has not ended; 0: there is none. */
  private inside = 0;
  /** By depth: 1 for an object, 0 for a list. */
  private readonly kinds: number[] = [0];
  private readonly frames: Frame[] = [];
  private found: ValueSpan | undefined;

  /** @param bytes UTF-8, without a byte order mark */
  constructor(
    private readonly bytes: Buffer,
    private readonly opening: ScanPlan = {},
    private readonly limits: ScanLimits = SCAN_LIMITS,
  ) {}

  /** The whole text; undefined before it was scanned, or if it has a fault. */
  get root(): ValueSpan | undefined {
    return this.found;
  }

  /**
   * Goes on for about so many bytes.
   *
   * @returns whether it has come to the end, or to a fault
   */
  run(most = Infinity): boolean {
    const { bytes } = this;
    const { length } = bytes;
    const stop = Math.min(length, this.at + most);
    while (this.fault === undefined) {
      if (this.inside > 0 && !this.goOnInside(stop)) return false;
      if (this.depth > this.openDepth) this.skim(stop);
      if (this.inside > 0) continue;
      while (this.at < length && BLANK[bytes[this.at] as number] === 1) this.at++;
      if (this.at >= length) return this.finish();
      if (this.at >= stop) return false;
      if (this.depth === this.openDepth) this.step(bytes[this.at] as number);
    }
    return true;
  }

  /** Goes through a list or an object of which nothing is remembered, where most of a large text is. */
  private skim(stop: number): void {
    const { bytes, kinds, openDepth, limits } = this;
    let { at, next, depth, values, names } = this;
    for (; at < stop && depth > openDepth;) {
      const byte = bytes[at] as number;
      if (BLANK[byte] === 1) {
        at++;
        continue;
      }
      const isObject = kinds[depth] === 1;
      if (next === Next.CommaOrEnd && byte === COMMA) {
        at++;
        next = isObject ? Next.Name : Next.Value;
      } else if (byte === (isObject ? CLOSE_OBJECT : CLOSE_LIST) && isEnd(next)) {
        at++;
        depth--;
        next = Next.CommaOrEnd;
      } else if (next === Next.Name || next === Next.NameOrEnd) {
        at = byte === QUOTE ? afterColon(bytes, endOfString(bytes, at)) : NOWHERE;
        if (at === NOWHERE) return this.fail('invalid');
        names++;
        next = Next.Value;
      } else if (next === Next.CommaOrEnd) return this.fail('invalid');
      else {
        values++;
        if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          if (depth === limits.depth) return this.fail('too_deep');
          kinds[++depth] = byte === OPEN_OBJECT ? 1 : 0;
          next = byte === OPEN_OBJECT ? Next.NameOrEnd : Next.ValueOrEnd;
          at++;
        } else {
          at = byte === QUOTE ? alongString(bytes, at + 1) : endOfScalar(bytes, at);
          if (at === NOWHERE) return this.fail('invalid');
          next = Next.CommaOrEnd;
          if (at < NOWHERE) {
            this.inside = ~at;
            break;
          }
        }
      }
    }
    this.at = Math.max(at, this.inside);
    this.next = next;
    this.depth = depth;
    this.values = values;
    this.names = names;
    if (depth === openDepth) this.ended(this.startOfClosed, this.valuesBeforeClosed, undefined);
  }

  private step(byte: number): void {
    switch (this.next) {
      case Next.ValueOrEnd:
        if (byte === CLOSE_LIST) return this.close();
        return this.value(byte);
      case Next.Value:
        return this.value(byte);
      case Next.NameOrEnd:
        if (byte === CLOSE_OBJECT) return this.close();
        return this.name(byte);
      case Next.Name:
        return this.name(byte);
      case Next.CommaOrEnd:
        return this.commaOrEnd(byte);
      default:
        this.fail('invalid');
    }
  }

  private value(byte: number): void {
    const start = this.at;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) return this.open(byte === OPEN_OBJECT);
    const end = byte === QUOTE ? alongString(this.bytes, start + 1) : endOfScalar(this.bytes, start);
    if (end === NOWHERE) return this.fail('invalid');
    this.values++;
    this.startOfClosed = start;
    this.valuesBeforeClosed = this.values - 1;
    if (end < NOWHERE) this.at = this.inside = ~end;
    else this.endValue(end);
  }

  private endValue(end: number): void {
    this.at = end;
    this.ended(this.startOfClosed, this.valuesBeforeClosed, undefined);
  }

  /** @returns whether the long string has come to its end, or was none */
  private goOnInside(stop: number): boolean {
    while (this.inside < stop) {
      const place = alongString(this.bytes, this.inside);
      this.inside = place < NOWHERE ? ~place : 0;
      if (this.inside > 0) continue;
      if (place === NOWHERE) this.fail('invalid');
      else if (this.depth > this.openDepth) this.at = place;
      else this.endValue(place);
      return true;
    }
    this.at = this.inside;
    return false;
  }

  private open(isObject: boolean): void {
    if (this.depth === this.limits.depth) return this.fail('too_deep');
    const opening = this.openingOf();
    if (opening && (isObject ? opening.members : opening.items)) {
      this.openDepth = this.depth + 1;
      this.frames.push({
        start: this.at,
        valuesBefore: this.values,
        opening,
        members: isObject ? new Map() : undefined,
        items: isObject ? undefined : [],
        name: '',
      });
    } else {
      this.startOfClosed = this.at;
      this.valuesBeforeClosed = this.values;
    }
    this.values++;
    this.kinds[++this.depth] = Number(isObject);
    this.at++;
    this.next = isObject ? Next.NameOrEnd : Next.ValueOrEnd;
  }

  private close(): void {
    const frame = this.frames.pop();
    this.openDepth = --this.depth;
    this.at++;
    if (frame) this.ended(frame.start, frame.valuesBefore, frame);
  }

  private name(byte: number): void {
    const { bytes, at } = this;
    const end = byte === QUOTE ? endOfString(bytes, at) : NOWHERE;
    this.at = afterColon(bytes, end);
    if (this.at === NOWHERE) return this.fail('invalid');
    const frame = this.frames.at(-1);
    if (frame) frame.name = nameIn(bytes, at, end);
    this.names++;
    this.next = Next.Value;
  }

  private commaOrEnd(byte: number): void {
    const isObject = this.kinds[this.depth] === 1;
    if (byte === COMMA) {
      this.at++;
      this.next = isObject ? Next.Name : Next.Value;
    } else if (byte === (isObject ? CLOSE_OBJECT : CLOSE_LIST)) this.close();
    else this.fail('invalid');
  }

  /** A value has ended: remembers its place, if it is a direct part of something that is opened. */
  private ended(start: number, valuesBefore: number, own: Frame | undefined): void {
    this.next = this.depth === 0 ? Next.Nothing : Next.CommaOrEnd;
    const frame = this.frames.at(-1);
    const place = {
      start,
      end: this.at,
      values: this.values - valuesBefore,
      members: own?.members,
      items: own?.items,
    };
    if (this.depth === 0) this.found = place;
    else if (frame?.items && frame.items.length === frame.opening.most) return;
    else if (++this.places > this.limits.places) this.fail('too_many_places');
    else if (frame?.members) frame.members.set(frame.name, place);
    else frame?.items?.push(place);
  }

  private openingOf(): ScanPlan | undefined {
    if (this.depth === 0) return this.opening;
    const frame = this.frames.at(-1);
    if (!frame) return undefined;
    if (frame.items) return frame.opening.items;
    const { members = {} } = frame.opening;
    return Object.hasOwn(members, frame.name) ? members[frame.name] : undefined;
  }

  private finish(): boolean {
    if (this.next !== Next.Nothing) this.fail('invalid');
    return true;
  }

  private fail(fault: ScanFault): void {
    this.fault = fault;
    this.found = undefined;
  }
}

function isEnd(next: Next): boolean {
  return next === Next.CommaOrEnd || next === Next.ValueOrEnd || next === Next.NameOrEnd;
}

/** @param end of a name @returns the place after the colon that follows; `NOWHERE` if none does */
function afterColon(bytes: Uint8Array, end: number): number {
  if (end === NOWHERE) return NOWHERE;
  let at = end;
  while (at < bytes.length && BLANK[bytes[at] as number] === 1) at++;
  return bytes[at] === COLON ? at + 1 : NOWHERE;
}

/** @param at the opening quote @param end after the closing one */
function nameIn(bytes: Buffer, at: number, end: number): string {
  const text = bytes.toString('utf8', at + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
