import { isObject } from '../../../src/http/requests/json-object';

/** One argument of a tool or a prompt. */
export interface Parameter {
  name: string;
  type: string;
  description: string | undefined;
  isRequired: boolean;
}

type Json = Record<string, unknown>;

const MAX_CHOICES = 8;

/** @returns a text of a definition, which anyone may have written */
export function textOf(definition: Json, key: string): string | undefined {
  const value = definition[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** @returns a hint of a tool; undefined if it gives none */
export function annotationOf(definition: Json, hint: string): boolean | undefined {
  const annotations = definition['annotations'];
  const value = isObject(annotations) ? annotations[hint] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

/** @returns what a tool takes by its input schema, or a prompt by its arguments; the required ones first */
export function parametersOf(definition: Json): Parameter[] {
  return listedIn(definition).sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function listedIn(definition: Json): Parameter[] {
  const list = definition['arguments'];
  if (Array.isArray(list)) return list.filter(isObject).flatMap(argumentOf);
  const schema = definition['inputSchema'];
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties']).map(([name, property]) => ({
    name,
    type: isObject(property) ? typeOf(property) : 'any',
    description: isObject(property) ? textOf(property, 'description') : undefined,
    isRequired: required.includes(name),
  }));
}

function argumentOf(argument: Json): Parameter[] {
  const name = textOf(argument, 'name');
  if (name === undefined) return [];
  return [
    { name, type: 'string', description: textOf(argument, 'description'), isRequired: argument['required'] === true },
  ];
}

/** @returns the type of a JSON Schema in a few words: `string`, `number[]`, `"a" | "b"` */
export function typeOf(schema: Json): string {
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.length > 0) {
    const words = choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice));
    return [...words, ...(choices.length > MAX_CHOICES ? ['…'] : [])].join(' | ');
  }
  const { type, items } = schema;
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string').join(' | ') || 'any';
  if (type === 'array') return isObject(items) ? `${inner(typeOf(items))}[]` : 'array';
  if (typeof type === 'string') return type;
  const either = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(either)) return 'any';
  return [
    ...new Set(either.filter(isObject).map((one) => (typeof one['type'] === 'string' ? one['type'] : 'any'))),
  ].join(' | ');
}

const inner = (type: string): string => (type.includes(' ') ? `(${type})` : type);
