import type { ScimRequest } from './scim-connection';
import { ENTERPRISE_URN, GROUP_URN, patch, type Provider, USER_URN } from './scim-shapes/shape';

/** What the identity provider knows of a person. */
export interface Person {
  id: string;
  userName: string;
  email: string;
  givenName: string;
  familyName: string;
  active: boolean;
}

export interface Group {
  id: string;
  displayName: string;
  /** Ids of people. */
  members: readonly string[];
}

/** How an identity provider says things about people. The person is as they shall be. */
export interface Dialect {
  provider: Provider;
  testConnection: ScimRequest;
  lookUp: (person: Person) => ScimRequest;
  create: (person: Person) => ScimRequest;
  rename: (person: Person) => ScimRequest;
  /** Which may be that of the username too. */
  changeEmail: (person: Person) => ScimRequest;
  /** Says whether they are active. */
  activate: (person: Person) => ScimRequest;
  /** Undefined: it deactivates people and leaves it at that. */
  remove?: (person: Person) => ScimRequest;
  /** Undefined: it knows no groups. */
  groups?: GroupDialect;
}

/** How it says things about groups. The group is as it shall be. */
export interface GroupDialect {
  lookUp: (group: Group) => ScimRequest;
  create: (group: Group) => ScimRequest;
  rename: (group: Group) => ScimRequest;
  add: (group: Group, member: string) => ScimRequest;
  leave: (group: Group, member: string) => ScimRequest;
  remove: (group: Group) => ScimRequest;
}

const JSON_TYPE = 'application/json; charset=UTF-8';

const users = (query: Record<string, string>): ScimRequest => ({ method: 'GET', path: '/Users', query });
const groups = (query: Record<string, string>): ScimRequest => ({ method: 'GET', path: '/Groups', query });
const post = (path: string, body: object): ScimRequest => ({ method: 'POST', path, body });
const onUser = (method: ScimRequest['method'], { id }: Person, body?: object): ScimRequest => ({
  method,
  path: `/Users/${id}`,
  body,
});
const onGroup = (method: ScimRequest['method'], { id }: Group, body?: object): ScimRequest => ({
  method,
  path: `/Groups/${id}`,
  body,
});

/** Everything that is known of a person, as most of them send it. */
function profile({ userName, email, givenName, familyName, active }: Person) {
  return {
    schemas: [USER_URN],
    userName,
    name: { givenName, familyName },
    displayName: `${givenName} ${familyName}`,
    emails: [{ primary: true, value: email, type: 'work' }],
    active,
  };
}

const memberList = (group: Group) => group.members.map((value) => ({ value }));
const wholeGroup = (group: Group) => ({
  schemas: [GROUP_URN],
  id: group.id,
  displayName: group.displayName,
  members: memberList(group),
});

/** An integration made by the wizard: everything by PUT. It never deletes a person. */
const OKTA_WIZARD: Dialect = {
  provider: 'Okta',
  testConnection: users({ startIndex: '1', count: '2' }),
  lookUp: ({ userName }) => users({ filter: `userName eq "${userName}"`, startIndex: '1', count: '100' }),
  create: (person) =>
    post('/Users', {
      ...profile(person),
      locale: 'en-US',
      externalId: '00ujl29u0le5',
      groups: [],
      password: '1mz050nq',
    }),
  rename: (person) =>
    onUser('PUT', person, { ...profile(person), id: person.id, externalId: '00ujl29u0le5', locale: 'en-US' }),
  changeEmail: (person) =>
    onUser('PUT', person, { ...profile(person), id: person.id, externalId: '00ujl29u0le5', locale: 'en-US' }),
  activate: (person) =>
    onUser('PUT', person, { ...profile(person), id: person.id, externalId: '00ujl29u0le5', locale: 'en-US' }),
  groups: {
    lookUp: () => groups({ startIndex: '1', count: '100' }),
    create: (group) =>
      post('/Groups', { schemas: [GROUP_URN], displayName: group.displayName, members: memberList(group) }),
    rename: (group) => onGroup('PUT', group, wholeGroup(group)),
    add: (group) => onGroup('PUT', group, wholeGroup(group)),
    leave: (group) => onGroup('PUT', group, wholeGroup(group)),
    remove: (group) => onGroup('DELETE', group),
  },
};

/** Capitals, texts for booleans, one operation for each attribute. */
const ENTRA: Dialect = {
  provider: 'Entra ID',
  testConnection: users({ filter: 'userName eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"' }),
  lookUp: ({ userName }) => users({ filter: `userName eq "${userName}"` }),
  create: (person) =>
    post('/Users', {
      ...profile(person),
      schemas: [USER_URN, ENTERPRISE_URN],
      externalId: `external-of-${person.givenName}`,
      meta: { resourceType: 'User' },
      roles: [],
    }),
  rename: (person) =>
    onUser(
      'PATCH',
      person,
      patch(
        { op: 'Replace', path: 'displayName', value: `${person.givenName} ${person.familyName}` },
        { op: 'Replace', path: 'name.familyName', value: person.familyName },
      ),
    ),
  changeEmail: (person) =>
    onUser(
      'PATCH',
      person,
      patch(
        { op: 'Replace', path: 'userName', value: person.userName },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: person.email },
      ),
    ),
  activate: (person) =>
    onUser('PATCH', person, patch({ op: 'Replace', path: 'active', value: person.active ? 'True' : 'False' })),
  remove: (person) => onUser('DELETE', person),
  groups: {
    lookUp: ({ displayName }) => groups({ excludedAttributes: 'members', filter: `displayName eq "${displayName}"` }),
    create: (group) =>
      post('/Groups', {
        schemas: [GROUP_URN, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: `external-of-${group.displayName}`,
        displayName: group.displayName,
        meta: { resourceType: 'Group' },
      }),
    rename: (group) => onGroup('PATCH', group, patch({ op: 'Replace', path: 'displayName', value: group.displayName })),
    add: (group, member) =>
      onGroup('PATCH', group, patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: member }] })),
    leave: (group, member) =>
      onGroup('PATCH', group, patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: member }] })),
    remove: (group) => onGroup('DELETE', group),
  },
};

/** With the flag: small letters, real booleans, several attributes in one value, members named in the path. */
const ENTRA_FLAG: Dialect = {
  ...ENTRA,
  provider: 'Entra ID (aadOptscim062020)',
  rename: (person) =>
    onUser(
      'PATCH',
      person,
      patch({
        op: 'replace',
        value: {
          displayName: `${person.givenName} ${person.familyName}`,
          'name.familyName': person.familyName,
        },
      }),
    ),
  changeEmail: (person) =>
    onUser(
      'PATCH',
      person,
      patch(
        { op: 'replace', path: 'emails[type eq "work"].value', value: person.email },
        { op: 'replace', value: { userName: person.userName } },
      ),
    ),
  activate: (person) => onUser('PATCH', person, patch({ op: 'replace', path: 'active', value: person.active })),
  groups: ENTRA.groups && {
    ...ENTRA.groups,
    add: (group, member) => onGroup('PATCH', group, patch({ op: 'add', path: 'members', value: [{ value: member }] })),
    leave: (group, member) => onGroup('PATCH', group, patch({ op: 'remove', path: `members[value eq "${member}"]` })),
  },
};

/** `application/json`, two schemas, PUT, and no groups. */
const GOOGLE: Dialect = {
  provider: 'Google Workspace',
  testConnection: { ...users({}), contentType: JSON_TYPE },
  lookUp: ({ userName }) => users({ filter: `userName eq "${userName}"` }),
  create: (person) => ({ ...post('/Users', googleProfile(person)), contentType: JSON_TYPE }),
  rename: (person) => ({ ...onUser('PUT', person, googleProfile(person)), contentType: JSON_TYPE }),
  changeEmail: (person) => ({ ...onUser('PUT', person, googleProfile(person)), contentType: JSON_TYPE }),
  activate: (person) => ({ ...onUser('PUT', person, googleProfile(person)), contentType: JSON_TYPE }),
  remove: (person) => onUser('DELETE', person),
};

function googleProfile(person: Person): object {
  return { ...profile(person), schemas: ['urn:scim:schemas:core:1.0', USER_URN] };
}

/** PUT for people, PATCH for groups, which it takes people out of before it deletes them. */
const ONELOGIN: Dialect = {
  provider: 'OneLogin',
  testConnection: users({ filter: 'userName eq "never-existing-user"' }),
  lookUp: ({ userName }) => users({ filter: `userName eq "${userName}"` }),
  create: (person) => post('/Users', { ...profile(person), id: null, title: '', nickName: null }),
  rename: (person) => onUser('PUT', person, { ...profile(person), id: person.id, title: '' }),
  changeEmail: (person) => onUser('PUT', person, { ...profile(person), id: person.id, title: '' }),
  activate: (person) => onUser('PUT', person, { ...profile(person), id: person.id, title: '' }),
  remove: (person) => onUser('DELETE', person),
  groups: {
    lookUp: () => groups({ count: '100', startIndex: '1' }),
    create: (group) => post('/Groups', { displayName: group.displayName, schemas: [GROUP_URN] }),
    rename: (group) => onGroup('PATCH', group, patch({ value: { displayName: group.displayName }, op: 'replace' })),
    add: (group, member) => onGroup('PATCH', group, patch({ value: [{ value: member }], op: 'add', path: 'members' })),
    leave: (group, member) =>
      onGroup('PATCH', group, patch({ value: [{ value: member }], op: 'remove', path: 'members' })),
    remove: (group) => onGroup('DELETE', group),
  },
};

/** One operation for each attribute; groups are renamed by PUT and otherwise patched. */
const JUMPCLOUD: Dialect = {
  provider: 'JumpCloud',
  testConnection: users({ filter: 'userName eq "jumpcloud.test@acme.example"' }),
  lookUp: ({ userName }) => users({ filter: `userName eq "${userName}"` }),
  create: (person) => post('/Users', { ...profile(person), externalId: '6155b5b1a9b2c3d4e5f60718' }),
  rename: (person) =>
    onUser(
      'PATCH',
      person,
      patch(
        { op: 'replace', path: 'name.familyName', value: person.familyName },
        { op: 'replace', path: 'displayName', value: `${person.givenName} ${person.familyName}` },
      ),
    ),
  changeEmail: (person) =>
    onUser(
      'PATCH',
      person,
      patch(
        { op: 'replace', path: 'userName', value: person.userName },
        { op: 'replace', path: 'emails', value: [{ value: person.email, type: 'work', primary: true }] },
      ),
    ),
  activate: (person) => onUser('PATCH', person, patch({ op: 'replace', path: 'active', value: person.active })),
  remove: (person) => onUser('DELETE', person),
  groups: {
    lookUp: ({ displayName }) => groups({ filter: `displayName eq "${displayName}"` }),
    create: (group) =>
      post('/Groups', { schemas: [GROUP_URN], displayName: group.displayName, members: memberList(group) }),
    rename: (group) => onGroup('PUT', group, wholeGroup(group)),
    add: (group, member) => onGroup('PATCH', group, patch({ op: 'add', path: 'members', value: [{ value: member }] })),
    leave: (group, member) =>
      onGroup('PATCH', group, patch({ op: 'remove', path: 'members', value: [{ value: member }] })),
    remove: (group) => onGroup('DELETE', group),
  },
};

/** An integration of Okta's catalogue: `active` by PATCH, groups by deltas. */
const OKTA_CATALOGUE: Dialect = {
  ...OKTA_WIZARD,
  activate: (person) => onUser('PATCH', person, patch({ op: 'replace', value: { active: person.active } })),
  groups: OKTA_WIZARD.groups && {
    ...OKTA_WIZARD.groups,
    rename: (group) =>
      onGroup('PATCH', group, patch({ op: 'replace', value: { id: group.id, displayName: group.displayName } })),
    add: (group, member) =>
      onGroup(
        'PATCH',
        group,
        patch({ op: 'add', path: 'members', value: [{ value: member, display: 'ada@acme.example' }] }),
      ),
    leave: (group, member) => onGroup('PATCH', group, patch({ op: 'remove', path: `members[value eq "${member}"]` })),
  },
};

export const DIALECTS: readonly [string, Dialect][] = [
  ['Okta, made by the wizard', OKTA_WIZARD],
  ['Okta, from the catalogue', OKTA_CATALOGUE],
  ['Entra ID', ENTRA],
  ['Entra ID with aadOptscim062020', ENTRA_FLAG],
  ['Google Workspace', GOOGLE],
  ['OneLogin', ONELOGIN],
  ['JumpCloud', JUMPCLOUD],
];
