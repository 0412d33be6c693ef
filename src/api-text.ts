/** The front page of the document. */
export const DESCRIPTION = `
Toolyard is a self-hosted marketplace for MCP tool servers.

**Access tokens.** Operations below \`/v1\` need \`Authorization: Bearer <access token>\`: a JWT from the authorization
server that \`/.well-known/oauth-protected-resource\` names. With \`verify_locally=true\` (the default) Toolyard checks its
signature and claims; with \`verify_locally=false\` it also asks the authorization server (RFC 7662), so a revoked token or
a closed account is rejected immediately. A personal access token (\`typ_…\`) works like such a token, within its scopes.
An access token of a bundle (\`tyb_…\`) also opens that bundle, its entries and
its export, and nothing else. Identity providers use a SCIM token (\`tys_…\`). An operation with an open padlock needs no
token. A token that is limited to scopes needs the one that the operation states (\`x-access\`); without it the answer is
403 \`insufficient_scope\`. At \`/docs\`, a browser that is signed in here needs no token: it acts as you, also when it
changes something.

**Errors.** There are two bodies: \`{"detail", "code"}\` and, with status 422, \`{"detail": [{"loc", "msg", "type"}]}\`.
\`code\` and \`type\` are stable; \`detail\` and \`msg\` are for people. Anything you may not see is answered with 404, like
something that does not exist. Every path may answer 405 (\`method_not_allowed\`, with \`Allow\`) and every unknown path
404 (\`not_found\`), as does a path with an empty part; paths of
the MCP registry may have one slash too many at the beginning or the end. Below \`/v1/organisations/{org_id}/scim/v2\` errors are those of
RFC 7644, section 3.12; errors of the MCP registry (\`/v0.1\`, \`/v1/organisations/{org_id}/registry/v0.1\`) are RFC 9457
problems that also have \`error\`.

**Lists** take \`limit\` and \`cursor\`; the \`Link\` header has the address of the next page (RFC 8288). An empty
\`cursor\` asks for the first page.

**Values.** Times are RFC 3339, in UTC, with milliseconds. Ids are UUIDs, except that a category's id is an integer.
Unknown query parameters are ignored, but other spellings of known ones (\`Limit\`, \`created_at[gt]\`) are an error;
\`name[]\` and \`name[0]\` are read as \`name\`. Unknown body fields are an error. \`x-format\` and \`x-check\` name rules that JSON
Schema cannot express; the description says what they are.
`.trim();
