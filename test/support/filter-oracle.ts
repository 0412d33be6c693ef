/**
 * What filters mean, on whole SCIM resources in memory and as simply as possible: the tests hold the SQL against it, so
 * it knows nothing of the code that makes the SQL.
 *
 * Where RFC 7644, section 3.4.2.2 leaves a choice:
 * - `ne` is true of a single value that is not there; of a multi-valued attribute, if there is a value that differs;
 * - `eq null` means not present and `ne null` present; an empty text is a value, but not present;
 * - inside of brackets each sub-attribute is a single value of the element; `primary` is false where it is missing.
 */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le' | 'pr';

export interface Field {
  /** How a filter calls it, any of them. */
  names: string[];
  /** Where a resource, or within brackets an element, has it. */
  keys: string[];
  /** `name` and `address` are texts that are compared by rules of their own (contract, section 12.2). */
  kind: 'text' | 'name' | 'address' | 'exact' | 'binary' | 'boolean' | 'instant' | 'computed' | 'complex';
  /** Whether there may be several. */
  many: boolean;
  /** A multi-valued attribute that stands for its `value` where it is compared; whether it is present, is another field. */
  isImplied?: boolean;
}

/** An instant is in milliseconds since the epoch; with a fraction, if the filter is finer. */
export type Operand = string | boolean | number | null;

export function test(field: Field, operator: Operator, operand: Operand, of: Json): boolean {
  const found = valuesAt(of, field.keys);
  const isPresent = found.some((value) => value !== '');
  if (operator === 'pr') return isPresent;
  if (operand === null) return operator === 'ne' ? isPresent : !isPresent;
  const values = field.keys.at(-1) === 'primary' ? flagsAt(of, field.keys) : found;
  if (operator !== 'ne') return values.some((value) => compare(field, value, operator, operand));
  if (field.many) return values.some((value) => !compare(field, value, 'eq', operand));
  return !values.some((value) => compare(field, value, 'eq', operand));
}

/** The values of an attribute that brackets are about. */
export function elements(of: Json, keys: string[]): Json[] {
  return valuesAt(of, keys);
}

function valuesAt(of: Json, keys: string[]): Json[] {
  if (Array.isArray(of)) return of.flatMap((element) => valuesAt(element, keys));
  const [key, ...rest] = keys;
  if (key === undefined) return [of];
  const next = typeof of === 'object' && of !== null && Object.hasOwn(of, key) ? of[key] : undefined;
  return next === undefined ? [] : valuesAt(next, rest);
}

function flagsAt(of: Json, keys: string[]): Json[] {
  return valuesAt(of, keys.slice(0, -1)).map((element) => valuesAt(element, keys.slice(-1))[0] ?? false);
}

function compare(field: Field, value: Json, operator: Operator, operand: Operand): boolean {
  if (field.kind === 'boolean') return value === operand;
  if (typeof value !== 'string') throw new Error('All but flags is text.');
  if (field.kind === 'instant') return byOrder(Date.parse(value) - Number(operand), operator);
  const fold = foldOf(field.kind, operator);
  const [text, wanted] = [fold(value), fold(String(operand))];
  if (operator === 'co') return text.includes(wanted);
  if (operator === 'sw') return text.startsWith(wanted);
  if (operator === 'ew') return text.endsWith(wanted);
  return byOrder(byCodePoint(text, wanted), operator);
}

function byOrder(order: number, operator: Operator): boolean {
  if (operator === 'eq') return order === 0;
  if (operator === 'gt') return order > 0;
  if (operator === 'ge') return order >= 0;
  return operator === 'lt' ? order < 0 : order <= 0;
}

function foldOf(kind: Field['kind'], operator: Operator): (text: string) => string {
  if (kind === 'name') return (text) => small(text.replace(/[\uFF01-\uFF5E\uFFE6]/g, narrow)).normalize('NFC');
  if (kind === 'address' && operator === 'eq')
    return (text) => text.normalize('NFC').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return kind === 'text' || kind === 'address' ? small : (text) => text;
}

function narrow(letter: string): string {
  return letter.normalize('NFKC');
}

function small(text: string): string {
  return [...text].map((character) => character.toLowerCase()).join('');
}

function byCodePoint(one: string, other: string): number {
  const others = [...other].map((character) => character.codePointAt(0) ?? 0);
  const ones = [...one].map((character) => character.codePointAt(0) ?? 0);
  for (let place = 0; place < Math.min(ones.length, others.length); place++) {
    const difference = (ones[place] ?? 0) - (others[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return ones.length - others.length;
}
