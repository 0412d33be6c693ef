import {
  ADA,
  BOTH,
  ENGINEERS,
  enterprise,
  errorBody,
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

const SENT = {
  schemas: [USER_URN],
  userName: 'ada@acme.example',
  externalId: '6155b5b1a9b2c3d4e5f60718',
  active: true,
  displayName: 'Ada Lovelace',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
};

const ROWS: Row[] = [
  {
    name: 'looks for the test user, who is not there',
    request: { method: 'GET', path: '/Users', query: { filter: 'userName eq "jumpcloud.test@acme.example"' } },
    status: 200,
    answer: listOf(),
  },
  {
    name: 'creates the test user',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        schemas: [USER_URN],
        userName: 'jumpcloud.test@acme.example',
        active: true,
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ value: 'jumpcloud.test@acme.example', primary: true }],
      },
    },
    status: 201,
    stored: {
      new: {
        schemas: [USER_URN],
        userName: 'jumpcloud.test@acme.example',
        active: true,
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ value: 'jumpcloud.test@acme.example', primary: true }],
      },
    },
  },
  {
    name: 'deletes the test user',
    given: { users: { ada: ADA } },
    request: { method: 'DELETE', path: '/Users/{ada}' },
    status: 204,
    stored: { ada: null },
  },
  {
    name: 'creates a person',
    request: { method: 'POST', path: '/Users', body: SENT },
    status: 201,
    stored: { new: SENT },
  },
  {
    name: 'creates a person without an active',
    request: { method: 'POST', path: '/Users', body: { ...SENT, active: undefined } },
    status: 201,
    stored: { new: SENT },
  },
  {
    name: 'changes a person, one operation for each attribute',
    given: { users: { ada: ADA } },
    request: {
      method: 'PATCH',
      path: '/Users/{ada}',
      body: patch(
        { op: 'replace', path: 'name.givenName', value: 'Augusta' },
        { op: 'replace', path: 'name.familyName', value: 'King' },
        { op: 'replace', path: 'active', value: false },
      ),
    },
    status: 200,
    stored: { ada: { ...ADA, name: { givenName: 'Augusta', familyName: 'King' }, active: false } },
  },
  {
    name: 'changes a person, all of them at once',
    given: { users: { ada: ADA } },
    request: {
      method: 'PUT',
      path: '/Users/{ada}',
      body: { ...enterprise(SENT, { costCenter: '4130', department: 'Research' }), id: '{ada}', title: 'Analyst' },
    },
    status: 200,
    stored: { ada: { ...enterprise(SENT, { costCenter: '4130', department: 'Research' }), title: 'Analyst' } },
  },
  {
    name: 'deactivates a person who was taken off the application',
    given: { users: { ada: ADA } },
    request: { method: 'PUT', path: '/Users/{ada}', body: { ...ADA, id: '{ada}', active: false } },
    status: 200,
    stored: { ada: { ...ADA, active: false } },
  },
  {
    name: 'changes a person to a name that another one has',
    given: { users: BOTH },
    request: { method: 'PUT', path: '/Users/{ada}', body: { ...ADA, userName: 'GRACE@acme.example' } },
    status: 409,
    answer: errorBody(409, 'uniqueness'),
  },
  {
    name: 'looks for a group by its name, to take it over',
    given: { users: { ada: ADA }, groups: { engineers: WITH_ADA } },
    request: { method: 'GET', path: '/Groups', query: { filter: 'displayName eq "Engineers"' } },
    status: 200,
    answer: listOf({ ...ENGINEERS, members: membersOf('ada') }),
  },
  {
    name: 'creates a group with its members',
    given: { users: BOTH },
    request: {
      method: 'POST',
      path: '/Groups',
      body: { schemas: [GROUP_URN], displayName: 'Engineers', members: [{ value: '{ada}' }, { value: '{grace}' }] },
    },
    status: 201,
    stored: { new: { schemas: [GROUP_URN], displayName: 'Engineers', members: membersOf('ada', 'grace') } },
  },
  {
    name: 'adds a member by the id alone',
    given: { users: BOTH, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'add', path: 'members', value: [{ value: '{grace}' }] }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('ada', 'grace') } },
  },
  {
    name: 'removes a member by a list of values',
    given: { users: BOTH, groups: { engineers: WITH_BOTH } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'remove', path: 'members', value: [{ value: '{ada}' }] }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('grace') } },
  },
  {
    name: 'renames a group with everybody in it',
    given: { users: BOTH, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PUT',
      path: '/Groups/{engineers}',
      body: {
        schemas: [GROUP_URN],
        id: '{engineers}',
        externalId: 'ext-engineers',
        displayName: 'Platform',
        members: [{ value: '{ada}' }],
      },
    },
    status: 200,
    stored: { engineers: { ...ENGINEERS, displayName: 'Platform', members: membersOf('ada') } },
  },
  {
    name: 'deletes a group',
    given: { users: { ada: ADA }, groups: { engineers: WITH_ADA } },
    request: { method: 'DELETE', path: '/Groups/{engineers}' },
    status: 204,
    stored: { engineers: null, ada: ADA },
  },
];

export const JUMPCLOUD: Shape[] = ROWS.map((shape) => ({ provider: 'JumpCloud', ...shape }));
