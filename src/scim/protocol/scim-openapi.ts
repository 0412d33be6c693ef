import { SCHEMA_NAME_EXTENSION } from '../../http/openapi/openapi-schemas';
import { BULK_METHODS } from './bulk/bulk-request';
import { type Attribute, COMMON_ATTRIBUTES, type ResourceType } from './schema/attribute';
import { GROUP_TYPE } from './schema/group-schema';
import { USER_TYPE } from './schema/user-schema';
import { BULK_REQUEST_URN, GROUP_URN, SEARCH_REQUEST_URN, USER_URN } from './urns';
import type { ScimOperationDetails } from './scim-operation.decorator';
import { PATCH_URN } from './urns';

/*
 * The schemas of the protocol for the OpenAPI document. Those of resources come from the tables behind `/Schemas`, so
 * the two cannot differ. They describe what a client should send; the protocol checks the bodies itself, since names
 * are case-insensitive and identity providers send booleans as strings, and it has errors of its own.
 */

type Schema = Record<string, unknown>;

const TEXT: Schema = { type: 'string' };
const INTEGER: Schema = { type: 'integer' };
const INSTANT: Schema = { type: 'string', format: 'date-time' };

/** An object that may have more properties than those listed. */
function open(properties: Record<string, Schema>, required: string[] = []): Schema {
  return { type: 'object', additionalProperties: true, properties, ...(required.length > 0 && { required }) };
}

/** An object that has a name in the document. */
function named(name: string, properties: Record<string, Schema>, required: string[] = [], example?: object): Schema {
  return { [SCHEMA_NAME_EXTENSION]: name, ...open(properties, required), ...(example && { example }) };
}

const listOf = (items: Schema): Schema => ({ type: 'array', items });
const URNS = listOf(TEXT);
const SENT_URNS: Schema = { ...URNS, minItems: 1 };

export const ANYTHING: Schema = open({});

const TYPES: Record<Attribute['type'], Schema> = {
  string: TEXT,
  boolean: { type: 'boolean' },
  integer: INTEGER,
  decimal: { type: 'number' },
  dateTime: INSTANT,
  reference: TEXT,
  binary: { type: 'string', contentEncoding: 'base64' },
  complex: ANYTHING,
};

/** @param isSent whether clients send it: without read-only attributes, with required ones marked */
function schemaOf({ description, ...attribute }: Attribute, isSent: boolean): Schema {
  const { properties = {}, required = [] } = attribute.subAttributes ? fieldsOf(attribute.subAttributes, isSent) : {};
  const schema = attribute.subAttributes ? open(properties, isSent ? required : []) : TYPES[attribute.type];
  if (!attribute.multiValued) return { ...schema, description };
  return { ...listOf(schema), ...(isSent && attribute.required && { minItems: 1 }), description };
}

function fieldsOf(attributes: readonly Attribute[], isSent: boolean) {
  const shown = attributes.filter(({ mutability, returned }) =>
    isSent ? mutability !== 'readOnly' : mutability !== 'writeOnly' && returned !== 'never',
  );
  return {
    properties: Object.fromEntries(shown.map((attribute) => [attribute.name, schemaOf(attribute, isSent)])),
    required: shown.filter((attribute) => attribute.required).map(({ name }) => name),
  };
}

function resource({ schema, extensions }: ResourceType, isSent: boolean, name: string, example?: object): Schema {
  const { properties, required } = fieldsOf([...COMMON_ATTRIBUTES, ...schema.attributes], isSent);
  const extended = extensions.map(({ id, attributes }) => [id, open(fieldsOf(attributes, isSent).properties)]);
  // A response has only the requested attributes, besides these two.
  const always = isSent ? required : ['schemas', 'id'];
  return named(name, { ...properties, ...(Object.fromEntries(extended) as Record<string, Schema>) }, always, example);
}

export const USER_IN = resource(USER_TYPE, true, 'ScimUserWrite', {
  schemas: [USER_URN],
  userName: 'ada@example.com',
  externalId: '00u1',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  active: true,
});

export const USER_OUT = resource(USER_TYPE, false, 'ScimUser');

export const GROUP_IN = resource(GROUP_TYPE, true, 'ScimGroupWrite', {
  schemas: [GROUP_URN],
  // Without members: an id that no user has would be refused.
  displayName: 'Engineering',
});

export const GROUP_OUT = resource(GROUP_TYPE, false, 'ScimGroup');

export const PATCH_IN = named(
  'ScimPatch',
  {
    schemas: {
      ...URNS,
      description: 'Best the URN below; a PATCH without it, or with an empty list, is accepted too.',
    },
    Operations: {
      minItems: 1,
      ...listOf(
        named(
          'ScimPatchOperation',
          {
            op: { type: 'string', description: '`add`, `replace` or `remove`, in any case.' },
            path: { type: 'string', description: 'RFC 7644, section 3.5.2; without it `value` is an object.' },
            value: { description: 'Has the type of the attribute; absent for `remove`.' },
          },
          ['op'],
        ),
      ),
    },
  },
  ['Operations'],
  // Users and groups have it.
  { schemas: [PATCH_URN], Operations: [{ op: 'replace', path: 'externalId', value: '00u1' }] },
);

export const SEARCH_IN = named(
  'ScimSearch',
  {
    schemas: SENT_URNS,
    filter: TEXT,
    sortBy: TEXT,
    sortOrder: { type: 'string', description: '`ascending` or `descending`.' },
    startIndex: INTEGER,
    count: INTEGER,
    cursor: TEXT,
    attributes: listOf(TEXT),
    excludedAttributes: listOf(TEXT),
  },
  ['schemas'],
  { schemas: [SEARCH_REQUEST_URN], filter: 'externalId eq "00u1"', count: 10 },
);

export const BULK_IN = named(
  'ScimBulk',
  {
    schemas: SENT_URNS,
    failOnErrors: {
      type: 'integer',
      description: 'The number of failures after which the remaining operations are not attempted.',
    },
    Operations: listOf(
      named(
        'ScimBulkOperation',
        {
          method: { type: 'string', description: `One of ${BULK_METHODS.join(', ')}.` },
          path: TEXT,
          bulkId: {
            type: 'string',
            description: 'A name that you choose for the resource that a `POST` creates; other operations refer to it.',
          },
          version: TEXT,
          data: ANYTHING,
        },
        ['method', 'path'],
      ),
    ),
  },
  ['schemas', 'Operations'],
  {
    schemas: [BULK_REQUEST_URN],
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

export const BULK_OUT = named(
  'ScimBulkResponse',
  {
    schemas: URNS,
    Operations: listOf(
      named(
        'ScimBulkResult',
        { method: TEXT, bulkId: TEXT, location: TEXT, version: TEXT, status: TEXT, response: ANYTHING },
        ['status'],
      ),
    ),
  },
  ['schemas', 'Operations'],
);

function list(name: string, resource: Schema): Schema {
  return named(
    name,
    {
      schemas: URNS,
      totalResults: INTEGER,
      itemsPerPage: INTEGER,
      startIndex: INTEGER,
      nextCursor: { type: 'string', description: 'The cursor of the next page; absent on the last one.' },
      Resources: listOf(resource),
    },
    ['schemas', 'totalResults'],
  );
}

export const USER_LIST_OUT = list('ScimUserList', USER_OUT);
export const GROUP_LIST_OUT = list('ScimGroupList', GROUP_OUT);
/** This schema lists users and groups together, and discovery documents. */
export const LIST_OUT = list('ScimList', ANYTHING);

/** Parameters of every response with a resource (RFC 7644, section 3.9). */
export const SELECTING: ScimOperationDetails['query'] = {
  attributes: 'Only these attributes, separated by commas, besides those that are always returned.',
  excludedAttributes: 'All attributes except these.',
};

export const LISTING: ScimOperationDetails['query'] = {
  filter:
    'A filter with the whole grammar of RFC 7644, section 3.4.2.2. Dates are `xsd:dateTime`; without an offset they are UTC.',
  sortBy: 'The attribute by which to sort.',
  sortOrder: '`ascending`, the default, or `descending`.',
  startIndex: 'The index of the first resource, from 1.',
  count: 'The maximum number of resources; see `/ServiceProviderConfig`.',
  cursor: 'Empty for the first page by cursor, then the `nextCursor` of the previous page (RFC 9865).',
  ...SELECTING,
};

export const IF_MATCH: ScimOperationDetails['headers'] = {
  'If-Match': 'Only if the resource still has this entity tag, or `*`.',
};

export const IF_NONE_MATCH: ScimOperationDetails['headers'] = {
  'If-None-Match': 'The entity tag of the resource that you have.',
};

export const RESOURCE_HEADERS = ['ETag', 'Location', 'Content-Location'];
