import type { Attribute } from '../schema/attribute';
import { findSubAttribute } from '../schema/attribute-path';
import type { ComplexValue } from '../schema/user-document';
import { ScimError } from '../scim-error';
import { isObject } from '../../../http/requests/json-object';
import { entriesOf, noteIgnored } from './json-object';
import { type Parts, withParts } from './complex-value';
import { meaningful, requireFew } from './plural-values';
import { INDEXED, VALUE_LIMITS } from './value-limits';

/**
 * Parses a simple value. `null` means no value (RFC 7643, section 2.5), and so does an empty string: `pr` matches
 * neither (RFC 7644, table 3), and identity providers send it to clear an attribute. Entra ID sends booleans as "True"
 * and "False"; anything else must have its type: a number is not a string, not even an employee number.
 *
 * @param where the path of the attribute, for the error
 * @returns undefined: no value
 * @throws ScimError `invalidValue`
 */
export function readSimple(attribute: Attribute, json: unknown, where: string): string | boolean | undefined {
  if (json === null || json === undefined) return undefined;
  if (attribute.type === 'boolean') return readBoolean(json, where);
  if (typeof json !== 'string') throw new ScimError('invalidValue', `${where} must be a string.`);
  const longest = INDEXED.has(where) ? VALUE_LIMITS.indexedLength : VALUE_LIMITS.length;
  if (json.length > longest) throw new ScimError('invalidValue', `${where} is longer than ${longest} characters.`);
  if (attribute.type === 'binary' && !/^[\w+/-]*={0,2}$/.test(json)) {
    throw new ScimError('invalidValue', `${where} must be base64.`);
  }
  return json === '' ? undefined : json;
}

function readBoolean(json: unknown, where: string): boolean {
  if (typeof json === 'boolean') return json;
  const text = typeof json === 'string' ? json.toLowerCase() : undefined;
  if (text !== 'true' && text !== 'false') throw new ScimError('invalidValue', `${where} must be true or false.`);
  return text === 'true';
}

/**
 * Unwraps a value from the list of one that some clients send: `[{"$ref": null, "value": "x"}]` and `["x"]`, as older
 * libraries do in a PATCH, and Entra ID for `manager`. An empty list is no value.
 *
 * @throws ScimError `invalidValue` for a longer list, since the attribute is single-valued
 */
export function unwrap(json: unknown, where: string): unknown {
  if (!Array.isArray(json)) return json;
  if (json.length > 1) throw new ScimError('invalidValue', `${where} has one value, not ${json.length}.`);
  return json[0] ?? null;
}

/** Parses the value of a simple attribute as a whole, or of a sub-attribute named by a path. See readSimple. */
export function readSingle(attribute: Attribute, json: unknown, where: string): string | boolean | undefined {
  const value = unwrap(json, where);
  const isWrapped = Array.isArray(json) && isObject(value) && Object.hasOwn(value, 'value');
  return readSimple(attribute, isWrapped ? value.value : value, where);
}

/**
 * Parses a complex value. If the sub-attribute `value` is sufficient, it may be sent alone: `"manager": "7"`. Read-only
 * sub-attributes are ignored, as everywhere in a body.
 *
 * @param ignored collects the paths of unknown sub-attributes
 * @returns undefined: no value
 * @throws ScimError `invalidValue`, `invalidSyntax` for a duplicate name
 */
export function readParts(attribute: Attribute, json: unknown, where: string, ignored: Set<string>): Parts | undefined {
  if (json === null || json === undefined || json === '') return undefined;
  const parts: Parts = new Map();
  if (isObject(json)) {
    for (const [name, value] of entriesOf(json, where)) {
      const sub = findSubAttribute(attribute, name);
      if (!sub) noteIgnored(ignored, `${where}.${name}`);
      else if (sub.mutability !== 'readOnly') parts.set(sub, readSimple(sub, value, `${where}.${sub.name}`));
    }
    return parts;
  }
  const value = findSubAttribute(attribute, 'value');
  if (value && typeof json === 'string') return parts.set(value, readSimple(value, json, `${where}.value`));
  throw new ScimError('invalidValue', `${where} must be an object${value ? ' or a string' : ''}.`);
}

/**
 * Parses the values of a multi-valued attribute. A single one may be sent without a list. Values without content are
 * dropped, and so are duplicates after the first.
 *
 * @throws ScimError `invalidValue` for what readParts rejects, too many values, or more than one primary
 */
export function readElements(attribute: Attribute, json: unknown, where: string, ignored: Set<string>): ComplexValue[] {
  const list: unknown[] = Array.isArray(json) ? json : [json];
  requireFew(list, where);
  const elements = list.flatMap((element) => {
    const parts = readParts(attribute, element, where, ignored);
    return parts ? [withParts(attribute, {}, parts)] : [];
  });
  const values = meaningful(elements);
  if (values.filter(({ primary }) => primary === true).length > 1) {
    throw new ScimError('invalidValue', `${where} has more than one primary value.`);
  }
  return values;
}
