import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { JsonBytes } from '../protocol/json-bytes';
import { namesIn } from '../protocol/json-splice';

/** All fixed arguments of a tool together, as JSON. */
export const MAX_FIXED_BYTES = 16_384;

/** Why an argument cannot be fixed. */
export interface ArgumentFault {
  readonly name: string;
  readonly msg: string;
}

/** @returns an input schema that does not have these arguments */
export function withoutArguments(schema: JsonObject, names: readonly string[]): JsonObject {
  const left: Record<string, unknown> = { ...schema };
  if (isObject(schema.properties))
    left.properties = Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !names.includes(name)));
  if (Array.isArray(schema.required)) {
    const required = (schema.required as unknown[]).filter((name) => !names.includes(String(name)));
    if (required.length > 0) left.required = required;
    else delete left.required;
  }
  return left;
}

/** @returns the names of those that the schema has no more, or never had */
export function missingArguments(schema: unknown, fixed: JsonObject): string[] {
  const properties = propertiesOf(schema);
  return Object.keys(fixed).filter((name) => !Object.hasOwn(properties, name));
}

/** @returns those that the schema does not have, or whose value is of another type */
export function argumentFaults(schema: unknown, fixed: JsonObject): ArgumentFault[] {
  const properties = propertiesOf(schema);
  return Object.entries(fixed).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name)) return [{ name, msg: 'The tool has no such argument.' }];
    return fitsType(properties[name], value) ? [] : [{ name, msg: 'Does not fit the schema of the argument.' }];
  });
}

/** The name of an argument that a caller gives although it is fixed; undefined: none. */
export function givenFixed(args: JsonObject | JsonBytes, fixed: JsonObject): string | undefined {
  const given = new Set(args instanceof JsonBytes ? namesIn(args.bytes) : Object.keys(args));
  return Object.keys(fixed).find((name) => given.has(name));
}

/** By type, enumeration and constant: a server's whole schema is nothing that this process should run. */
function fitsType(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) return schema !== false;
  const { type, enum: values } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (types.length > 0 && !types.some((one) => isOfType(one, value))) return false;
  if (Array.isArray(values) && !values.some((one) => isDeepStrictEqual(one, value))) return false;
  return !('const' in schema) || isDeepStrictEqual(schema.const, value);
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return true; // Of a dialect that we do not know.
  }
}

function propertiesOf(schema: unknown): JsonObject {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
}
