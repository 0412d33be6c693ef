/** The groups of operations, in the order in which a reader should meet them. */
export const TAGS: [string, string][] = [
  ['Users', 'The account behind the access token.'],
  ['Catalog', 'Categories of tool servers, and what was imported into them.'],
  ['MCP Listings', 'The tool servers themselves.'],
  ['MCP Registry', 'The generic MCP registry API, version 0.1, for editors and other clients.'],
  ['Bundles', 'Listings put together for a purpose.'],
  ['Deployments', 'Where bundles run, and which version of them.'],
  ['Organisations', 'Organisations and their members.'],
  ['SCIM', 'What the identity provider pushed, and the roles that follow from it.'],
  ['SCIM protocol', 'SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865), for identity providers with a SCIM token.'],
  ['Webhooks', 'Endpoints that are told of changes.'],
  ['Auth', 'Documents that say where tokens come from.'],
  ['Operations', 'For the operator and the load balancer.'],
];

/** The front page of the document. */
export const DESCRIPTION = `
Toolyard keeps an organisation's catalogue of MCP tool servers.

**Access tokens.** Every operation under \`/v1\` takes \`Authorization: Bearer <access token>\`, a JWT of the
authorization server that \`/.well-known/oauth-protected-resource\` names. With \`verify_locally=true\` (the default)
its signature and claims are checked here; with \`verify_locally=false\` the authorization server is asked too
(RFC 7662), so that a revoked token or a closed account is refused at once. Reading a bundle, its entries and its export
also takes an access token of that bundle (\`tyb_…\`), which opens nothing else.

**Errors.** Two bodies: \`{"detail", "code"}\` and, with status 422, \`{"detail": [{"loc", "msg", "type"}]}\`. A thing
that you may not see is not found. Any path may also answer 405 (\`method_not_allowed\`, with \`Allow\`), and an unknown
one 404 (\`not_found\`). Below \`/v1/organisations/{org_id}/scim/v2\` all errors are those of RFC 7644, section 3.12;
those of the MCP registry (\`/v0.1\`, \`/v1/organisations/{org_id}/registry/v0.1\`) have \`error\` and the fields of RFC
9457.

**Lists** of our own take \`limit\` and \`cursor\`; the next page is in the \`Link\` header (RFC 8288). Times are RFC 3339,
UTC, with milliseconds. Ids are UUIDs, except that a category's is an integer. Unknown query parameters are ignored,
unknown body fields are an error.
`.trim();
