/** How an argument is asked for. */
export type FieldKind = 'text' | 'long-text' | 'secret' | 'number' | 'integer' | 'boolean' | 'choice' | 'list' | 'json';

/** An argument of a tool as a field of a form. */
export interface ArgumentField {
  /** The names on the way to it: `['filter', 'city']`. */
  path: readonly string[];
  title: string | undefined;
  description: string | undefined;
  kind: FieldKind;
  isRequired: boolean;
  /** The values to choose from. */
  choices: readonly unknown[];
  /** What the schema proposes, as it is typed. */
  proposed: string;
  minimum: number | undefined;
  maximum: number | undefined;
  minLength: number | undefined;
  maxLength: number | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

/** Objects in objects in objects are asked for as JSON. */
const MAX_DEPTH = 3;
/** More fields are no form any more. */
const MAX_FIELDS = 200;
const LONG_NAMES = /body|content|description|message|query|text|prompt|code|sql/i;

/**
 * @param schema the `inputSchema` of a tool, which anyone may have written
 * @returns its arguments as fields, the required ones first; undefined if a form would be too long, or cannot say it
 */
export function fieldsOf(schema: unknown): ArgumentField[] | undefined {
  if (!isObject(schema)) return [];
  // A choice between whole objects, or names that are not known, need the text of JSON.
  if (['oneOf', 'anyOf', 'allOf', '$ref'].some((key) => schema[key] !== undefined)) return undefined;
  const fields = within(schema, [], true);
  return fields.length > MAX_FIELDS ? undefined : fields;
}

function within(schema: Schema, path: readonly string[], isAsked: boolean): ArgumentField[] {
  const properties = schema['properties'];
  if (!isObject(properties)) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    const inner = isObject(property) ? property : {};
    const isRequired = isAsked && required.includes(name);
    const isGroup = typeOf(inner) === 'object' && isObject(inner['properties']) && path.length + 1 < MAX_DEPTH;
    if (!isGroup) return [fieldOf(inner, [...path, name], isRequired)];
    return within(inner, [...path, name], isRequired);
  });
  // The sort is stable: those of one group stay together among the required ones, and among the others.
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function fieldOf(schema: Schema, path: readonly string[], isRequired: boolean): ArgumentField {
  const kind = kindOf(schema, path.at(-1) ?? '');
  const choices = choicesOf(schema) ?? [];
  return {
    path,
    title: textOf(schema['title']),
    description: textOf(schema['description']),
    kind,
    isRequired,
    choices,
    proposed: schema['default'] === undefined || kind === 'secret' ? '' : typed(kind, choices, schema['default']),
    minimum: numberOf(schema['minimum']),
    maximum: numberOf(schema['maximum']),
    minLength: numberOf(schema['minLength']),
    maxLength: numberOf(schema['maxLength']),
  };
}

function kindOf(schema: Schema, name: string): FieldKind {
  if (choicesOf(schema)) return 'choice';
  const type = typeOf(schema);
  if (type === 'string') {
    if (schema['format'] === 'password' || schema['writeOnly'] === true) return 'secret';
    return LONG_NAMES.test(name) ? 'long-text' : 'text';
  }
  if (type === 'number' || type === 'integer' || type === 'boolean') return type;
  return type === 'array' && isObject(schema['items']) && typeOf(schema['items']) === 'string' ? 'list' : 'json';
}

/** @returns the one type that a schema allows besides null; undefined: several, or none */
function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (!Array.isArray(type)) return type;
  const others = type.filter((one) => one !== 'null');
  return others.length === 1 ? others[0] : undefined;
}

function choicesOf(schema: Schema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  const choices = schema['enum'];
  return Array.isArray(choices) && choices.length > 0 ? choices : undefined;
}

/** @returns how a value is typed into a field */
export function typed(kind: FieldKind, choices: readonly unknown[], value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'choice') {
    const place = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
    return place < 0 ? '' : String(place);
  }
  if (kind === 'list' && isTextList(value)) return value.join('\n');
  if (typeof value === 'string' && kind !== 'json') return value;
  return JSON.stringify(value);
}

/** @returns whether each line of a field can stand for one of these texts */
export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '' && !one.includes('\n'));
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
