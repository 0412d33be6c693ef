import type { Cause } from '../../organisations/audit/audit-trail';

/** What the provisioning log keeps of a request. */
export interface LoggedRequest {
  method: string;
  /** The path below the base URL, and the query, as sent. */
  target: string;
  /** As parsed; undefined if there is none, or while it has not been read. */
  readonly body: unknown;
  /** The request began at this time of `performance.now()`. */
  startedAt: number;
}

/** Proof that a request came with a valid token of this organisation. */
export interface ScimClient {
  /** In the database's spelling; a path may have it in upper case. */
  orgId: string;
  tokenId: string;
  requestId: string;
  /**
   * Set while the token is only remembered: it may have been revoked. Cleared by the statement of the request that finds
   * it; before that nothing may be committed, and no answer sent. Set again by one that does not find it.
   */
  isUnconfirmed?: boolean;
  /** Absent for an operation of a bulk request: the rows of all of them are written at its end. */
  request?: LoggedRequest;
  /**
   * What the response cannot mention but must not go unnoticed: names of attributes that are in no schema. They are
   * stored in the provisioning log.
   */
  ignored: Set<string>;
  /** What was done differently from what the client may expect, in sentences. Also stored in the provisioning log. */
  notes: Set<string>;
}

/** @returns the client for one operation of a bulk request, which has its own entry in the provisioning log */
export function ofOperation(client: ScimClient): ScimClient {
  return { ...client, request: undefined, ignored: new Set(), notes: new Set() };
}

/** @returns the actor of a change by this client in the audit log */
export function causeOf({ tokenId, requestId }: ScimClient): Cause {
  return { actorType: 'scim_token', actorId: tokenId, requestId };
}
