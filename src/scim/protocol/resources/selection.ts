import { type Attribute, COMMON_ATTRIBUTES, type ResourceSchema, type ResourceType } from '../schema/attribute';
import { isSameName, resolvePath } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import type { ScimQuery, ScimResource } from '../scim-resource';

/** What `attributes` and `excludedAttributes` leave of a resource (RFC 7644, section 3.9). */
export interface Selection {
  /**
   * Whether any of an attribute is answered: what is not need not be read.
   *
   * @param name as in the core schema, or in an extension
   */
  wants(name: string): boolean;
  /** @returns a new resource with what was asked for; the one given is untouched */
  apply(resource: ScimResource): ScimResource;
}

/** Attributes that were named, as a whole or some of their sub-attributes. */
type Named = Map<Attribute, 'whole' | Set<Attribute>>;

/**
 * What is answered of a resource. `attributes` leaves what it names and what is always answered; `excludedAttributes`
 * takes away what it names, but never that. Both name attributes or sub-attributes, in any case and with or without the
 * URN of their schema; the URN alone names all of the schema. A name that the type does not have stands for nothing: a
 * client may ask all servers for the same, and a search over both types has names of either.
 *
 * @param query empty lists count as none
 * @throws ScimError `invalidValue` if both are given, as the RFC says that they exclude each other
 */
export function selectAttributes(
  type: ResourceType,
  query: Pick<ScimQuery, 'attributes' | 'excludedAttributes'>,
): Selection {
  const asked = query.attributes ?? [];
  const excluded = query.excludedAttributes ?? [];
  if (asked.length > 0 && excluded.length > 0) {
    throw new ScimError('invalidValue', 'attributes and excludedAttributes cannot be given together.');
  }
  const named = nameAll(type, asked.length > 0 ? asked : excluded);
  const reduce = reduction(named, asked.length > 0);
  return {
    wants: (name) => {
      const schemas = [type.schema, ...type.extensions];
      const attribute = schemas.flatMap((schema) => attributesOf(type, schema)).find((one) => one.name === name);
      return attribute !== undefined && reduce(attribute) !== 'nothing';
    },
    apply: (resource) => reduceResource(type, resource, reduce),
  };
}

/** What is left of an attribute: these sub-attributes, or all or nothing of it. */
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
    const schema = [type.schema, ...type.extensions].find(({ id }) => isSameName(id, name));
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
    const left = reduceObject({ ...values }, extension.attributes, reduce);
    if (Object.keys(left).length > 0) reduced[extension.id] = left;
  }
  const { schemas, id, ...others } = reduced;
  const isThere = (urn: string) => urn === type.schema.id || Object.hasOwn(reduced, urn);
  return { schemas: (schemas as string[]).filter(isThere), id: id as string, ...others };
}

/** In the order of the object; what is in no schema is never answered. */
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

function reduceValue(value: unknown, attribute: Attribute, left: ReturnType<Reduce>): unknown {
  if (left === 'nothing') return undefined;
  if (left === 'all') return value;
  const subs = (attribute.subAttributes ?? []).filter(left);
  const isPart = ([name]: [string, unknown]) => subs.some((sub) => sub.name === name);
  const reduceOne = (one: object) => Object.fromEntries(Object.entries(one).filter(isPart));
  const isAny = (one: object) => Object.keys(one).length > 0;
  if (Array.isArray(value)) return (value as object[]).map(reduceOne).filter(isAny);
  const rest = reduceOne(value as object);
  return isAny(rest) ? rest : undefined;
}

function attributesOf(type: ResourceType, schema: ResourceSchema): readonly Attribute[] {
  return schema === type.schema ? [...COMMON_ATTRIBUTES, ...schema.attributes] : schema.attributes;
}
