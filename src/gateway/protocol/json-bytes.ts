/** How many values are built of one message at most (contract, section 13.4). */
export const MAX_PARSED_VALUES = 100_000;

export type JsonKind = 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';

/** Something has more values than this service builds. */
export class TooManyValuesError extends Error {
  constructor() {
    super(`It has more than ${MAX_PARSED_VALUES} values.`);
    this.name = 'TooManyValuesError';
  }
}

/**
 * A value of JSON as the bytes that came. It passes as it is: numbers are not rounded, and nothing is built of a million objects
 * that no one here looks at.
 */
export class JsonBytes {
  /**
   * @param bytes valid JSON in UTF-8, without white space around it
   * @param values how many it is, itself included
   */
  constructor(
    readonly bytes: Buffer,
    readonly values: number,
  ) {}

  get kind(): JsonKind {
    switch (this.bytes[0]) {
      case 0x7b:
        return 'object';
      case 0x5b:
        return 'list';
      case 0x22:
        return 'string';
      case 0x74:
      case 0x66:
        return 'boolean';
      case 0x6e:
        return 'null';
      default:
        return 'number';
    }
  }

  /** The bytes as text. */
  get text(): string {
    return this.bytes.toString('utf8');
  }

  /**
   * What `JSON.parse` makes of it, each time again.
   *
   * @throws TooManyValuesError
   */
  parse(): unknown {
    if (this.values > MAX_PARSED_VALUES) throw new TooManyValuesError();
    return JSON.parse(this.text);
  }

  /** For `JSON.stringify`, which cannot pass bytes on. @throws TooManyValuesError */
  toJSON(): unknown {
    return this.parse();
  }
}

/** @returns a value that rules can look at @throws TooManyValuesError */
export function plain(value: unknown): unknown {
  return value instanceof JsonBytes ? value.parse() : value;
}

/** @returns whether a value is an object of JSON, parsed or not */
export function isObjectOrBytes(value: unknown): value is Readonly<Record<string, unknown>> | JsonBytes {
  if (value instanceof JsonBytes) return value.kind === 'object';
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
