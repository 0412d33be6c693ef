import { ScimError } from '../scim-error';
import type { FilterValue } from './filter';

const WORD = /[A-Za-z0-9_$:.-]+/y;
const SPACES = /[ \t\r\n]+/y;
/** RFC 8259, section 6. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![A-Za-z0-9_$:.-])/y;

/** Goes through the text of a filter or path from left to right, and never back: reading takes linear time. */
export class Scanner {
  /** Where the next part begins. */
  private position = 0;

  constructor(private readonly text: string) {
    this.skipSpaces();
  }

  /** @returns what stands here without taking it; empty at the end */
  peek(): string {
    return this.text.charAt(this.position);
  }

  /** @returns the name, operator or keyword that stands here without taking it; empty if none does */
  peekWord(): string {
    WORD.lastIndex = this.position;
    return WORD.exec(this.text)?.[0] ?? '';
  }

  /** Goes past a part that was peeked at. */
  skip(part: string): void {
    this.position += part.length;
    this.skipSpaces();
  }

  /** @returns whether the keyword stood here, in any case; it is taken then */
  takeKeyword(keyword: string): boolean {
    const word = this.peekWord();
    if (word.toLowerCase() !== keyword) return false;
    this.skip(word);
    return true;
  }

  /** @returns whether the character stood here; it is taken then */
  take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.skip(character);
    return true;
  }

  /** Takes a JSON string, number, boolean or null; the last two in any case, as some clients write `True`. */
  takeValue(): FilterValue {
    if (this.peek() === '"') return this.takeString();
    NUMBER.lastIndex = this.position;
    const number = NUMBER.exec(this.text)?.[0];
    if (number) {
      this.skip(number);
      return Number(number);
    }
    for (const [keyword, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.takeKeyword(keyword)) return value;
    }
    throw this.fault('expected a value: a string in double quotes, a number, true, false or null');
  }

  /** @returns the error for what stands here */
  fault(reason: string, at = this.position): ScimError {
    const found = at < this.text.length ? `at ${this.excerpt(at)}` : 'at the end';
    return new ScimError('invalidFilter', `The filter is wrong ${found} (character ${at + 1}): ${reason}.`);
  }

  private takeString(): string {
    const start = this.position;
    let end = start + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    if (end >= this.text.length) throw this.fault('the string has no closing quote', start);
    const value = this.readString(this.text.slice(start, end + 1), start);
    this.skip(this.text.slice(start, end + 1));
    return value;
  }

  private readString(literal: string, start: number): string {
    let value: string;
    try {
      value = JSON.parse(literal) as string;
    } catch {
      throw this.fault('not a JSON string (RFC 8259, section 7): \\ and control characters must be escaped', start);
    }
    if (value.includes('\0') || !value.isWellFormed()) {
      throw this.fault('the string holds a NUL character or a lone surrogate, which is no text', start);
    }
    return value;
  }

  private excerpt(at: number): string {
    const [part = ''] = /^(?:[A-Za-z0-9_$:.-]+|[^])/u.exec(this.text.slice(at, at + 40).toWellFormed()) ?? [];
    return part === '"' ? 'a quote' : JSON.stringify(part);
  }

  private skipSpaces(): void {
    SPACES.lastIndex = this.position;
    this.position += SPACES.exec(this.text)?.[0].length ?? 0;
  }
}
