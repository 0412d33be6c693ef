import type { Filter } from '../filter/filter';
import { checkValueFilter } from '../filter/match-value';
import { parsePatchPath } from '../filter/parse';
import type { Attribute, ResourceSchema, ResourceType } from '../schema/attribute';
import { findSchema, findSubAttribute, isSameName, type ResolvedPath, resolvePath } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import { urnsOf } from '../urns';
import { shorten } from './json-object';

/** What a path of a PATCH, or a name in a body, refers to. */
export type Target = AttributeTarget | ValuesTarget | SchemaTarget | UnwritableTarget;

/** `title`, `name`, `emails`; with `sub` a part of it, `name.givenName`, or of all its values, `emails.display`. */
export interface AttributeTarget {
  kind: 'attribute';
  attribute: Attribute;
  sub?: Attribute;
  /** Its path as in the schema. */
  where: string;
}

/** `emails[type eq "work"]`; with `sub` a part of these values, `emails[type eq "work"].value`. */
export interface ValuesTarget {
  kind: 'values';
  attribute: Attribute;
  /** Already checked against the schema. */
  filter: Filter;
  sub?: Attribute;
  /** Path of the attribute as in the schema, without the filter. */
  where: string;
}

/** All attributes of the core schema or of an extension, by its URN. */
export interface SchemaTarget {
  kind: 'schema';
  schema: ResourceSchema;
}

/** An attribute that clients cannot write. */
export interface UnwritableTarget {
  kind: 'unwritable';
  where: string;
  /**
   * `readOnly`: assigned by us. `schemas`: follows from the other attributes. `secret`: a password, which is not even
   * read, as users sign in elsewhere; Okta sends one all the same.
   */
  why: 'readOnly' | 'schemas' | 'secret';
}

/**
 * Resolves a path (RFC 7644, section 3.5.2), in any of the ways in which clients write it: with or without the URN of
 * its schema, in any case. Only names in the schemas are resolved, so no path leads to anything else.
 *
 * @returns undefined if no schema of the type has it
 * @throws ScimError `invalidPath`, `invalidFilter`
 */
export function findTarget(type: ResourceType, path: string): Target | undefined {
  const schema = findSchema(type, path);
  if (schema) return { kind: 'schema', schema };
  if (isPassword(type, path)) return { kind: 'unwritable', where: 'password', why: 'secret' };
  if (!path.includes('[')) return attributeTarget(type, resolvePath(type, path));
  const { attributePath, valueFilter, sub } = parsePatchPath(path);
  return valueFilter && valuesTarget(path, resolvePath(type, attributePath), valueFilter, sub);
}

/** Like findTarget, for a name in a body: a name that cannot be parsed counts as unknown. */
export function findNamed(type: ResourceType, name: string): Target | undefined {
  const bracket = name.indexOf('[');
  return bracket < 0 || resolvePath(type, name.slice(0, bracket)) ? findTarget(type, name) : undefined;
}

/** @returns the path of an attribute as in the schema; in an extension, with its URN */
export function pathOf({ attribute, sub, extension }: ResolvedPath): string {
  return `${extension ? `${extension.id}:` : ''}${attribute.name}${sub ? `.${sub.name}` : ''}`;
}

function attributeTarget(type: ResourceType, resolved: ResolvedPath | undefined): Target | undefined {
  if (!resolved) return undefined;
  const { attribute, sub } = resolved;
  const where = pathOf(resolved);
  if (attribute.name === 'schemas') return { kind: 'unwritable', where, why: 'schemas' };
  if ((sub ?? attribute).mutability === 'readOnly' || attribute.mutability === 'readOnly') {
    return { kind: 'unwritable', where, why: 'readOnly' };
  }
  return { kind: 'attribute', attribute, sub, where };
}

function valuesTarget(
  path: string,
  resolved: ResolvedPath | undefined,
  filter: Filter,
  subName: string | undefined,
): Target | undefined {
  if (!resolved) return undefined;
  const { attribute } = resolved;
  const where = pathOf(resolved);
  if (attribute.mutability === 'readOnly') return { kind: 'unwritable', where, why: 'readOnly' };
  if (resolved.sub || !attribute.multiValued || !attribute.subAttributes) {
    throw new ScimError('invalidPath', `${where} is not multi-valued, so "${shorten(path)}" cannot select a value.`);
  }
  checkValueFilter(filter, attribute);
  if (subName === undefined) return { kind: 'values', attribute, filter, where };
  const sub = findSubAttribute(attribute, subName);
  return sub && { kind: 'values', attribute, filter, sub, where };
}

function isPassword(type: ResourceType, path: string): boolean {
  return ['password', ...urnsOf(type.schema).map((urn) => `${urn}:password`)].some((name) => isSameName(name, path));
}
