import { type Attribute, COMMON_ATTRIBUTES, type ResourceSchema, type ResourceType } from '../schema/attribute';
import { findSchema, resolvePath } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import type { ScimQuery, ScimResource } from '../scim-resource';

/** Applies `attributes` and `excludedAttributes` to resources (RFC 7644, section 3.9). */
export interface Selection {
  /**
   * Whether any part of an attribute is returned; otherwise it need not be read.
   *
   * @param name as in the core schema, or in an extension
   */
  wants(name: string): boolean;
  /** @returns a new resource with the requested attributes; the argument is not modified */
  apply(resource: ScimResource): ScimResource;
}

/** Attributes that were named, as a whole or some of their sub-attributes. */
type Named = Map<Attribute, 'whole' | Set<Attribute>>;

/**
 * What is returned of a resource. `attributes` keeps the named ones and those that are always returned;
 * `excludedAttributes` removes the named ones except for the latter. Both name attributes or sub-attributes, in any
 * case and with or without the URN of their schema; the URN alone names the whole schema. Unknown names are ignored: a
 * client may send the same ones to all servers, and a search over both types has names of either.
 *
 * @param query empty lists count as absent
 * @throws ScimError `invalidValue` if both are present, as the RFC makes them mutually exclusive
 */
export function selectAttributes(
  type: ResourceType,
  query: Pick<ScimQuery, 'attributes' | 'excludedAttributes'>,
): Selection {
  const requested = query.attributes ?? [];
  const excluded = query.excludedAttributes ?? [];
  if (requested.length > 0 && excluded.length > 0) {
    throw new ScimError('invalidValue', 'attributes and excludedAttributes cannot be given together.');
  }
  const named = nameAll(type, requested.length > 0 ? requested : excluded);
  const reduce = reduction(named, requested.length > 0);
  return {
    wants: (name) => {
      const schemas = [type.schema, ...type.extensions];
      const attribute = schemas.flatMap((schema) => attributesOf(type, schema)).find((one) => one.name === name);
      return attribute !== undefined && reduce(attribute) !== 'nothing';
    },
    apply: (resource) => reduceResource(type, resource, reduce),
  };
}

/** How much of an attribute to keep: these sub-attributes, or all or nothing. */
type Reduce = (attribute: Attribute) => 'all' | 'nothing' | ((sub: Attribute) => boolean);

function reduction(named: Named, isAsked: boolean): Reduce {
  return (attribute) => {
    const parts = named.get(attribute);
    if (attribute.returned === 'never') return 'nothing';
    if (attribute.returned === 'always') return 'all';
    if (!isAsked && attribute.returned === 'request') return 'nothing';
    if (parts === undefined) return isAsked ? 'nothing' : 'all';
    if (parts === 'whole') return isAsked ? 'all' : 'nothing';
    return (sub) => sub.returned === 'always' || (sub.returned !== 'never' && parts.has(sub) === isAsked);
  };
}

function nameAll(type: ResourceType, names: readonly string[]): Named {
  const named: Named = new Map();
  for (const name of names) {
    const schema = findSchema(type, name);
    for (const attribute of schema?.attributes ?? []) named.set(attribute, 'whole');
    const resolved = schema ? undefined : resolvePath(type, name);
    if (!resolved) continue;
    const { attribute, sub } = resolved;
    const before = named.get(attribute);
    if (sub === undefined) named.set(attribute, 'whole');
    else if (before !== 'whole') named.set(attribute, new Set(before).add(sub));
  }
  return named;
}

function reduceResource(type: ResourceType, resource: ScimResource, reduce: Reduce): ScimResource {
  const reduced = reduceObject(resource, attributesOf(type, type.schema), reduce);
  for (const extension of type.extensions) {
    const values = Object.hasOwn(resource, extension.id) ? resource[extension.id] : undefined;
    if (typeof values !== 'object' || values === null) continue;
    const kept = reduceObject({ ...values }, extension.attributes, reduce);
    if (Object.keys(kept).length > 0) reduced[extension.id] = kept;
  }
  const { schemas, id, ...others } = reduced;
  const isThere = (urn: string) => urn === type.schema.id || Object.hasOwn(reduced, urn);
  return { schemas: (schemas as string[]).filter(isThere), id: id as string, ...others };
}

/** In the order of the object; attributes in no schema are never returned. */
function reduceObject(
  object: Record<string, unknown>,
  attributes: readonly Attribute[],
  reduce: Reduce,
): Record<string, unknown> {
  const reduced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    const attribute = attributes.find((one) => one.name === name);
    const rest = attribute ? reduceValue(value, attribute, reduce(attribute)) : undefined;
    if (rest !== undefined) reduced[name] = rest;
  }
  return reduced;
}

function reduceValue(value: unknown, attribute: Attribute, extent: ReturnType<Reduce>): unknown {
  if (extent === 'nothing') return undefined;
  if (extent === 'all') return value;
  const subs = (attribute.subAttributes ?? []).filter(extent);
  const isPart = ([name]: [string, unknown]) => subs.some((sub) => sub.name === name);
  const reduceOne = (one: object) => Object.fromEntries(Object.entries(one).filter(isPart));
  const isAny = (one: object) => Object.keys(one).length > 0;
  if (Array.isArray(value)) return (value as object[]).map(reduceOne).filter(isAny);
  const reduced = reduceOne(value as object);
  return isAny(reduced) ? reduced : undefined;
}

function attributesOf(type: ResourceType, schema: ResourceSchema): readonly Attribute[] {
  return schema === type.schema ? [...COMMON_ATTRIBUTES, ...schema.attributes] : schema.attributes;
}
