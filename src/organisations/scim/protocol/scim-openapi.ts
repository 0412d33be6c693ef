import type { ScimOperationDetails } from './scim-operation.decorator';
import { GROUP_URN } from './schema/group-schema';
import { USER_URN } from './schema/user-schema';

/*
 * Loose schemas for the OpenAPI document: what a reader should meet first. What holds is RFC 7643 and what `/Schemas`
 * says; the protocol checks its bodies by that, and answers with errors of its own.
 */

type Schema = Record<string, unknown>;

const TEXT: Schema = { type: 'string' };
const URNS: Schema = { type: 'array', items: TEXT };

/** An object that may have more than it is said to have. */
function open(properties: Record<string, Schema>, example?: object): Schema {
  return { type: 'object', additionalProperties: true, properties, ...(example ? { example } : {}) };
}

export const ANYTHING: Schema = open({});

const META = open({
  resourceType: TEXT,
  created: { type: 'string', format: 'date-time' },
  lastModified: { type: 'string', format: 'date-time' },
  location: TEXT,
  version: TEXT,
});

/** As it is sent: nothing is said of what may be null or, from Entra ID, text. */
export const USER_IN = open(
  { schemas: {}, userName: {}, externalId: {}, name: {}, displayName: {}, active: {}, emails: {} },
  {
    schemas: [USER_URN],
    userName: 'ada@example.com',
    externalId: '00u1',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
    active: true,
  },
);

export const USER_OUT = open({
  schemas: URNS,
  id: TEXT,
  externalId: TEXT,
  meta: META,
  userName: TEXT,
  name: ANYTHING,
  displayName: TEXT,
  active: { type: 'boolean' },
  emails: { type: 'array', items: ANYTHING },
  groups: { type: 'array', items: ANYTHING },
});

export const GROUP_IN = open(
  { schemas: {}, displayName: {}, externalId: {}, members: {} },
  {
    schemas: [GROUP_URN],
    displayName: 'Engineering',
    members: [{ value: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10' }],
  },
);

export const GROUP_OUT = open({
  schemas: URNS,
  id: TEXT,
  externalId: TEXT,
  meta: META,
  displayName: TEXT,
  members: { type: 'array', items: ANYTHING },
});

export const PATCH_IN = open(
  { schemas: {}, Operations: {} },
  {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  },
);

export const SEARCH_IN = open(
  { schemas: {}, filter: {}, sortBy: {}, sortOrder: {}, startIndex: {}, count: {}, cursor: {}, attributes: {} },
  { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter: 'userName sw "a"', count: 10 },
);

export const BULK_IN = open(
  { schemas: {}, failOnErrors: {}, Operations: {} },
  {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    failOnErrors: 1,
    Operations: [
      {
        method: 'POST',
        path: '/Users',
        bulkId: 'ada',
        data: { schemas: [USER_URN], userName: 'ada@example.com' },
      },
      {
        method: 'POST',
        path: '/Groups',
        bulkId: 'engineering',
        data: { schemas: [GROUP_URN], displayName: 'Engineering', members: [{ value: 'bulkId:ada' }] },
      },
    ],
  },
);

export const BULK_OUT = open({
  schemas: URNS,
  Operations: {
    type: 'array',
    items: open({ method: TEXT, bulkId: TEXT, location: TEXT, version: TEXT, status: TEXT, response: ANYTHING }),
  },
});

export const LIST_OUT = open({
  schemas: URNS,
  totalResults: { type: 'integer' },
  itemsPerPage: { type: 'integer' },
  startIndex: { type: 'integer' },
  nextCursor: TEXT,
  Resources: { type: 'array', items: ANYTHING },
});

/** What every answer with a resource takes (RFC 7644, section 3.9). */
export const SELECTING: ScimOperationDetails['query'] = {
  attributes: 'Only these attributes, separated by commas, besides those that are always there.',
  excludedAttributes: 'All attributes but these.',
};

export const LISTING: ScimOperationDetails['query'] = {
  filter: 'RFC 7644, section 3.4.2.2: the whole grammar.',
  sortBy: 'The attribute by which to sort.',
  sortOrder: '`ascending`, the default, or `descending`.',
  startIndex: 'The place of the first resource, from 1.',
  count: 'Resources at most; see `/ServiceProviderConfig`.',
  cursor: 'Empty for the first page by cursor, then the `nextCursor` of the page before (RFC 9865).',
  ...SELECTING,
};

export const IF_MATCH: ScimOperationDetails['headers'] = {
  'If-Match': 'Only if the resource still has this entity tag, or `*`.',
};

export const IF_NONE_MATCH: ScimOperationDetails['headers'] = {
  'If-None-Match': 'The entity tag of the resource that you have.',
};

export const RESOURCE_HEADERS = ['ETag', 'Location', 'Content-Location'];
