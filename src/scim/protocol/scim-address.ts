const PREFIX = /^\/v1\/organisations\/([^/]+)\/scim\/v2(?=\/|$)/;

/** A path below the base URL of a SCIM service. */
export interface ScimPath {
  /** The organisation as written in the path. */
  orgId: string;
  below: string;
}

/**
 * @param path of a request, without its query, or a path template
 * @returns undefined for any path that is not below `/scim/v2`
 */
export function scimPath(path: string): ScimPath | undefined {
  const match = PREFIX.exec(path);
  return match?.[1] === undefined ? undefined : { orgId: match[1], below: path.slice(match[0].length) };
}

/** @returns the base URL of an organisation's SCIM service: what is pasted into the identity provider */
export function scimBase(publicUrl: string, orgId: string): string {
  return `${publicUrl}/v1/organisations/${orgId}/scim/v2`;
}

/** @param base URL of the organisation's SCIM service, without a trailing slash */
export function resourceAddress(base: string, { endpoint }: { endpoint: string }, id: string): string {
  return `${base}${endpoint}/${id}`;
}
