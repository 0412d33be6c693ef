/* The URNs of RFC 7643, section 8.7, and RFC 7644, section 3. */

export const CORE_URN = 'urn:ietf:params:scim:schemas:core:2.0';
export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/**
 * The URNs that schemas had in SCIM 1.1 and in drafts of 2.0. Some providers send them to this day, also before the names
 * of attributes. The longest come first, so that no other begins like one after it.
 */
const FORMER_URNS: Readonly<Record<string, readonly string[]>> = {
  [USER_URN]: ['urn:scim:schemas:core:2.0:User', 'urn:scim:schemas:core:2.0', 'urn:scim:schemas:core:1.0'],
  [GROUP_URN]: ['urn:scim:schemas:core:2.0:Group', 'urn:scim:schemas:core:2.0', 'urn:scim:schemas:core:1.0'],
  [ENTERPRISE_URN]: [
    'urn:scim:schemas:extension:enterprise:2.0:User',
    'urn:scim:schemas:extension:enterprise:2.0',
    'urn:scim:schemas:extension:enterprise:1.0',
  ],
};

const ALL_URNS = new Map(Object.entries(FORMER_URNS).map(([urn, former]) => [urn, [urn, ...former]]));

/** @returns the URN of a schema and its former ones */
export function urnsOf({ id }: { readonly id: string }): readonly string[] {
  return ALL_URNS.get(id) ?? [id];
}

export const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const SEARCH_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const BULK_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const BULK_RESPONSE_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
export const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';
