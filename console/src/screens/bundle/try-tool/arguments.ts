import { type ArgumentField, isObject, typed } from './schema-fields';

/** What was typed, by the key of the field. An empty text: the argument is left out. */
export type Typed = Readonly<Record<string, string>>;

/** What is wrong with a field; the page says it in words. */
export type FieldFault =
  | { fault: 'missing' | 'number' | 'integer' | 'too-exact' | 'json' }
  | { fault: 'minimum' | 'maximum' | 'min-length' | 'max-length'; limit: number };

type Json = Record<string, unknown>;

/** @returns under what the text of a field is kept */
export const keyOf = ({ path }: Pick<ArgumentField, 'path'>): string => JSON.stringify(path);

/**
 * Reads the form.
 *
 * @returns the arguments, and what is wrong, by the keys of fields
 */
export function argumentsOf(
  fields: readonly ArgumentField[],
  texts: Typed,
): { values: Json; faults: ReadonlyMap<string, FieldFault> } {
  const values: Json = {};
  const faults = new Map<string, FieldFault>();
  for (const field of fields) {
    const key = keyOf(field);
    const text = texts[key] ?? field.proposed;
    if (text === '') {
      if (field.isRequired) faults.set(key, { fault: 'missing' });
      continue;
    }
    const read = valueOf(field, text);
    if ('fault' in read) faults.set(key, read);
    else put(values, field.path, read.value);
  }
  return { values, faults };
}

/**
 * The other way round, for who has written JSON.
 *
 * @returns undefined if the form cannot show all of it
 */
export function typedOf(fields: readonly ArgumentField[], values: Json): Typed | undefined {
  const texts = Object.fromEntries(
    fields.map((field) => [keyOf(field), typed(field.kind, field.choices, at(values, field.path))]),
  );
  const again = argumentsOf(
    fields.map((field) => ({ ...field, proposed: '' })),
    texts,
  ).values;
  return sorted(again) === sorted(values) ? texts : undefined;
}

function valueOf(field: ArgumentField, text: string): { value: unknown } | FieldFault {
  switch (field.kind) {
    case 'choice':
      return { value: field.choices[Number(text)] };
    case 'boolean':
      return { value: text === 'true' };
    case 'number':
    case 'integer':
      return numberIn(field, text.trim());
    case 'list':
      return { value: text.split('\n').filter((line) => line !== '') };
    case 'json':
      return jsonIn(text);
    default:
      return textIn(field, text);
  }
}

function numberIn({ kind, minimum, maximum }: ArgumentField, text: string): { value: number } | FieldFault {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return { fault: 'number' };
  const value = Number(text);
  if (!Number.isFinite(value)) return { fault: 'number' };
  if (kind === 'integer' && !Number.isInteger(value)) return { fault: 'integer' };
  // JSON of a browser would round it, and another thing would be asked for.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { fault: 'too-exact' };
  if (minimum !== undefined && value < minimum) return { fault: 'minimum', limit: minimum };
  if (maximum !== undefined && value > maximum) return { fault: 'maximum', limit: maximum };
  return { value };
}

function textIn({ minLength, maxLength }: ArgumentField, text: string): { value: string } | FieldFault {
  // JSON Schema counts characters, and not the units of UTF-16.
  const { length } = [...text];
  if (minLength !== undefined && length < minLength) return { fault: 'min-length', limit: minLength };
  if (maxLength !== undefined && length > maxLength) return { fault: 'max-length', limit: maxLength };
  return { value: text };
}

function jsonIn(text: string): { value: unknown } | FieldFault {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'json' };
  }
}

/** @returns the object that a text of JSON is; undefined: it is none */
export function objectIn(text: string): Json | undefined {
  const read = jsonIn(text.trim() === '' ? '{}' : text);
  return 'value' in read && isObject(read.value) ? { ...read.value } : undefined;
}

function put(values: Json, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    define(values, name, value);
    return;
  }
  const inner = Object.hasOwn(values, name) && isObject(values[name]) ? { ...values[name] } : {};
  put(inner, rest, value);
  define(values, name, inner);
}

/** A server may call an argument `__proto__`. */
function define(values: Json, name: string, value: unknown): void {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}

function at(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    values,
  );
}

/** @returns the same text for the same value, whatever the order of its members */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join()}}`;
}
