/** A resource in the form in which it is answered: what `attributes` and `excludedAttributes` leave of it. */
export interface ScimResource {
  schemas: string[];
  id: string;
  /** Absent when it was not asked for. */
  meta?: { resourceType: string; created: string; lastModified: string; location: string; version: string };
  [attribute: string]: unknown;
}

/** What writing a resource came to. */
export interface Written {
  id: string;
  /** Its address. */
  location: string;
  /** Its entity tag now. */
  version: string;
  /** Undefined where nothing was asked for and the answer is 204: a PATCH of a group. */
  resource: ScimResource | undefined;
}

/** A resource that was read, or the entity tag of it when that is all the client lacks (`If-None-Match`). */
export interface Found {
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

/** What a list, a search or a read asks for: the query string, or the body of a `.search` (RFC 7644, section 3.4.3). */
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
