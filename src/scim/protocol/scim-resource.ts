import type { ScimClient } from './scim-client';
import type { LIST_URN } from './urns';

/** A resource in a response, reduced by `attributes` and `excludedAttributes`. */
export interface ScimResource {
  schemas: string[];
  id: string;
  /** Absent if it was not requested. */
  meta?: { resourceType: string; created: string; lastModified: string; location: string; version: string };
  [attribute: string]: unknown;
}

/** The result of writing a resource. */
export interface Written {
  id: string;
  /** Its URL. */
  location: string;
  /** Its current entity tag. */
  version: string;
  /** Undefined if no attributes were requested and the response is 204: a PATCH of a group. */
  resource: ScimResource | undefined;
  /** Whether the provisioning log has the response already, since the transaction of the change. */
  isLogged?: boolean;
}

/** The result of deleting a resource. */
export type Removed = Pick<Written, 'isLogged'>;

/** A resource that was read, or only its entity tag if the client has this version already (`If-None-Match`). */
export interface ReadResource {
  version: string;
  /** Undefined: the client has this version. */
  resource: ScimResource | undefined;
}

/** Writes the resources of one type: `ScimUsers`, `ScimGroups`. */
export interface ScimWriter {
  create(client: ScimClient, body: unknown, query: ScimQuery): Promise<Written>;
  replace(client: ScimClient, id: string, body: unknown, query: ScimQuery, ifMatch?: string): Promise<Written>;
  patch(client: ScimClient, id: string, body: unknown, query: ScimQuery, ifMatch?: string): Promise<Written>;
  remove(client: ScimClient, id: string, ifMatch?: string): Promise<Removed>;
}

/** RFC 7644, section 3.4.2, with the fields of RFC 9865, section 2.1. */
export interface ListResponse {
  schemas: [typeof LIST_URN];
  totalResults: number;
  itemsPerPage: number;
  startIndex?: number;
  nextCursor?: string;
  Resources: ScimResource[];
}

/**
 * The parameters of a list, a search or a read: the query string, or the body of a `.search` (RFC 7644, section 3.4.3).
 */
export interface ScimQuery {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
  startIndex?: number;
  count?: number;
  /** Empty: the first page of a list by cursor. */
  cursor?: string;
  attributes?: string[];
  excludedAttributes?: string[];
}
