import {
  ADA,
  BOTH,
  ENGINEERS,
  enterprise,
  ENTERPRISE_URN,
  GROUP_URN,
  listOf,
  membersOf,
  patch,
  type Shape,
  USER_URN,
  WITH_ADA,
  WITH_BOTH,
} from './shape';

type Row = Omit<Shape, 'provider'>;

/** As the JSON template of the "SCIM v2 Enterprise" application makes it. */
const TEMPLATE = {
  [ENTERPRISE_URN]: { department: 'Research', manager: { value: '118', displayName: 'Charles Babbage' } },
  active: true,
  emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
  meta: { resourceType: 'User' },
  name: { familyName: 'Lovelace', givenName: 'Ada', formatted: 'Ada Lovelace' },
  userName: 'ada@acme.example',
  id: null,
  schemas: [USER_URN, ENTERPRISE_URN],
};
const { meta: _meta, id: _id, ...SENT } = TEMPLATE;
const { [ENTERPRISE_URN]: _extension, ...CORE } = TEMPLATE;
/** The name of a manager is not the client's to write. */
const STORED = { ...SENT, [ENTERPRISE_URN]: { department: 'Research', manager: { value: '118' } } };

const ROWS: Row[] = [
  {
    name: 'tests the connection with a name that nobody has',
    request: { method: 'GET', path: '/Users', query: { filter: 'userName eq "never-existing-user"' } },
    status: 200,
    answer: listOf(),
  },
  {
    name: 'loads the groups that there are',
    given: { users: { ada: ADA }, groups: { engineers: WITH_ADA } },
    request: { method: 'GET', path: '/Groups', query: { count: '100', startIndex: '1' } },
    status: 200,
    answer: listOf({ ...ENGINEERS, members: membersOf('ada') }),
  },
  {
    name: 'creates a person by the template of the core schema',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        userName: 'ada@acme.example',
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        schemas: [USER_URN],
        emails: [{ primary: true, type: 'work', value: 'ada@acme.example' }],
        active: true,
      },
    },
    status: 201,
    stored: {
      new: {
        userName: 'ada@acme.example',
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        schemas: [USER_URN],
        emails: [{ primary: true, type: 'work', value: 'ada@acme.example' }],
        active: true,
      },
    },
  },
  {
    name: 'creates a person by the template of the enterprise schema, with an id of null',
    request: { method: 'POST', path: '/Users', body: TEMPLATE },
    status: 201,
    stored: { new: STORED },
  },
  {
    name: 'creates a person by a template whose active is text and which lists one schema too few',
    request: { method: 'POST', path: '/Users', body: { ...TEMPLATE, active: 'true', schemas: [USER_URN] } },
    status: 201,
    stored: { new: STORED },
  },
  {
    name: 'creates a person with null for the parameters that are not set',
    request: {
      method: 'POST',
      path: '/Users',
      body: { ...TEMPLATE, nickName: null, title: null, profileUrl: null, [ENTERPRISE_URN]: { department: null } },
    },
    status: 201,
    stored: { new: { ...STORED, schemas: [USER_URN], [ENTERPRISE_URN]: undefined } },
  },
  {
    name: 'creates a person with empty text for the parameters that are not set, and one address without its list',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        ...TEMPLATE,
        title: '',
        userType: '',
        emails: { value: 'ada@acme.example', type: 'work', primary: true },
        addresses: [{ locality: '', region: '', country: '' }],
      },
    },
    status: 201,
    stored: { new: STORED },
  },
  {
    name: 'sends the schema of SCIM 1.1 alone, as the template of its application for that does',
    request: { method: 'POST', path: '/Users', body: { ...TEMPLATE, schemas: ['urn:scim:schemas:core:1.0'] } },
    status: 201,
    stored: { new: STORED },
  },
  {
    name: 'sends the schemas of drafts of SCIM 2.0, the extension under one of them',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        ...CORE,
        schemas: ['urn:scim:schemas:core:2.0', 'urn:scim:schemas:extension:enterprise:2.0'],
        'urn:scim:schemas:extension:enterprise:2.0': TEMPLATE[ENTERPRISE_URN],
      },
    },
    status: 201,
    stored: { new: STORED },
  },
  {
    name: 'changes a person with the schemas of drafts of SCIM 2.0',
    given: { users: { ada: STORED } },
    request: {
      method: 'PUT',
      path: '/Users/{ada}',
      body: { ...TEMPLATE, schemas: ['urn:scim:schemas:core:2.0'], title: 'Countess' },
    },
    status: 200,
    stored: { ada: { ...STORED, title: 'Countess' } },
  },
  {
    name: 'makes a group with the schema of drafts of SCIM 2.0',
    request: {
      method: 'POST',
      path: '/Groups',
      body: { displayName: 'Engineers', schemas: ['urn:scim:schemas:core:2.0'] },
    },
    status: 201,
    stored: { new: { displayName: 'Engineers', schemas: [GROUP_URN], members: [] } },
  },
  {
    name: 'changes a person, all of them at once',
    given: { users: { ada: STORED } },
    request: {
      method: 'PUT',
      path: '/Users/{ada}',
      body: { ...TEMPLATE, id: '{ada}', name: { familyName: 'King', givenName: 'Ada', formatted: 'Ada King' } },
    },
    status: 200,
    stored: { ada: { ...STORED, name: { familyName: 'King', givenName: 'Ada', formatted: 'Ada King' } } },
  },
  {
    name: 'suspends a person',
    given: { users: { ada: ADA } },
    request: { method: 'PUT', path: '/Users/{ada}', body: { ...ADA, id: '{ada}', active: false } },
    status: 200,
    stored: { ada: { ...ADA, active: false } },
  },
  {
    name: 'makes a group that is missing, by its name alone',
    request: { method: 'POST', path: '/Groups', body: { displayName: 'Engineers', schemas: [GROUP_URN] } },
    status: 201,
    stored: { new: { displayName: 'Engineers', schemas: [GROUP_URN], members: [] } },
  },
  {
    name: 'puts a person into a group, the value first in the operation',
    given: { users: BOTH, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ value: [{ value: '{grace}' }], op: 'add', path: 'members' }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('ada', 'grace') } },
  },
  {
    name: 'takes a person out of a group by a list of values',
    given: { users: BOTH, groups: { engineers: WITH_BOTH } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ value: [{ value: '{ada}' }], op: 'remove', path: 'members' }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('grace') } },
  },
  {
    name: 'puts several people into a group by an operation without a path',
    given: { users: BOTH, groups: { engineers: ENGINEERS } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'add', value: { members: [{ value: '{ada}' }, { value: '{grace}' }] } }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('ada', 'grace') } },
  },
  {
    name: 'deletes a person after removing them from the groups',
    given: { users: { ada: enterprise(ADA, { department: 'Research' }) } },
    request: { method: 'DELETE', path: '/Users/{ada}' },
    status: 204,
    stored: { ada: null },
  },
];

export const ONELOGIN: Shape[] = ROWS.map((shape) => ({ provider: 'OneLogin', ...shape }));
