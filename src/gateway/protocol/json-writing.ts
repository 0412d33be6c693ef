import { JsonBytes } from './json-bytes';

/** Shorter bytes become part of the text around them: many small writes cost more. */
const SHORT_BYTES = 16_384;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/**
 * Writes JSON as `JSON.stringify` does, with values that came as bytes as they came.
 *
 * @returns the text in parts; long bytes are not copied
 */
export function jsonParts(value: unknown): (string | Buffer)[] {
  const parts: (string | Buffer)[] = [];
  write(value, new PartsOf(parts));
  return parts;
}

/** The same as one text. */
export function jsonText(value: unknown): string {
  return jsonParts(value)
    .map((part) => (typeof part === 'string' ? part : part.toString('utf8')))
    .join('');
}

/** The same as bytes. */
export function jsonBuffer(value: unknown): Buffer {
  const parts = jsonParts(value).map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

/** @returns how many bytes parts are together */
export function lengthOf(parts: readonly (string | Buffer)[]): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/**
 * Makes one line of JSON, as an event of a stream needs it. Line breaks in valid JSON are white space between its parts, so they
 * become blanks: in place, because a copy of a long answer would be as long.
 */
export function onOneLine(part: string | Buffer): string | Buffer {
  if (typeof part === 'string') return /[\r\n]/.test(part) ? part.replace(/[\r\n]/g, ' ') : part;
  for (const mark of [LINE_FEED, CARRIAGE_RETURN])
    for (let at = part.indexOf(mark); at !== -1; at = part.indexOf(mark, at + 1)) part[at] = SPACE;
  return part;
}

class PartsOf {
  private text = '';

  constructor(private readonly parts: (string | Buffer)[]) {}

  add(text: string): void {
    this.text += text;
  }

  bytes(bytes: Buffer): void {
    if (bytes.length <= SHORT_BYTES) return this.add(bytes.toString('utf8'));
    this.end();
    this.parts.push(bytes);
  }

  end(): void {
    if (this.text !== '') this.parts.push(this.text);
    this.text = '';
  }
}

function write(value: unknown, parts: PartsOf): void {
  writeValue(value, parts);
  parts.end();
}

function writeValue(value: unknown, parts: PartsOf): void {
  if (value instanceof JsonBytes) parts.bytes(value.bytes);
  else if (Array.isArray(value)) writeList(value, parts);
  else if (typeof value === 'object' && value !== null && !hasToJson(value)) writeObject(value, parts);
  else parts.add(JSON.stringify(value) ?? 'null');
}

function writeList(list: readonly unknown[], parts: PartsOf): void {
  parts.add('[');
  for (const [place, item] of list.entries()) {
    if (place > 0) parts.add(',');
    writeValue(item, parts);
  }
  parts.add(']');
}

function writeObject(object: object, parts: PartsOf): void {
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    parts.add(`${before}${JSON.stringify(name)}:`);
    writeValue(value, parts);
    before = ',';
  }
  parts.add(before === '{' ? '{}' : '}');
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value;
}
