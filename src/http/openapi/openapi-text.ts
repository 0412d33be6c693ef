/** The groups of operations, in the order in which a reader should see them. */
export const TAGS: [string, string][] = [
  ['Users', 'Your own account.'],
  ['Catalog', 'Categories of tool servers, and imports from other registries.'],
  ['MCP Listings', 'Tool servers: create, publish, search.'],
  ['MCP Registry', 'The generic MCP registry API, version 0.1, for editors and other clients.'],
  ['Bundles', 'Sets of listings for a purpose, with versions, editors, followers and access tokens.'],
  ['Deployments', 'Where bundles run, and which version of them.'],
  ['Organisations', 'Organisations, their members and their audit log.'],
  ['SCIM', 'For administrators: what the identity provider pushed, and the roles that follow from it.'],
  ['SCIM protocol', 'For identity providers with a SCIM token: SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865).'],
  ['Webhooks', 'Endpoints that receive events, and the deliveries to them.'],
  ['Auth', 'Metadata of the authorization server.'],
  ['Operations', 'Health checks for operators and load balancers.'],
];

/** The front page of the document. */
export const DESCRIPTION = `
Toolyard is a self-hosted marketplace for MCP tool servers.

**Access tokens.** Operations below \`/v1\` need \`Authorization: Bearer <access token>\`: a JWT from the authorization
server that \`/.well-known/oauth-protected-resource\` names. With \`verify_locally=true\` (the default) Toolyard checks its
signature and claims; with \`verify_locally=false\` it also asks the authorization server (RFC 7662), so a revoked token or
a closed account is rejected immediately. An access token of a bundle (\`tyb_…\`) also opens that bundle, its entries and
its export, and nothing else. Identity providers use a SCIM token (\`tys_…\`). An operation with an open padlock needs no
token.

**Errors.** There are two bodies: \`{"detail", "code"}\` and, with status 422, \`{"detail": [{"loc", "msg", "type"}]}\`.
\`code\` and \`type\` are stable; \`detail\` and \`msg\` are for people. What you may not see is answered with 404, like
something that does not exist. Every path may answer 405 (\`method_not_allowed\`, with \`Allow\`) and every unknown path
404 (\`not_found\`), as does a path with an empty part. Below \`/v1/organisations/{org_id}/scim/v2\` errors are those of
RFC 7644, section 3.12; errors of the MCP registry (\`/v0.1\`, \`/v1/organisations/{org_id}/registry/v0.1\`) are RFC 9457
problems that also have \`error\`.

**Lists** take \`limit\` and \`cursor\`; the \`Link\` header has the address of the next page (RFC 8288). An empty
\`cursor\` asks for the first page.

**Values.** Times are RFC 3339, in UTC, with milliseconds. Ids are UUIDs, except that a category's id is an integer.
Unknown query parameters are ignored; unknown body fields are an error. \`x-format\` and \`x-check\` name rules that JSON
Schema cannot express; the description says what they are.
`.trim();
