import { ADA, BOTH, errorBody, listOf, patch, type Shape, USER_URN } from './shape';

type Row = Omit<Shape, 'provider'>;

/** Both of the schemas; the first is of SCIM 1.1. */
const SCHEMAS = ['urn:scim:schemas:core:1.0', USER_URN];

const SENT = {
  schemas: SCHEMAS,
  userName: 'ada@acme.example',
  emails: [{ primary: true, value: 'ada@acme.example', type: 'work' }],
  displayName: 'Ada Lovelace',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  active: true,
};
const STORED = { ...SENT, schemas: [USER_URN] };

const ROWS: Row[] = [
  {
    name: 'tests the connection',
    request: { method: 'GET', path: '/Users' },
    status: 200,
    answer: listOf(),
  },
  {
    name: 'looks for one person',
    given: { users: BOTH },
    request: { method: 'GET', path: '/Users', query: { filter: 'userName eq "ada@acme.example"' } },
    status: 200,
    answer: listOf(ADA),
  },
  {
    name: 'looks for one person by an address',
    given: { users: BOTH },
    request: { method: 'GET', path: '/Users', query: { filter: 'emails.value eq "ada@acme.example"' } },
    status: 200,
    answer: listOf(ADA),
  },
  {
    name: 'creates a person',
    request: { method: 'POST', path: '/Users', body: SENT },
    status: 201,
    stored: { new: STORED },
  },
  {
    name: 'creates a person who is there already',
    given: { users: { ada: ADA } },
    request: { method: 'POST', path: '/Users', body: SENT },
    status: 409,
    answer: errorBody(409, 'uniqueness'),
  },
  {
    name: 'changes a person, all of them at once',
    given: { users: { ada: STORED } },
    request: {
      method: 'PUT',
      path: '/Users/{ada}',
      body: {
        ...SENT,
        id: '{ada}',
        name: { givenName: 'Augusta Ada', familyName: 'King' },
        displayName: 'Augusta King',
      },
    },
    status: 200,
    stored: {
      ada: { ...STORED, name: { givenName: 'Augusta Ada', familyName: 'King' }, displayName: 'Augusta King' },
    },
  },
  {
    name: 'changes the address of a person, which is the userName too',
    given: { users: { ada: STORED } },
    request: {
      method: 'PUT',
      path: '/Users/{ada}',
      body: {
        ...SENT,
        userName: 'augusta@acme.example',
        emails: [{ primary: true, value: 'augusta@acme.example', type: 'work' }],
      },
    },
    status: 200,
    stored: {
      ada: {
        ...STORED,
        userName: 'augusta@acme.example',
        emails: [{ primary: true, value: 'augusta@acme.example', type: 'work' }],
      },
    },
  },
  {
    name: 'suspends a person',
    given: { users: { ada: STORED } },
    request: { method: 'PUT', path: '/Users/{ada}', body: { ...SENT, active: false } },
    status: 200,
    stored: { ada: { ...STORED, active: false } },
  },
  {
    name: 'suspends a person with a PATCH',
    given: { users: { ada: STORED } },
    request: {
      method: 'PATCH',
      path: '/Users/{ada}',
      body: patch({ op: 'replace', path: 'active', value: false }),
    },
    status: 200,
    stored: { ada: { ...STORED, active: false } },
  },
  {
    name: 'restores a person',
    given: { users: { ada: { ...STORED, active: false } } },
    request: { method: 'PUT', path: '/Users/{ada}', body: SENT },
    status: 200,
    stored: { ada: STORED },
  },
  {
    name: 'deletes a person for good',
    given: { users: { ada: STORED } },
    request: { method: 'DELETE', path: '/Users/{ada}' },
    status: 204,
    stored: { ada: null },
  },
];

/** It sends `application/json`, whatever the service supports; groups are not provisioned. */
export const GOOGLE: Shape[] = ROWS.map(({ request, ...shape }) => ({
  provider: 'Google Workspace',
  ...shape,
  request: { contentType: 'application/json; charset=UTF-8', ...request },
}));
