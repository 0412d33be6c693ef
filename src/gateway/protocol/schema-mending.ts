import { parseUrl } from '../../config/parse-url';
import { isObject, type JsonObject } from './json-rpc';
import { edited, type Path } from './json-edits';
import { kindOf, Mending } from './mending';
import { compileFault, isNames } from './schema-compiling';
import { isSchemaMap, isSchemaValue } from './schema-places';

/** Keywords that can be null, because their value is data. */
const NULLABLE: ReadonlySet<string> = new Set(['const', 'default', 'example']);
/** Keywords of all dialects. What is called otherwise may be an extension, which passes. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    '$schema $id $anchor $dynamicAnchor $ref $dynamicRef $recursiveRef $recursiveAnchor $vocabulary $comment $defs ' +
    'definitions properties patternProperties additionalProperties propertyNames unevaluatedProperties dependencies ' +
    'dependentSchemas dependentRequired required minProperties maxProperties items additionalItems prefixItems contains ' +
    'minContains maxContains unevaluatedItems uniqueItems minItems maxItems allOf anyOf oneOf not if then else type enum ' +
    'title description examples deprecated readOnly writeOnly format pattern minLength maxLength minimum maximum ' +
    'exclusiveMinimum exclusiveMaximum multipleOf contentEncoding contentMediaType contentSchema nullable'
  ).split(' '),
);

/**
 * Makes the `inputSchema` of a tool valid for every revision: an object of type `object`, whose `properties` are schemas and
 * whose `required` is a list of names. Members that other software writes as null where it has none are dropped at any depth.
 *
 * @returns why it cannot be mended; undefined: it is valid now
 */
export function mendInputSchema(schema: JsonObject, at: Path, mending: Mending): string | undefined {
  const { type } = schema;
  if (type !== 'object') {
    if (type !== undefined && type !== null && !(Array.isArray(type) && type.includes('object')))
      return 'Its "inputSchema" is not of type "object".';
    const fault = type === undefined ? 'is missing' : `is ${kindOf(type)}`;
    mending.set([...at, 'type'], 'object', `${fault}: completed to "object"`);
  }
  if (Object.hasOwn(schema, '$schema') && typeof schema.$schema !== 'string' && schema.$schema !== null)
    mending.drop([...at, '$schema'], `is ${kindOf(schema.$schema)}`);
  mendSchema(schema, at, mending, type === null ? 'type' : undefined);
  return undefined;
}

/**
 * Makes an `outputSchema` valid, as 2026-07-28 has it: of any type. One that clients cannot compile is dropped: some compile all
 * of a list, and list nothing if one fails. So is its `$id`, because they know schemas of all servers by that.
 */
export function mendOutputSchema(schema: unknown, at: Path, mending: Mending): void {
  if (!isObject(schema)) {
    mending.drop(at, `is ${kindOf(schema)}`);
    return;
  }
  const own = new Mending();
  mendSchema(schema, at, own);
  if (isBase(schema.$id)) dropBase(schema, schema.$id, at, own);
  const inside = own.edits.map((edit) => ({ ...edit, path: edit.path.slice(at.length) }));
  const fault = compileFault(edited(schema, inside));
  if (fault === undefined) mending.add(own.edits, own);
  else mending.drop(at, `cannot be compiled (${fault})`);
}

/** @param known a keyword at the root that is taken care of */
function mendSchema(schema: JsonObject, at: Path, mending: Mending, known?: string): void {
  for (const [name, value] of Object.entries(schema)) {
    if (name === known) continue;
    const path = [...at, name];
    if (value === null && KEYWORDS.has(name) && !NULLABLE.has(name)) mending.drop(path, 'is null');
    else if (name === 'properties' && !isObject(value)) mendProperties(value, path, mending);
    else if (name === 'required' && !isNames(value)) mendRequired(value, path, mending);
    else if (isSchemaMap(name)) mendMap(value, path, name === 'properties', mending);
    else if (isSchemaValue(name)) mendPart(value, path, mending);
  }
}

/** PHP writes an empty object as an empty list. */
function mendProperties(value: unknown, path: Path, mending: Mending): void {
  if (Array.isArray(value) && value.length === 0)
    mending.set(path, {}, 'is an empty list: completed to an empty object');
  else mending.drop(path, `is ${kindOf(value)}`);
}

/** Some write it as true or false at each property, as draft-03 had it. */
function mendRequired(value: unknown, path: Path, mending: Mending): void {
  if (!Array.isArray(value)) mending.drop(path, `is ${kindOf(value)}`);
  else
    mending.set(
      path,
      value.filter((name) => typeof name === 'string'),
      'has members that are no text: dropped',
    );
}

function mendMap(value: unknown, path: Path, isOfProperties: boolean, mending: Mending): void {
  if (!isObject(value)) return;
  for (const [name, part] of Object.entries(value)) {
    const at = [...path, name];
    if (isOfProperties && !isObject(part) && typeof part !== 'boolean')
      mending.set(at, {}, `is ${kindOf(part)}: completed to an empty schema`);
    else if (isObject(part)) mendSchema(part, at, mending);
  }
}

function mendPart(value: unknown, path: Path, mending: Mending): void {
  if (isObject(value)) mendSchema(value, path, mending);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) if (isObject(item)) mendSchema(item, [...path, index], mending);
}

function isBase($id: unknown): $id is string {
  return typeof $id === 'string' && !$id.startsWith('#');
}

/** Takes `$id` off the root; references that begin with it begin with the document then. */
function dropBase(schema: JsonObject, $id: string, at: Path, mending: Mending): void {
  mending.drop([...at, '$id'], 'is something by which clients would mix it up with others');
  const base = $id.replace(/#.*$/, '');
  const collect = (part: unknown, path: Path): void => {
    if (Array.isArray(part)) part.forEach((item, index) => collect(item, [...path, index]));
    if (!isObject(part) || (path.length > at.length && isBase(part.$id))) return;
    for (const [name, value] of Object.entries(part)) {
      const inner = [...path, name];
      if ((name === '$ref' || name === '$dynamicRef') && typeof value === 'string') {
        const local = localPart(value, base);
        if (local !== undefined) mending.edits.push({ path: inner, what: 'set', value: local });
      } else if (isSchemaMap(name) && isObject(value)) {
        for (const [key, one] of Object.entries(value)) collect(one, [...inner, key]);
      } else if (isSchemaValue(name)) collect(value, inner);
    }
  };
  collect(schema, at);
}

/** @returns the fragment of a reference that leads to the document itself; undefined: it leads elsewhere, or is one already */
function localPart(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return undefined;
  const [address = '', fragment = ''] = reference.split('#', 2);
  const isSame = address === base || (parseUrl(base) !== undefined && resolved(address, base) === resolved(base, base));
  return isSame ? `#${fragment}` : undefined;
}

/** @returns undefined if it is not an address */
function resolved(address: string, base: string): string | undefined {
  try {
    return new URL(address, base).href;
  } catch {
    return undefined;
  }
}
