import type { ScimClient } from '../scim-client';
import type { ScimQuery, Written } from '../scim-resource';

/** The operations on resources of one type. */
export interface BulkTarget {
  create(client: ScimClient, data: unknown, query: ScimQuery): Promise<Written>;
  replace(client: ScimClient, id: string, data: unknown, query: ScimQuery, ifMatch?: string): Promise<Written>;
  patch(client: ScimClient, id: string, data: unknown, query: ScimQuery, ifMatch?: string): Promise<Written>;
  remove(client: ScimClient, id: string, ifMatch?: string): Promise<void>;
  /**
   * Creates many at once, faster than one by one.
   *
   * @returns the results of the first requests, up to the first one that `create` would reject
   */
  createMany?(requests: readonly { client: ScimClient; body: unknown }[], query: ScimQuery): Promise<Written[]>;
}
