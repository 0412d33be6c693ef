import type { Cause } from '../../audit/audit-trail';

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
}

/** @returns what the audit log says of a change by this client */
export function causeOf({ tokenId, requestId }: ScimClient): Cause {
  return { actorType: 'scim_token', actorId: tokenId, requestId };
}
