/**
 * What an access token of a bundle can do: `read` the bundle, by this API and by its MCP endpoint; `call` the tools of the
 * endpoint. A closed set; the database checks it too.
 */
export const BUNDLE_TOKEN_SCOPES = ['read', 'call'] as const;
export type BundleTokenScope = (typeof BUNDLE_TOKEN_SCOPES)[number];
