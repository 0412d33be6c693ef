import { ADA, BOTH, enterprise, ENTERPRISE_URN, errorBody, GRACE, listOf, type Shape, USER_URN } from './shape';

type Row = Omit<Shape, 'provider'>;

const LOOKUPS: Row[] = [
  {
    name: 'tests the connection with a GUID that nobody has',
    given: { users: { grace: GRACE } },
    request: {
      method: 'GET',
      path: '/Users',
      query: { filter: 'userName eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"' },
    },
    status: 200,
    answer: listOf(),
  },
  {
    name: 'matches a person by userName, who is inactive and must be found all the same',
    given: { users: { ada: { ...ADA, active: false } } },
    request: { method: 'GET', path: '/Users', query: { filter: 'userName eq "ada@acme.example"' } },
    status: 200,
    answer: listOf({ ...ADA, active: false }),
  },
  {
    name: 'matches a person by externalId',
    given: { users: BOTH },
    request: { method: 'GET', path: '/Users', query: { filter: 'externalId eq "ext-grace"' } },
    status: 200,
    answer: listOf(GRACE),
  },
  {
    name: 'matches a person by the address at work',
    given: { users: BOTH },
    request: {
      method: 'GET',
      path: '/Users',
      query: { filter: 'emails[type eq "work"].value eq "Grace@ACME.example"' },
    },
    status: 200,
    answer: listOf(GRACE),
  },
  {
    name: 'does not take an address at home for the one at work',
    given: { users: { ada: { ...ADA, emails: [{ value: 'ada@home.example', type: 'home' }, ...ADA.emails] } } },
    request: {
      method: 'GET',
      path: '/Users',
      query: { filter: 'emails[type eq "work"].value eq "ada@home.example"' },
    },
    status: 200,
    answer: listOf(),
  },
  {
    name: 'asks whether somebody is the manager, with the id and nothing else in the answer',
    given: { users: { ada: enterprise(ADA, { manager: { value: 'boss-1' } }), grace: GRACE } },
    request: {
      method: 'GET',
      path: '/Users',
      query: { filter: `id eq "{ada}" and ${ENTERPRISE_URN}:manager eq "boss-1"`, attributes: 'id' },
    },
    status: 200,
    answer: listOf({ schemas: [USER_URN] }),
  },
];

const CREATES: Row[] = [
  {
    name: 'creates a person, with an empty list of roles and a resource type in meta',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        schemas: [USER_URN, ENTERPRISE_URN],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'ada@acme.example',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'ada@acme.example' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
        roles: [],
      },
    },
    status: 201,
    stored: {
      new: {
        schemas: [USER_URN],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'ada@acme.example',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'ada@acme.example' }],
        name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      },
    },
  },
  {
    name: 'creates a person with null for what the directory does not know, some of it in the wrong place',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        schemas: [USER_URN, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0User'],
        externalId: 'jyoung',
        userName: 'jyoung@acme.example',
        active: true,
        addresses: null,
        displayName: 'Joy Young',
        emails: [{ type: 'work', value: 'jyoung@acme.example', primary: true }],
        meta: { resourceType: 'User' },
        name: { familyName: 'Young', givenName: 'Joy' },
        phoneNumbers: null,
        preferredLanguage: null,
        title: null,
        department: null,
        manager: null,
      },
    },
    status: 201,
    stored: {
      new: {
        schemas: [USER_URN],
        externalId: 'jyoung',
        userName: 'jyoung@acme.example',
        active: true,
        displayName: 'Joy Young',
        emails: [{ type: 'work', value: 'jyoung@acme.example', primary: true }],
        name: { familyName: 'Young', givenName: 'Joy' },
      },
    },
  },
  {
    name: 'creates a person with every attribute of its default mapping',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        ...enterprise(ADA, { department: 'Research', employeeNumber: '1815', manager: 'boss-1' }),
        title: 'Analyst',
        preferredLanguage: 'en-GB',
        phoneNumbers: [
          { type: 'fax', value: '55555555551' },
          { type: 'mobile', value: '55555555552' },
          { type: 'work', value: '55555555553' },
        ],
        addresses: [
          { type: 'work', postalCode: 'SW1Y', streetAddress: '12 St James Square', locality: 'London', country: 'GB' },
          { type: 'other', formatted: '18/2111' },
        ],
      },
    },
    status: 201,
    stored: {
      new: {
        ...enterprise(ADA, { department: 'Research', employeeNumber: '1815', manager: { value: 'boss-1' } }),
        title: 'Analyst',
        preferredLanguage: 'en-GB',
        phoneNumbers: [
          { type: 'fax', value: '55555555551' },
          { type: 'mobile', value: '55555555552' },
          { type: 'work', value: '55555555553' },
        ],
        addresses: [
          { type: 'work', postalCode: 'SW1Y', streetAddress: '12 St James Square', locality: 'London', country: 'GB' },
          { type: 'other', formatted: '18/2111' },
        ],
      },
    },
  },
  {
    name: 'creates a person whose active is a string',
    request: { method: 'POST', path: '/Users', body: { ...ADA, active: 'False' } },
    status: 201,
    stored: { new: { ...ADA, active: false } },
  },
  {
    name: 'creates a person whose externalId another one has',
    given: { users: { ada: ADA } },
    request: { method: 'POST', path: '/Users', body: { ...GRACE, externalId: 'ext-ada' } },
    status: 409,
    answer: errorBody(409, 'uniqueness'),
  },
];

/** How it finds and makes people, after the provisioning tutorials of Microsoft. */
export const ENTRA_CREATES: Shape[] = [...LOOKUPS, ...CREATES].map((shape) => ({ provider: 'Entra ID', ...shape }));
