import { isSameName } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import { noteIgnored, shorten } from './json-object';

/**
 * Checks `schemas` of a body (RFC 7643, section 3; RFC 7644, section 3.5.2). A body without any is taken for what its
 * address says it is, since nothing else it could be; one that names others only is a mistake, as of a client that
 * speaks SCIM 1.1.
 *
 * @param urn must be among them
 * @param known may be among them too; all others go to `ignored`, as the one that Entra ID puts into every group
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
