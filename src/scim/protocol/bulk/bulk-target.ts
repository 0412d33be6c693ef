import type { ScimClient } from '../scim-client';
import type { ScimQuery, ScimWriter, Written } from '../scim-resource';

/** The operations on resources of one type. */
export interface BulkTarget extends ScimWriter {
  /**
   * Creates many at once, faster than one by one.
   *
   * @returns the results of the first requests, up to the first one that `create` would reject
   */
  createMany?(requests: readonly { client: ScimClient; body: unknown }[], query: ScimQuery): Promise<Written[]>;
}
