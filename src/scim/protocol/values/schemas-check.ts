import { isSameName } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import { noteIgnored, shorten } from './json-object';

/** The URNs of SCIM 2.0, and those of SCIM 1.1 and drafts of 2.0, which OneLogin still sends. */
const OF_SCIM = /^urn:(?:ietf:params:scim|scim:schemas):/i;

/**
 * Checks the `schemas` of a resource, which must include its schema (RFC 7643, section 3), or name other schemas of SCIM
 * only: these are taken for those of the resource that the path addresses, and noted (contract, 13.6).
 *
 * @param urn is required
 * @param allowed further schemas; all others are added to `ignored`, such as the one that Entra ID sends with every
 *   group
 * @throws ScimError `invalidSyntax`
 */
export function requireSchemas(schemas: unknown, urn: string, allowed: readonly string[], ignored: Set<string>): void {
  if (schemas === undefined || schemas === null || (Array.isArray(schemas) && schemas.length === 0)) {
    throw new ScimError('invalidSyntax', `schemas is required and must contain "${urn}".`);
  }
  checkSchemas(schemas, urn, allowed, ignored);
}

/**
 * Checks `schemas` of a message, such as a search or a bulk request.
 *
 * @param message with its article, for the error
 * @throws ScimError `invalidSyntax`
 */
export function requireMessageSchema(schemas: unknown, urn: string, message: string): void {
  const isNamed = (schema: unknown): boolean => typeof schema === 'string' && isSameName(schema, urn);
  if (Array.isArray(schemas) && schemas.some(isNamed)) return;
  throw new ScimError('invalidSyntax', `"schemas" of ${message} must be ["${urn}"].`);
}

/**
 * The same for bodies in which `schemas` is optional, and may be empty: some clients send only the operations of a PATCH,
 * whose URL and operations leave no ambiguity.
 *
 * @throws ScimError `invalidSyntax`
 */
export function checkSchemas(schemas: unknown, urn: string, allowed: readonly string[], ignored: Set<string>): void {
  if (schemas === undefined || schemas === null) return;
  if (!Array.isArray(schemas) || !schemas.every((schema) => typeof schema === 'string')) {
    throw new ScimError('invalidSyntax', 'schemas must be a list of URNs.');
  }
  const isNamed = schemas.some((schema) => isSameName(schema, urn));
  if (!isNamed && !schemas.every((schema) => OF_SCIM.test(schema))) {
    throw new ScimError('invalidSyntax', `schemas must have "${urn}"; it has "${shorten(schemas.join('", "'))}".`);
  }
  for (const schema of schemas) {
    if (!isNamed || ![urn, ...allowed].some((one) => isSameName(schema, one))) noteIgnored(ignored, schema);
  }
}
