import { foldAscii } from '../../../users/address';
import { urnsOf } from '../urns';
import { type Attribute, COMMON_ATTRIBUTES, type ResourceSchema, type ResourceType } from './attribute';

/** What a path refers to. */
export interface ResolvedPath {
  readonly attribute: Attribute;
  /** The sub-attribute, if the path has a dot. */
  readonly sub?: Attribute;
  /** The extension that the attribute belongs to; absent for the core schema and common attributes. */
  readonly extension?: ResourceSchema;
}

/**
 * Resolves attribute notation (RFC 7644, section 3.10): `userName`, `name.givenName`, either of them after the URN of
 * their schema, or a former URN of it, and a colon. Everything is case-insensitive. An attribute of an extension is also found without its URN
 * if the core schema has none of that name: clients only SHOULD qualify them, and some do not.
 *
 * @returns undefined if no schema of this type has it; the caller chooses the error
 */
export function resolvePath(type: ResourceType, text: string): ResolvedPath | undefined {
  for (const schema of [type.schema, ...type.extensions]) {
    const urn = urnsOf(schema).find((one) => isSameName(text.slice(0, one.length + 1), `${one}:`));
    if (urn !== undefined) return resolveNames(type, text.slice(urn.length + 1), [schema]);
  }
  return resolveNames(type, text, [type.schema, ...type.extensions]);
}

/** @returns the schema of the type that a URN names, by its own or a former one; undefined if there is none */
export function findSchema(type: ResourceType, urn: string): ResourceSchema | undefined {
  return [type.schema, ...type.extensions].find((schema) => urnsOf(schema).some((one) => isSameName(one, urn)));
}

/** Names are ASCII, and are compared as such: in Unicode, the Kelvin sign would equal a k. */
export function isSameName(one: string, other: string): boolean {
  return one.length === other.length && foldAscii(one) === foldAscii(other);
}

/** @returns the sub-attribute of that name, in any case; undefined if there is none */
export function findSubAttribute(attribute: Attribute, name: string): Attribute | undefined {
  return attribute.subAttributes?.find((sub) => isSameName(sub.name, name));
}

function resolveNames(type: ResourceType, text: string, schemas: ResourceSchema[]): ResolvedPath | undefined {
  const [name = '', subName, ...excess] = text.split('.', 3);
  if (excess.length > 0) return undefined;
  const resolved = findAttribute(type, name, schemas);
  if (!resolved || subName === undefined) return resolved;
  const sub = findSubAttribute(resolved.attribute, subName);
  return sub && { ...resolved, sub };
}

function findAttribute(type: ResourceType, name: string, schemas: ResourceSchema[]): ResolvedPath | undefined {
  for (const schema of schemas) {
    const isCore = schema === type.schema;
    const attribute = schema.attributes.find((candidate) => isSameName(candidate.name, name));
    if (attribute) return isCore ? { attribute } : { attribute, extension: schema };
    const common = isCore ? COMMON_ATTRIBUTES.find((candidate) => isSameName(candidate.name, name)) : undefined;
    if (common) return { attribute: common };
  }
  return undefined;
}
