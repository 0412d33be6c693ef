import { isObject } from '../../../../../src/http/requests/json-object';
import { type Difference, differences } from '../../../ui/json-diff';
import { typeOf } from '../../../ui/tool-parameters';

type Json = Record<string, unknown>;

/** What of a property differs. */
export interface PropertyChange {
  /** Where in the schema: `place`, `filter.region`, `rows[].name`. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before: Property | undefined;
  after: Property | undefined;
  /** Of what both have. */
  differs: ('type' | 'required' | 'description' | 'other')[];
}

export interface Property {
  type: string;
  isRequired: boolean;
  description: string;
  /** Its other keywords as JSON with sorted keys, such as limits and defaults. */
  other: string;
}

/** What differs between two definitions of a tool, by what it is. */
export interface DefinitionComparison {
  texts: { name: 'title' | 'description'; before: string; after: string }[];
  properties: PropertyChange[];
  /** Everything else, such as annotations and the schema of what it returns. */
  rest: Difference[];
}

/** Schemas may refer to themselves. */
const MAX_DEPTH = 8;
/** Keywords of a property that are compared by themselves, or below it. */
const KNOWN = ['type', 'description', 'properties', 'required', 'items'];

/** @param before undefined: there was none */
export function compareDefinitions(before: Json | undefined, after: Json): DefinitionComparison {
  const former = before ?? {};
  const [old, now] = [propertiesOf(former['inputSchema']), propertiesOf(after['inputSchema'])];
  return {
    texts: (['title', 'description'] as const).flatMap((name) => {
      const [was, is] = [textOf(former[name]), textOf(after[name])];
      return was === is ? [] : [{ name, before: was, after: is }];
    }),
    properties: [...new Set([...now.keys(), ...old.keys()])].flatMap((path) =>
      changeOf(path, old.get(path), now.get(path)),
    ),
    rest: before === undefined ? [] : differences(withoutCompared(before), withoutCompared(after)),
  };
}

function changeOf(path: string, before: Property | undefined, after: Property | undefined): PropertyChange[] {
  if (!before || !after) return [{ path, kind: before ? 'removed' : 'added', before, after, differs: [] }];
  const differs: PropertyChange['differs'] = [];
  if (before.type !== after.type) differs.push('type');
  if (before.isRequired !== after.isRequired) differs.push('required');
  if (before.description !== after.description) differs.push('description');
  if (before.other !== after.other) differs.push('other');
  return differs.length === 0 ? [] : [{ path, kind: 'changed', before, after, differs }];
}

/** @returns what a schema takes, by its paths */
export function propertiesOf(schema: unknown): Map<string, Property> {
  const found = new Map<string, Property>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (!isObject(value) || depth > MAX_DEPTH) return;
    const { properties, items } = value;
    const required: unknown[] = Array.isArray(value['required']) ? value['required'] : [];
    if (isObject(properties))
      for (const [name, property] of Object.entries(properties)) {
        const below = path === '' ? name : `${path}.${name}`;
        found.set(below, propertyOf(property, required.includes(name)));
        visit(property, below, depth + 1);
      }
    visit(items, `${path}[]`, depth + 1);
  };
  visit(schema, '', 0);
  return found;
}

function propertyOf(schema: unknown, isRequired: boolean): Property {
  if (!isObject(schema)) return { type: 'any', isRequired, description: '', other: '' };
  const rest = Object.entries(schema).filter(([name]) => !KNOWN.includes(name));
  const other = rest.length === 0 ? '' : JSON.stringify(sorted(Object.fromEntries(rest)));
  return { type: typeOf(schema), isRequired, description: textOf(schema['description']), other };
}

/** What is left of a definition: what is compared as texts or by properties is taken out of it. */
function withoutCompared({ title: _title, description: _description, inputSchema, ...rest }: Json): Json {
  return isObject(inputSchema) ? { ...rest, inputSchema: withoutProperties(inputSchema, 0) } : { ...rest, inputSchema };
}

/** What of a schema `propertiesOf` does not show: keywords of the whole, and of items that are no properties. */
function withoutProperties(schema: Json, depth: number): Json {
  const { properties, required: _required, items, ...rest } = schema;
  const isCompared = isObject(properties) && depth <= MAX_DEPTH;
  return {
    ...rest,
    ...(!isCompared && properties !== undefined && { properties }),
    ...requiredElsewhere(schema),
    ...(items !== undefined && {
      items: isObject(items) && depth < MAX_DEPTH ? withoutProperties(items, depth + 1) : items,
    }),
    ...nested(isCompared ? properties : {}, depth),
  };
}

/** Names that are required and not described are compared with the rest. */
function requiredElsewhere({ required, properties }: Json): Json {
  if (required === undefined) return {};
  if (!Array.isArray(required)) return { required };
  const undescribed = required.filter((name) => !(isObject(properties) && Object.hasOwn(properties, String(name))));
  return undescribed.length === 0 ? {} : { required: undescribed };
}

/** Schemas of items in properties have keywords that no property has. */
function nested(properties: Json, depth: number): Json {
  const below = Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return property === undefined ? [] : [[name, property] as const];
    const { items, properties: inner, required } = property;
    const kept = withoutProperties(
      {
        ...(items !== undefined && { items }),
        ...(inner !== undefined && { properties: inner }),
        ...(required !== undefined && { required }),
      },
      depth + 1,
    );
    return Object.keys(kept).length === 0 ? [] : [[name, kept] as const];
  });
  return below.length === 0 ? {} : { properties: Object.fromEntries(below) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
