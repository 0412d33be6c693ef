import { isObject } from '../../../../../src/http/requests/json-object';
import type { Member, Shape } from './form-shape';

/** What is typed into a form: texts, until they are read by the shape. */
export type Typed = string | Typed[] | TypedObject | TypedEither;
export interface TypedObject {
  members: Record<string, Typed>;
}
export interface TypedEither {
  option: number;
  value: Typed;
}

/** What is wrong with what was typed; the number is a bound of the schema. */
export type FormFault =
  | { code: 'required' | 'number' | 'integer' | 'choice' | 'json' | 'pattern' | 'date' }
  | { code: 'least' | 'most' | 'shortest' | 'longest' | 'fewest' | 'many'; bound: number };

/** Faults by the path of the field: `place`, `filter.region`, `rows.0.name`. */
export type FormFaults = Map<string, FormFault>;

/** Nothing typed yet, but for the defaults. */
export function emptyOf(shape: Shape, initial?: unknown): Typed {
  const given = initial === undefined ? undefined : typedFrom(shape, initial);
  if (given !== undefined) return given;
  switch (shape.kind) {
    case 'object':
      return { members: Object.fromEntries(shape.members.map((one) => [one.name, emptyOf(one.shape, one.initial)])) };
    case 'list':
      return [];
    case 'either':
      return { option: 0, value: emptyOf(shape.options[0]?.shape ?? { kind: 'json' }) };
    default:
      return '';
  }
}

/** @returns what one would have typed for a value; undefined if the form cannot say it */
export function typedFrom(shape: Shape, value: unknown): Typed | undefined {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' && value !== '' && (shape.isLong || !/[\n\r]/.test(value)) ? value : undefined;
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'choice': {
      const index = shape.values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
      return index < 0 ? undefined : String(index);
    }
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'list':
      return typedList(shape.item, value);
    case 'object':
      return typedObject(shape.members, value);
    case 'either':
      return typedEither(shape.options, value);
  }
}

function typedList(item: Shape, value: unknown): Typed[] | undefined {
  // A list of nothing is the same as none in a form.
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items = value.map((one) => typedFrom(item, one));
  return items.every((one) => one !== undefined) ? items : undefined;
}

function typedObject(members: readonly Member[], value: unknown): TypedObject | undefined {
  if (!isObject(value) || Object.keys(value).some((name) => !members.some((one) => one.name === name)))
    return undefined;
  const typed: [string, Typed][] = [];
  for (const { name, shape } of members) {
    const given = Object.hasOwn(value, name) ? typedFrom(shape, value[name]) : emptyOf(shape);
    if (given === undefined) return undefined;
    typed.push([name, given]);
  }
  return { members: Object.fromEntries(typed) };
}

function typedEither(options: readonly { shape: Shape }[], value: unknown): TypedEither | undefined {
  // What only JSON can say comes last: it can say everything.
  const order = options.map((_, index) => index).sort((one, other) => rank(options[one]) - rank(options[other]));
  for (const option of order) {
    const shape = options[option]?.shape;
    const typed = shape && typedFrom(shape, value);
    if (typed !== undefined) return { option, value: typed };
  }
  return undefined;
}

const rank = (option: { shape: Shape } | undefined): number => (option?.shape.kind === 'json' ? 1 : 0);

/**
 * Reads what was typed.
 *
 * @param faults what is wrong is added here
 * @returns the value; undefined if nothing was typed
 */
export function valueFrom(shape: Shape, typed: Typed, isRequired: boolean, path: string, faults: FormFaults): unknown {
  switch (shape.kind) {
    case 'object':
      return objectFrom(shape.members, typed, isRequired, path, faults);
    case 'list':
      return listFrom(shape, typed, isRequired, path, faults);
    case 'either': {
      const { option, value } = isEither(typed) ? typed : { option: 0, value: '' };
      const chosen = shape.options[option]?.shape;
      return chosen && valueFrom(chosen, value, isRequired, path, faults);
    }
    default: {
      const text = typeof typed === 'string' ? typed : '';
      if (text === '' || (shape.kind !== 'text' && text.trim() === '')) {
        if (isRequired) faults.set(path, { code: 'required' });
        return undefined;
      }
      return leafFrom(shape, text, path, faults);
    }
  }
}

type Leaf = Exclude<Shape, { kind: 'object' | 'list' | 'either' }>;

function leafFrom(shape: Leaf, text: string, path: string, faults: FormFaults): unknown {
  const fail = (fault: FormFault): undefined => void faults.set(path, fault);
  switch (shape.kind) {
    case 'text': {
      const length = Array.from(text).length;
      if (length < shape.least) return fail({ code: 'shortest', bound: shape.least });
      if (shape.most !== undefined && length > shape.most) return fail({ code: 'longest', bound: shape.most });
      if (!matches(shape.pattern, text)) return fail({ code: 'pattern' });
      if (shape.format === 'date' && Number.isNaN(Date.parse(text))) return fail({ code: 'date' });
      return text;
    }
    case 'number': {
      const value = Number(text);
      if (!Number.isFinite(value)) return fail({ code: 'number' });
      if (shape.isInteger && !Number.isInteger(value)) return fail({ code: 'integer' });
      if (shape.least !== undefined && value < shape.least) return fail({ code: 'least', bound: shape.least });
      if (shape.most !== undefined && value > shape.most) return fail({ code: 'most', bound: shape.most });
      return value;
    }
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : fail({ code: 'choice' }));
    case 'choice': {
      const index = Number(text);
      return Object.hasOwn(shape.values, index) ? shape.values[index] : fail({ code: 'choice' });
    }
    case 'json': {
      const parsed = parsedJson(text);
      return parsed === undefined ? fail({ code: 'json' }) : parsed.value;
    }
  }
}

function objectFrom(
  members: readonly Member[],
  typed: Typed,
  isRequired: boolean,
  path: string,
  faults: FormFaults,
): unknown {
  const given = isTypedObject(typed) ? typed.members : {};
  const found: FormFaults = new Map();
  const values: [string, unknown][] = [];
  for (const { name, shape, isRequired: isMemberRequired } of members) {
    const value = valueFrom(shape, given[name] ?? emptyOf(shape), isMemberRequired, below(path, name), found);
    if (value !== undefined) values.push([name, value]);
  }
  // An object that need not be there asks for nothing until a part of it is typed.
  const isAbsent = values.length === 0 && !isRequired && [...found.values()].every(({ code }) => code === 'required');
  if (isAbsent) return undefined;
  for (const [at, fault] of found) faults.set(at, fault);
  return Object.fromEntries(values);
}

function listFrom(
  { item, least, most }: Extract<Shape, { kind: 'list' }>,
  typed: Typed,
  isRequired: boolean,
  path: string,
  faults: FormFaults,
): unknown {
  const items = Array.isArray(typed) ? typed : [];
  if (items.length === 0 && !isRequired) return undefined;
  if (items.length < least) faults.set(path, { code: 'fewest', bound: least });
  if (most !== undefined && items.length > most) faults.set(path, { code: 'many', bound: most });
  return items.map((one, index) => valueFrom(item, one, true, below(path, String(index)), faults));
}

/** @returns what was typed without what looks secret, so that it may be kept */
export function withoutSecrets(shape: Shape, typed: Typed): Typed {
  if (shape.kind === 'object' && isTypedObject(typed)) {
    const kept = shape.members.map(({ name, shape: inner, isSecret }) => {
      const value = typed.members[name] ?? emptyOf(inner);
      return [name, isSecret ? emptyOf(inner) : withoutSecrets(inner, value)] as const;
    });
    return { members: Object.fromEntries(kept) };
  }
  if (shape.kind === 'list' && Array.isArray(typed)) return typed.map((one) => withoutSecrets(shape.item, one));
  if (shape.kind === 'either' && isEither(typed)) {
    const chosen = shape.options[typed.option]?.shape;
    return chosen ? { option: typed.option, value: withoutSecrets(chosen, typed.value) } : typed;
  }
  return typed;
}

/** @returns whether something in it looks secret: then its JSON is not kept either */
export function hasSecrets(shape: Shape): boolean {
  if (shape.kind === 'object') return shape.members.some((one) => one.isSecret || hasSecrets(one.shape));
  if (shape.kind === 'list') return hasSecrets(shape.item);
  return shape.kind === 'either' && shape.options.some((one) => hasSecrets(one.shape));
}

/** @returns the value of a text of JSON; undefined if it is none */
export function parsedJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Patterns are those of a schema that anyone may have written: one that is none, or may take too long, is left to the tool. */
function matches(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || /[+*}]\)?[+*{]|\([^)]*[+*][^)]*\)[+*{]/.test(pattern) || text.length > 1_000)
    return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

export function isEither(typed: Typed): typed is TypedEither {
  return typeof typed === 'object' && 'option' in typed;
}

export function isTypedObject(typed: Typed): typed is TypedObject {
  return typeof typed === 'object' && 'members' in typed;
}
