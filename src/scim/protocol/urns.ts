/* The URNs of RFC 7643, section 8.7, and RFC 7644, section 3. */

export const CORE_URN = 'urn:ietf:params:scim:schemas:core:2.0';
export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const SEARCH_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const BULK_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const BULK_RESPONSE_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
export const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';
