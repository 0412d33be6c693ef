import { isObject } from '../../../../../src/http/requests/json-object';
import { pointerSteps } from '../../../../../src/http/requests/json-pointer';

type Json = Record<string, unknown>;

/** What a part of a form takes, by its JSON Schema. */
export type Shape =
  | {
      kind: 'text';
      format: string | undefined;
      isLong: boolean;
      least: number;
      most: number | undefined;
      pattern: string | undefined;
    }
  | { kind: 'number'; isInteger: boolean; least: number | undefined; most: number | undefined }
  | { kind: 'boolean' }
  | { kind: 'choice'; values: unknown[] }
  | { kind: 'list'; item: Shape; least: number; most: number | undefined }
  | { kind: 'object'; members: Member[] }
  | { kind: 'either'; options: { label: string; shape: Shape }[] }
  /** What only its JSON says. */
  | { kind: 'json' };

export interface Member {
  name: string;
  title: string | undefined;
  description: string | undefined;
  isRequired: boolean;
  /** Never kept in a draft. */
  isSecret: boolean;
  /** The default of its schema. */
  initial: unknown;
  shape: Shape;
}

/** Deeper parts are written as JSON. */
const MAX_DEPTH = 4;
const MAX_MEMBERS = 100;
const MAX_OPTIONS = 20;
const MAX_CHOICES = 200;
const MAX_REFERENCES = 16;
/** Formats for which browsers have an input. */
const DATES = ['date', 'date-time', 'time'];
const SECRET_NAME = /password|passwd|secret|token|api[_-]?key|private[_-]?key/i;
/** From so many characters on a text has more than one line. */
const LONG = 200;

/** @returns the form of a tool: that of an object, or of its JSON where a form cannot say it */
export function shapeOfTool(inputSchema: unknown): Shape {
  if (!isObject(inputSchema)) return { kind: 'json' };
  const shape = shapeOf(inputSchema, inputSchema, 0);
  if (shape.kind === 'object') return shape;
  // Every input schema is that of an object; one without properties takes none that are known.
  if (shape.kind === 'json' && isBare(inputSchema)) return { kind: 'object', members: [] };
  return { kind: 'json' };
}

/** @returns what a schema takes. @param root where its references lead */
export function shapeOf(given: unknown, root: Json, depth: number): Shape {
  const schema = resolved(given, root);
  if (!schema || depth > MAX_DEPTH) return { kind: 'json' };
  if ('const' in schema) return { kind: 'choice', values: [schema['const']] };
  const values = schema['enum'];
  if (Array.isArray(values))
    return values.length > 0 && values.length <= MAX_CHOICES ? { kind: 'choice', values } : { kind: 'json' };
  const either = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(either)) return hasOwnContent(schema) ? { kind: 'json' } : eitherOf(either, root, depth);
  return typedShape(schema, root, depth);
}

function typedShape(schema: Json, root: Json, depth: number): Shape {
  const types = typesOf(schema);
  if (types.length > 1)
    return {
      kind: 'either',
      options: types.map((type) => ({ label: type, shape: typedShape({ ...schema, type }, root, depth + 1) })),
    };
  switch (types[0]) {
    case 'string':
      return textShape(schema);
    case 'integer':
    case 'number':
      return numberShape(schema, types[0] === 'integer');
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return listShape(schema, root, depth);
    case 'object':
      return objectShape(schema, root, depth);
    default:
      return { kind: 'json' };
  }
}

function textShape(schema: Json): Shape {
  const [least, most] = [countIn(schema, 'minLength'), countIn(schema, 'maxLength')];
  const format = typeof schema['format'] === 'string' ? schema['format'] : undefined;
  const isShort = format !== undefined || 'pattern' in schema;
  return {
    kind: 'text',
    format,
    // The schema of a long text mostly says how long it may be.
    isLong: !isShort && most !== undefined && most > LONG,
    least: least ?? 0,
    most,
    pattern: typeof schema['pattern'] === 'string' ? schema['pattern'] : undefined,
  };
}

function numberShape(schema: Json, isInteger: boolean): Shape {
  return { kind: 'number', isInteger, least: numberIn(schema, 'minimum'), most: numberIn(schema, 'maximum') };
}

function listShape(schema: Json, root: Json, depth: number): Shape {
  if ('prefixItems' in schema || !isObject(schema['items'])) return { kind: 'json' };
  const item = shapeOf(schema['items'], root, depth + 1);
  return { kind: 'list', item, least: countIn(schema, 'minItems') ?? 0, most: countIn(schema, 'maxItems') };
}

function objectShape(schema: Json, root: Json, depth: number): Shape {
  const { properties } = schema;
  if (!isObject(properties) || hasConditions(schema)) return { kind: 'json' };
  const names = Object.keys(properties);
  if (names.length > MAX_MEMBERS || (names.length === 0 && depth > 0)) return { kind: 'json' };
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const members = names.map((name) => memberOf(name, properties[name], required.includes(name), root, depth));
  return { kind: 'object', members };
}

function memberOf(name: string, given: unknown, isRequired: boolean, root: Json, depth: number): Member {
  const schema = resolved(given, root) ?? {};
  return {
    name,
    title: textIn(schema, 'title'),
    description: textIn(schema, 'description'),
    isRequired,
    isSecret: schema['format'] === 'password' || schema['writeOnly'] === true || SECRET_NAME.test(name),
    initial: schema['default'],
    shape: shapeOf(schema, root, depth + 1),
  };
}

function eitherOf(given: readonly unknown[], root: Json, depth: number): Shape {
  const schemas = given.map((one) => resolved(one, root)).filter((one) => one !== undefined);
  const real = schemas.filter(({ type }) => type !== 'null');
  if (real.length === 0 || real.length > MAX_OPTIONS || schemas.length < given.length) return { kind: 'json' };
  const shapes = real.map((one) => shapeOf(one, root, depth + 1));
  const [first] = shapes;
  if (shapes.length === 1 && first) return first;
  const options = shapes.map((shape, index) => ({ label: labelOf(real[index] ?? {}, index), shape }));
  return { kind: 'either', options };
}

function labelOf(schema: Json, index: number): string {
  const type = typesOf(schema).join(' | ');
  return textIn(schema, 'title') ?? (type === '' ? `${index + 1}` : type);
}

/** Follows references within the document, and merges what `allOf` says. */
function resolved(given: unknown, root: Json): Json | undefined {
  let schema = given;
  for (let step = 0; isObject(schema) && typeof schema['$ref'] === 'string'; step++) {
    if (step === MAX_REFERENCES) return undefined;
    const { $ref, ...beside } = schema;
    const target = targetOf(String($ref), root);
    if (!target) return undefined;
    schema = { ...target, ...beside };
  }
  if (!isObject(schema)) return schema === true ? {} : undefined;
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const only: unknown = allOf[0];
  return allOf.length === 1 && isObject(only) && !hasOwnContent(own) ? resolved({ ...only, ...own }, root) : undefined;
}

function targetOf(reference: string, root: Json): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const name of pointerSteps(reference.slice(1))) {
    if (!isObject(place) || !Object.hasOwn(place, name)) return undefined;
    place = place[name];
  }
  return isObject(place) ? place : undefined;
}

/** Whether a schema says more beside its choice than what it is called. */
const hasOwnContent = (schema: Json): boolean => ['properties', 'items', 'required'].some((name) => name in schema);

const hasConditions = (schema: Json): boolean =>
  ['if', 'oneOf', 'anyOf', 'allOf', 'dependentRequired', 'dependentSchemas', 'patternProperties'].some(
    (name) => name in schema,
  );

const isBare = (schema: Json): boolean =>
  !hasConditions(schema) && !('properties' in schema) && !isObject(schema['additionalProperties']);

/** Without `null`: what may be null may be left out, or is written as JSON. */
function typesOf(schema: Json): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one): one is string => typeof one === 'string' && one !== 'null');
  return 'properties' in schema ? ['object'] : [];
}

function textIn(schema: Json, name: string): string | undefined {
  const value = schema[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function numberIn(schema: Json, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
}

const countIn = (schema: Json, name: string): number | undefined => {
  const value = numberIn(schema, name);
  return value === undefined || value < 0 ? undefined : value;
};

/** @returns whether browsers have an input for it */
export const isDateFormat = (format: string | undefined): boolean => format !== undefined && DATES.includes(format);
