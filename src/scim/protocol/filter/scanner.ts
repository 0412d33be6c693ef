import { ScimError } from '../scim-error';
import type { FilterValue } from './filter';

const WORD = /[A-Za-z0-9_$:.-]+/y;
const SPACES = /[ \t\r\n]+/y;
/** RFC 8259, section 6. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![A-Za-z0-9_$:.-])/y;

/** Scans the text of a filter or path from left to right without backtracking: parsing takes linear time. */
export class Scanner {
  /** Where the next token begins. */
  private position = 0;

  constructor(private readonly text: string) {
    this.skipSpaces();
  }

  /** @returns the next character without consuming it; empty at the end */
  peek(): string {
    return this.text.charAt(this.position);
  }

  /** @returns the next name, operator or keyword without consuming it; empty if there is none */
  peekWord(): string {
    WORD.lastIndex = this.position;
    return WORD.exec(this.text)?.[0] ?? '';
  }

  /** Consumes a token that was peeked at. */
  skip(part: string): void {
    this.position += part.length;
    this.skipSpaces();
  }

  /** Consumes the keyword, in any case, if it is next. @returns whether it was */
  takeKeyword(keyword: string): boolean {
    const word = this.peekWord();
    if (word.toLowerCase() !== keyword) return false;
    this.skip(word);
    return true;
  }

  /** Consumes the character if it is next. @returns whether it was */
  take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.skip(character);
    return true;
  }

  /** Consumes a JSON string, number, boolean or null; the last two in any case, as some clients write `True`. */
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

  /** @returns the error for the current position */
  fault(reason: string, at = this.position): ScimError {
    const place = at < this.text.length ? `at ${this.excerpt(at)}` : 'at the end';
    return new ScimError('invalidFilter', `The filter is wrong ${place} (character ${at + 1}): ${reason}.`);
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
      throw this.fault('the string contains a NUL character or a lone surrogate, which is not valid text', start);
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
