import { OKTA_GROUPS } from './okta-groups';
import {
  ADA,
  BOTH,
  ENGINEERS,
  enterprise,
  ENTERPRISE_URN,
  errorBody,
  GRACE,
  listOf,
  patch,
  type Shape,
  USER_URN,
  WITH_ADA,
} from './shape';

type Row = Omit<Shape, 'provider'>;

/** What Okta makes of a person; the password is a placeholder, with password sync switched off too. */
const CREATE = {
  schemas: [USER_URN],
  userName: 'ada@acme.example',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ primary: true, value: 'ada@acme.example', type: 'work' }],
  displayName: 'Ada Lovelace',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};
const { groups: _groups, password: _password, ...CREATED } = CREATE;

/** A PUT begins with what a GET gave. */
const READ_BACK = { id: '{ada}', ...ADA, meta: { resourceType: 'User', location: '{base}/Users/{ada}' } };

const USERS: Row[] = [
  {
    name: 'tests the connection',
    request: { method: 'GET', path: '/Users', query: { startIndex: '1', count: '2' } },
    status: 200,
    answer: listOf(),
  },
  {
    name: 'looks whether the person is there, and they are not',
    given: { users: { grace: GRACE } },
    request: {
      method: 'GET',
      path: '/Users',
      query: { filter: 'userName eq "ada@acme.example"', startIndex: '1', count: '100' },
    },
    status: 200,
    answer: listOf(),
  },
  {
    name: 'looks whether the person is there, and they are, written in capitals',
    given: { users: BOTH },
    request: {
      method: 'GET',
      path: '/Users',
      query: { filter: 'userName eq "ADA@ACME.example"', startIndex: '1', count: '100' },
    },
    status: 200,
    answer: listOf(ADA),
  },
  {
    name: 'creates a person, with a placeholder for the password and an empty list of groups',
    request: { method: 'POST', path: '/Users', body: CREATE },
    status: 201,
    stored: { new: CREATED },
  },
  {
    name: 'creates a person with many attributes of the default profile',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        ...enterprise(CREATE, {
          employeeNumber: '701984',
          costCenter: '4130',
          organization: 'Acme',
          division: 'Theatre',
          department: 'Tour operations',
          manager: { value: '00u9', displayName: 'Charles Babbage' },
        }),
        nickName: 'Countess',
        title: 'Analyst',
        userType: 'Employee',
        preferredLanguage: 'en',
        timezone: 'Europe/London',
        phoneNumbers: [{ value: '+44 20 7946 0000', type: 'work', primary: true }],
        addresses: [
          { type: 'work', streetAddress: '12 St James Square', locality: 'London', country: 'GB', primary: true },
        ],
      },
    },
    status: 201,
    stored: {
      new: {
        ...enterprise(CREATED, {
          employeeNumber: '701984',
          costCenter: '4130',
          organization: 'Acme',
          division: 'Theatre',
          department: 'Tour operations',
          manager: { value: '00u9' },
        }),
        nickName: 'Countess',
        title: 'Analyst',
        userType: 'Employee',
        preferredLanguage: 'en',
        timezone: 'Europe/London',
        phoneNumbers: [{ value: '+44 20 7946 0000', type: 'work', primary: true }],
        addresses: [
          { type: 'work', streetAddress: '12 St James Square', locality: 'London', country: 'GB', primary: true },
        ],
      },
    },
  },
  {
    name: 'creates a person with roles and entitlements that its own profile names, which give no role here',
    request: {
      method: 'POST',
      path: '/Users',
      body: {
        ...CREATE,
        roles: [{ type: 'base', primary: true, value: 'OWNER' }],
        entitlements: [{ type: 'license', value: 'full' }],
      },
    },
    status: 201,
    stored: {
      new: {
        ...CREATED,
        roles: [{ type: 'base', primary: true, value: 'OWNER' }],
        entitlements: [{ type: 'license', value: 'full' }],
      },
    },
  },
  {
    name: 'creates a person who is there already',
    given: { users: { ada: ADA } },
    request: { method: 'POST', path: '/Users', body: { ...CREATE, userName: 'Ada@acme.example' } },
    status: 409,
    answer: errorBody(409, 'uniqueness'),
  },
  {
    name: 'reads a person before changing them',
    given: { users: { ada: ADA } },
    request: { method: 'GET', path: '/Users/{ada}' },
    status: 200,
  },
  {
    name: 'changes the profile of a person (wizard: PUT of everything it read)',
    given: { users: { ada: ADA } },
    request: {
      method: 'PUT',
      path: '/Users/{ada}',
      body: {
        ...READ_BACK,
        name: { givenName: 'Augusta Ada', middleName: 'King', familyName: 'Lovelace' },
        emails: [{ primary: true, value: 'ada.king@acme.example', type: 'work', display: 'ada.king@acme.example' }],
        groups: [],
      },
    },
    status: 200,
    stored: {
      ada: {
        ...ADA,
        name: { givenName: 'Augusta Ada', middleName: 'King', familyName: 'Lovelace' },
        emails: [{ primary: true, value: 'ada.king@acme.example', type: 'work', display: 'ada.king@acme.example' }],
      },
    },
  },
  {
    name: 'changes a person and sends the groups they are in along, which a user does not decide (wizard)',
    given: {
      users: { ada: ADA },
      groups: { engineers: WITH_ADA, idle: { ...ENGINEERS, externalId: 'i', displayName: 'Idle' } },
    },
    request: {
      method: 'PUT',
      path: '/Users/{ada}',
      body: { ...READ_BACK, title: 'Analyst', groups: [{ value: '{idle}', display: 'Idle' }] },
    },
    status: 200,
    stored: {
      ada: {
        ...ADA,
        title: 'Analyst',
        groups: [{ value: '{engineers}', $ref: '{base}/Groups/{engineers}', display: 'Engineers', type: 'direct' }],
      },
    },
  },
  {
    name: 'takes an attribute away by leaving it out (wizard)',
    given: { users: { ada: enterprise({ ...ADA, title: 'Analyst' }, { department: 'Research' }) } },
    request: { method: 'PUT', path: '/Users/{ada}', body: READ_BACK },
    status: 200,
    stored: { ada: ADA },
  },
  {
    name: 'changes the username (wizard)',
    given: { users: { ada: ADA } },
    request: { method: 'PUT', path: '/Users/{ada}', body: { ...READ_BACK, userName: 'ada.king@acme.example' } },
    status: 200,
    stored: { ada: { ...ADA, userName: 'ada.king@acme.example' } },
  },
  {
    name: 'deactivates a person (wizard)',
    given: { users: { ada: ADA } },
    request: { method: 'PUT', path: '/Users/{ada}', body: { ...READ_BACK, active: false } },
    status: 200,
    stored: { ada: { ...ADA, active: false } },
  },
  {
    name: 'deactivates a person (catalogue: a PATCH without a path)',
    given: { users: { ada: ADA } },
    request: { method: 'PATCH', path: '/Users/{ada}', body: patch({ op: 'replace', value: { active: false } }) },
    status: 200,
    stored: { ada: { ...ADA, active: false } },
  },
  {
    name: 'reactivates a person (catalogue)',
    given: { users: { ada: { ...ADA, active: false } } },
    request: { method: 'PATCH', path: '/Users/{ada}', body: patch({ op: 'replace', value: { active: true } }) },
    status: 200,
    stored: { ada: ADA },
  },
  {
    name: 'syncs the password (catalogue), which is nobody’s business here',
    given: { users: { ada: ADA } },
    request: {
      method: 'PATCH',
      path: '/Users/{ada}',
      body: patch({ op: 'replace', value: { password: 'correct horse battery staple' } }),
    },
    status: 200,
    stored: { ada: ADA },
  },
  {
    name: 'changes several attributes at once (catalogue)',
    given: { users: { ada: ADA } },
    request: {
      method: 'PATCH',
      path: '/Users/{ada}',
      body: patch({
        op: 'replace',
        value: {
          name: { givenName: 'Augusta' },
          title: 'Analyst',
          [ENTERPRISE_URN]: { department: 'Research' },
        },
      }),
    },
    status: 200,
    stored: {
      ada: enterprise(
        { ...ADA, name: { givenName: 'Augusta', familyName: 'Lovelace' }, title: 'Analyst' },
        { department: 'Research' },
      ),
    },
  },
  {
    name: 'imports people page by page',
    given: { users: BOTH },
    request: { method: 'GET', path: '/Users', query: { startIndex: '2', count: '100' } },
    status: 200,
    answer: { ...listOf(GRACE), totalResults: 2, startIndex: 2 },
  },
];

/** After the SCIM 2.0 reference of Okta and real requests in issue trackers. */
export const OKTA: Shape[] = [...USERS, ...OKTA_GROUPS].map(({ request, ...shape }) => ({
  provider: 'Okta',
  ...shape,
  request: { contentType: 'application/scim+json; charset=utf-8', ...request },
}));
