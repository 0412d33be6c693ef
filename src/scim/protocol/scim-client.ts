import type { Cause } from '../../organisations/audit/audit-trail';

/** Proof that a request came with a living token of this organisation. */
export interface ScimClient {
  /** As the database writes it; a path may have it in capitals. */
  orgId: string;
  tokenId: string;
  requestId: string;
  /**
   * What the request leaves unsaid in its answer but must not go unnoticed: names of attributes that are in no schema.
   * The provisioning log keeps them.
   */
  ignored: Set<string>;
  /** What was done otherwise than the client may expect, in sentences. The provisioning log keeps them too. */
  notes: Set<string>;
}

/** @returns the client for one operation of a bulk request, of which the provisioning log has an entry of its own */
export function ofOperation(client: ScimClient): ScimClient {
  return { ...client, ignored: new Set(), notes: new Set() };
}

/** @returns what the audit log says of a change by this client */
export function causeOf({ tokenId, requestId }: ScimClient): Cause {
  return { actorType: 'scim_token', actorId: tokenId, requestId };
}
