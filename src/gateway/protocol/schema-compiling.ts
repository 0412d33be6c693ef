import { pointerStep } from '../../http/requests/json-pointer';
import { isObject, type JsonObject } from './json-rpc';
import { isSchemaMap } from './schema-places';

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** RFC 3986 has more, but names of anchors are XML names (JSON Schema 2020-12, core, 8.2.2). */
const ANCHOR = /^[a-z_][-a-z0-9._]*$/i;
/** References that lead to nothing but another one. */
const MAX_CHAIN = 32;

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isFlag: Check = (value) => typeof value === 'boolean';
const isSchema: Check = (value) => isObject(value) || isFlag(value);
const isSchemas: Check = (value) => Array.isArray(value) && value.every(isSchema);
const isPattern: Check = (value) => typeof value === 'string' && compiles(value);
const isType: Check = (value) =>
  TYPES.includes(value) || (Array.isArray(value) && value.length > 0 && value.every((one) => TYPES.includes(one)));
const isDependencies: Check = (value) =>
  isObject(value) && Object.values(value).every((one) => isSchema(one) || isNames(one));
const isMap: Check = (value) => isObject(value) && Object.values(value).every(isSchema);
const isPatterns: Check = (value) => isMap(value) && Object.keys(value as JsonObject).every(compiles);

/** What the keywords of draft-07 take, in the validators of clients; those of later dialects they ignore. */
const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...each(['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf'], isNumber),
  ...each(['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'], isNumber),
  ...each(['minContains', 'maxContains'], isNumber),
  ...each(['uniqueItems', 'nullable'], isFlag),
  ...each(['allOf', 'anyOf', 'oneOf'], (value) => isSchemas(value) && (value as unknown[]).length > 0),
  ...each(
    ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties', 'additionalItems'],
    isSchema,
  ),
  ...each(['unevaluatedItems', 'unevaluatedProperties'], isSchema),
  ...each(['properties', '$defs', 'definitions', 'dependentSchemas'], isMap),
  ...each(['$id', '$schema', '$ref', '$dynamicRef', 'format'], isText),
  ...each(['$anchor', '$dynamicAnchor'], (value) => typeof value === 'string' && ANCHOR.test(value)),
  ['items', (value) => isSchema(value) || isSchemas(value)],
  ['prefixItems', isSchemas],
  ['pattern', isPattern],
  ['patternProperties', isPatterns],
  ['required', isNames],
  ['dependencies', isDependencies],
  ['dependentRequired', (value) => isObject(value) && Object.values(value).every(isNames)],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['type', isType],
  // The keyword is from draft-04, and is refused by name.
  ['id', () => false],
]);

/** A schema that has not been looked at, and where it is. */
interface Part {
  readonly schema: JsonObject;
  readonly pointer: string;
}

/**
 * Whether the validators of clients can compile a schema: those of the official SDKs until 2025-11-25 are Ajv for draft-07, not
 * strict, and a schema that it refuses makes the whole list fail.
 *
 * @param root an `outputSchema`
 * @returns what they cannot; undefined: nothing
 */
export function compileFault(root: JsonObject): string | undefined {
  const anchors = new Set<string>();
  const references: { readonly reference: string; readonly pointer: string }[] = [];
  const seen = new Set<JsonObject>();
  const waiting: Part[] = [{ schema: root, pointer: '' }];
  const look = (): string | undefined => {
    for (let part = waiting.pop(); part; part = waiting.pop()) {
      if (seen.has(part.schema)) continue;
      seen.add(part.schema);
      const fault = faultOf(part);
      if (fault !== undefined) return fault;
      const { schema, pointer } = part;
      // Validators know the parts of all schemas by it, so that of one server could be that of another one.
      if (typeof schema.$id === 'string' && !schema.$id.startsWith('#'))
        return `${pointer}/$id begins a schema of its own`;
      for (const anchor of anchorsOf(schema)) {
        if (anchors.has(anchor)) return `${pointer} has the name of another part`;
        anchors.add(anchor);
      }
      if (typeof schema.$ref === 'string') references.push({ reference: schema.$ref, pointer });
      waiting.push(...partsOf(part));
    }
    return undefined;
  };
  let fault = look();
  for (let next = 0; fault === undefined && next < references.length; next++) {
    const { reference, pointer } = references[next] ?? { reference: '', pointer: '' };
    if (reference.startsWith('#') && anchors.has(reference.slice(1))) continue;
    const target = targetOf(root, reference);
    if (target === undefined) return `${pointer}/$ref leads nowhere`;
    if (!isObject(target)) continue;
    if (isEndless(root, target)) return `${pointer}/$ref leads in a circle`;
    // It may be where no keyword of JSON Schema leads.
    waiting.push({ schema: target, pointer: reference });
    fault = look();
  }
  return fault;
}

function faultOf({ schema, pointer }: Part): string | undefined {
  for (const [name, value] of Object.entries(schema)) {
    const check = CHECKS.get(name);
    if (check && !check(value)) return `${pointer}/${name}`;
  }
  if (schema.nullable !== undefined && schema.type === undefined) return `${pointer}/nullable without type`;
  return undefined;
}

function partsOf({ schema, pointer }: Part): Part[] {
  const parts: Part[] = [];
  const add = (value: unknown, at: string): void => {
    if (isObject(value)) parts.push({ schema: value, pointer: at });
  };
  for (const [name, value] of Object.entries(schema)) {
    if (!CHECKS.has(name)) continue;
    const at = `${pointer}/${name}`;
    if (isSchemaMap(name) && isObject(value)) for (const [key, one] of Object.entries(value)) add(one, `${at}/${key}`);
    else if (name === 'enum') continue;
    else if (Array.isArray(value)) value.forEach((one, index) => add(one, `${at}/${index}`));
    else if (name !== 'dependentRequired') add(value, at);
  }
  return parts;
}

/** @returns a schema; undefined: there is none at that place, or it is in another document */
function targetOf(root: JsonObject, reference: string): JsonObject | boolean | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const part of reference === '#' ? [] : reference.slice(2).split('/')) {
    const name = unescaped(part);
    if (name === undefined || typeof place !== 'object' || place === null || !Object.hasOwn(place, name))
      return undefined;
    place = (place as JsonObject)[name];
  }
  return isSchema(place) ? (place as JsonObject | boolean) : undefined;
}

/** Draft-06 and -07 write a name as an `$id` that is only a fragment. */
function anchorsOf({ $id, $anchor, $dynamicAnchor }: JsonObject): string[] {
  const named = typeof $id === 'string' && $id.startsWith('#') ? [$id.slice(1)] : [];
  return [...named, ...[$anchor, $dynamicAnchor].filter((anchor) => typeof anchor === 'string')];
}

/** RFC 6901, section 6. */
function unescaped(part: string): string | undefined {
  try {
    return pointerStep(decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

function isEndless(root: JsonObject, first: JsonObject): boolean {
  let place: JsonObject | boolean | undefined = first;
  for (let steps = 0; steps < MAX_CHAIN; steps++) {
    if (!isObject(place) || typeof place.$ref !== 'string') return false;
    place = targetOf(root, place.$ref);
  }
  return true;
}

export function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

function each(names: readonly string[], check: Check): [string, Check][] {
  return names.map((name) => [name, check]);
}
