import { isSameName } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import { noteIgnored, shorten } from './json-object';

/**
 * Checks `schemas` of a resource, which must name its schema (RFC 7643, section 3). One that names others only is a
 * mistake, as of a client that speaks SCIM 1.1.
 *
 * @param urn must be among them
 * @param known may be among them too; all others go to `ignored`, as the one that Entra ID puts into every group
 * @throws ScimError `invalidSyntax`
 */
export function requireSchemas(schemas: unknown, urn: string, known: readonly string[], ignored: Set<string>): void {
  if (schemas === undefined || schemas === null || (Array.isArray(schemas) && schemas.length === 0)) {
    throw new ScimError('invalidSyntax', `schemas is required: it must have "${urn}".`);
  }
  checkSchemas(schemas, urn, known, ignored);
}

/**
 * Checks `schemas` of a message, as a search or a bulk request.
 *
 * @param message with its article, for the error
 * @throws ScimError `invalidSyntax`
 */
export function requireMessageSchema(schemas: unknown, urn: string, message: string): void {
  const isNamed = (one: unknown): boolean => typeof one === 'string' && isSameName(one, urn);
  if (Array.isArray(schemas) && schemas.some(isNamed)) return;
  throw new ScimError('invalidSyntax', `"schemas" of ${message} is ["${urn}"].`);
}

/**
 * The same where a body may go without: a PATCH, of which some clients send the operations alone, and which its address
 * and its operations leave no doubt about.
 *
 * @throws ScimError `invalidSyntax`
 */
export function checkSchemas(schemas: unknown, urn: string, known: readonly string[], ignored: Set<string>): void {
  if (schemas === undefined || schemas === null) return;
  if (!Array.isArray(schemas) || !schemas.every((schema) => typeof schema === 'string')) {
    throw new ScimError('invalidSyntax', 'schemas must be a list of URNs.');
  }
  if (schemas.length > 0 && !schemas.some((schema) => isSameName(schema, urn))) {
    throw new ScimError('invalidSyntax', `schemas must have "${urn}"; it has "${shorten(schemas.join('", "'))}".`);
  }
  for (const schema of schemas) {
    if (![urn, ...known].some((one) => isSameName(schema, one))) noteIgnored(ignored, schema);
  }
}
