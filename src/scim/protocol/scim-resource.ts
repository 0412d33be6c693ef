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
}

/** A resource that was read, or only its entity tag if the client has this version already (`If-None-Match`). */
export interface ReadResource {
  version: string;
  /** Undefined: the client has this version. */
  resource: ScimResource | undefined;
}

/** RFC 7644, section 3.4.2, with the fields of RFC 9865, section 2.1. */
export interface ListResponse {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];
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
