import { ADA, BARE, differing, failureOf, HOME, WORK } from '../../../../test/support/scim-user';
import { ENTERPRISE_URN, USER_URN } from '../urns';
import type { ScimFailure } from '../scim-error';
import { readUser } from './user-reader';

const USER = { schemas: [USER_URN], userName: 'ada' };

type Row = [name: string, sent: Record<string, unknown>, changes: Record<string, unknown>, ignored?: string[]];

const READ: Row[] = [
  ['only a user name', {}, {}],
  ['schemas in another case', { schemas: [USER_URN.toUpperCase()] }, {}],
  ['the schema of the extension', { schemas: [USER_URN, ENTERPRISE_URN] }, {}],
  ['a foreign schema', { schemas: ['urn:acme', USER_URN] }, {}, ['urn:acme']],
  ['names in another case', { USERNAME: 'x', userName: undefined, ACTIVE: false }, { userName: 'x', active: false }],
  ['a name with its URN', { userName: undefined, [`${USER_URN}:userName`]: 'x' }, { userName: 'x' }],
  ['an externalId', { externalId: '00u1' }, { externalId: '00u1' }],
  ['active as a string', { active: 'False' }, { active: false }],
  ['null for active', { active: null }, {}],
  ['a displayName', { displayName: 'Ada' }, { displayName: 'Ada' }],
  ['null for everything else', { externalId: null, displayName: null, title: null, name: null, emails: null }, {}],
  [
    'empty values for everything else',
    { externalId: '', displayName: '', title: '', name: {}, emails: [], addresses: [{}] },
    {},
  ],
  ['a name', { name: { GivenName: 'Ada', familyName: null } }, { name: { givenName: 'Ada' } }],
  [
    'a dotted name',
    { 'name.givenName': 'Ada', name: { familyName: 'L' } },
    { name: { familyName: 'L', givenName: 'Ada' } },
  ],
  ['addresses', { emails: [WORK, HOME] }, { emails: [WORK, HOME] }],
  ['an address without its list', { emails: HOME }, { emails: [HOME] }],
  ['an address as a string', { emails: 'o' }, { emails: [{ value: 'o' }] }],
  ['addresses as strings', { emails: ['o', 'p'] }, { emails: [{ value: 'o' }, { value: 'p' }] }],
  ['an address twice', { emails: [HOME, { type: 'home', value: HOME.value }] }, { emails: [HOME] }],
  [
    'an address without a value',
    { emails: [{ type: 'work', value: null, primary: true }, HOME, null] },
    { emails: [HOME] },
  ],
  ['an address by a filter', { 'emails[type eq "work"].value': 'o' }, { emails: [{ value: 'o', type: 'work' }] }],
  [
    'roles with an unknown sub-attribute, noting it',
    { roles: [{ value: 'x', id: 1 }] },
    { roles: [{ value: 'x' }] },
    ['roles.id'],
  ],
  ['a role without a value', { roles: [{ primary: true, type: 'WindowsAzureActiveDirectoryRole' }] }, {}],
  ['a certificate', { x509Certificates: [{ value: 'MIIC+/8=' }] }, { x509Certificates: [{ value: 'MIIC+/8=' }] }],
  [
    'the extension',
    { [ENTERPRISE_URN]: { department: 'Engines', employeeNumber: '', badge: 1 } },
    { [ENTERPRISE_URN]: { department: 'Engines' } },
    [`${ENTERPRISE_URN}:badge`],
  ],
  [
    'the extension in another case',
    { [ENTERPRISE_URN.toUpperCase()]: { Department: 'x' } },
    { [ENTERPRISE_URN]: { department: 'x' } },
  ],
  ['the extension by its names', { [`${ENTERPRISE_URN}:department`]: 'x' }, { [ENTERPRISE_URN]: { department: 'x' } }],
  ['the extension without its URN', { department: 'x' }, { [ENTERPRISE_URN]: { department: 'x' } }],
  ['an empty extension', { [ENTERPRISE_URN]: {} }, {}],
  ['null for the extension', { [ENTERPRISE_URN]: null }, {}],
  ['a manager by an id', { [ENTERPRISE_URN]: { manager: '1' } }, { [ENTERPRISE_URN]: { manager: { value: '1' } } }],
  [
    'a manager in a list',
    { [ENTERPRISE_URN]: { manager: [{ value: '1', $ref: '../Users/1' }] } },
    { [ENTERPRISE_URN]: { manager: { value: '1', $ref: '../Users/1' } } },
  ],
  [
    'a manager by $ref only',
    { [ENTERPRISE_URN]: { manager: { $ref: '../Users/1' } } },
    { [ENTERPRISE_URN]: { manager: { value: '1', $ref: '../Users/1' } } },
  ],
  [
    'the displayName of a manager without effect',
    { [ENTERPRISE_URN]: { manager: { value: '1', displayName: 'C' } } },
    { [ENTERPRISE_URN]: { manager: { value: '1' } } },
  ],
  ['a manager with only a displayName, without effect', { [ENTERPRISE_URN]: { manager: { displayName: 'C' } } }, {}],
  ['no manager', { [ENTERPRISE_URN]: { manager: '' } }, {}],
  [
    'read-only attributes and a password without effect',
    { id: '9', meta: { version: 'x' }, groups: [{ value: 'g' }], password: 'secret' },
    {},
  ],
  ['a password with the URN', { [`${USER_URN}:password`]: 'secret' }, {}],
  [
    'unknown attributes, noting them',
    { shoeSize: 43, 'name.nick': 'A', 'urn:acme:User': { badge: 1 }, name: { nick: 'A' }, '': 1, 'shoes[0]': 1 },
    {},
    ['shoeSize', 'name.nick', 'urn:acme:User', '', 'shoes[0]'],
  ],
  [
    'inherited names, noting them',
    { constructor: { prototype: { polluted: true } }, toString: 'x', hasOwnProperty: 1 },
    {},
    ['constructor', 'toString', 'hasOwnProperty'],
  ],
  ...[
    ['urn:scim:schemas:core:1.0'],
    ['urn:scim:schemas:core:2.0', 'urn:scim:schemas:extension:enterprise:2.0'],
    ['URN:SCIM:Schemas:Core:2.0:User'],
    ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    [ENTERPRISE_URN],
  ].map((schemas): (typeof READ)[number] => [
    `other schemas of SCIM alone: ${schemas.join()}`,
    { schemas },
    {},
    schemas,
  ]),
  [
    'the extension under its URN in drafts of SCIM 2.0, as OneLogin sends it',
    {
      schemas: ['urn:scim:schemas:core:2.0', 'urn:scim:schemas:extension:enterprise:2.0'],
      'urn:scim:schemas:extension:enterprise:2.0': { department: 'Poetry' },
    },
    { [ENTERPRISE_URN]: { department: 'Poetry' } },
    ['urn:scim:schemas:core:2.0', 'urn:scim:schemas:extension:enterprise:2.0'],
  ],
  [
    'names with URNs of SCIM 1.1',
    { 'urn:scim:schemas:core:1.0:title': 'x', 'urn:scim:schemas:extension:enterprise:1.0:department': 'Poetry' },
    { title: 'x', [ENTERPRISE_URN]: { department: 'Poetry' } },
  ],
];

describe('reading a SCIM user accepts', () => {
  it.each(READ)('%s', (_name, sent, changes, noted = []) => {
    const ignored = new Set<string>();
    const body: unknown = JSON.parse(JSON.stringify({ ...USER, ...sent }));
    expect(readUser(body, ignored)).toEqual(differing(BARE, changes));
    expect([...ignored].sort()).toEqual([...noted].sort());
  });

  it('the name __proto__ without effect', () => {
    const ignored = new Set<string>();
    const body: unknown = JSON.parse(
      `{"schemas":["${USER_URN}"],"userName":"ada","__proto__":{"active":false},"name":{"__proto__":{"x":1}}}`,
    );
    expect(readUser(body, ignored)).toEqual(BARE);
    expect([...ignored]).toEqual(['__proto__', 'name.__proto__']);
    expect(Object.hasOwn(Object.prototype, 'active')).toBe(false);
  });

  it('a missing active, which reactivates nobody in a PUT', () => {
    expect(readUser(USER, new Set(), { active: false }).active).toBe(false);
    expect(readUser({ ...USER, active: null }, new Set(), { active: false }).active).toBe(false);
    expect(readUser({ ...USER, active: true }, new Set(), { active: false }).active).toBe(true);
    expect(readUser(USER, new Set(), ADA).active).toBe(true);
  });
});

const REFUSED: [name: string, ScimFailure, sent: Record<string, unknown>][] = [
  ['no schemas', 'invalidSyntax', { schemas: undefined }],
  ['null for schemas', 'invalidSyntax', { schemas: null }],
  ['empty schemas', 'invalidSyntax', { schemas: [] }],
  ['a schema that is not of SCIM', 'invalidSyntax', { schemas: ['urn:acme:User'] }],
  ['one of several that is not of SCIM', 'invalidSyntax', { schemas: ['urn:scim:schemas:core:2.0', 'urn:acme:User'] }],
  ['a name that only begins like one of SCIM', 'invalidSyntax', { schemas: ['urn:scim:schema'] }],
  [
    'an extension that appears twice under different URNs',
    'invalidSyntax',
    { [ENTERPRISE_URN]: {}, 'urn:scim:schemas:extension:enterprise:2.0': {} },
  ],
  ['a string for schemas', 'invalidSyntax', { schemas: USER_URN }],
  ['a name that appears twice', 'invalidSyntax', { title: 'x', TITLE: 'y' }],
  ['an unknown name that appears twice', 'invalidSyntax', { shoeSize: 1, shoesize: 2 }],
  ['a name that appears twice in different forms', 'invalidSyntax', { [`${USER_URN}:userName`]: 'x' }],
  ['a sub-attribute that appears twice', 'invalidSyntax', { name: { givenName: 'x', GIVENNAME: 'y' } }],
  ['a sub-attribute of a value that appears twice', 'invalidSyntax', { emails: [{ value: 'x', Value: 'y' }] }],
  ['no user name', 'invalidValue', { userName: undefined }],
  ['null for the user name', 'invalidValue', { userName: null }],
  ['an empty user name', 'invalidValue', { userName: '' }],
  ['a blank user name', 'invalidValue', { userName: ' \t' }],
  ['a number for a user name', 'invalidValue', { userName: 7 }],
  ['a user name that is too long', 'invalidValue', { userName: 'x'.repeat(513) }],
  ['a number for an externalId', 'invalidValue', { externalId: 7 }],
  ['an externalId that is too long', 'invalidValue', { externalId: 'x'.repeat(513) }],
  ['another string for active', 'invalidValue', { active: 'yes' }],
  ['an empty string for active', 'invalidValue', { active: '' }],
  ['a string for a name', 'invalidValue', { name: 'Ada' }],
  ['a number for addresses', 'invalidValue', { emails: 7 }],
  ['a number for an address', 'invalidValue', { emails: [{ value: 7 }] }],
  ['an object for an address', 'invalidValue', { emails: [{ value: { value: 'x' } }] }],
  ['two primary addresses', 'invalidValue', { emails: [WORK, { ...HOME, primary: 'True' }] }],
  ['a string for the extension', 'invalidValue', { [ENTERPRISE_URN]: 'x' }],
  ['an invalid certificate', 'invalidValue', { x509Certificates: [{ value: '-----BEGIN CERTIFICATE-----' }] }],
  ['an invalid filter', 'invalidFilter', { 'emails[type is "work"].value': 'x' }],
];

describe('reading a SCIM user rejects', () => {
  it.each(REFUSED)('%s: %s', (_name, failure, sent) => {
    const body: unknown = JSON.parse(JSON.stringify({ ...USER, ...sent }));
    expect(failureOf(() => readUser(body, new Set()))).toBe(failure);
  });

  it.each([undefined, null, [], 'x', 7, true])('%j for a body', (body) => {
    expect(failureOf(() => readUser(body, new Set()))).toBe('invalidSyntax');
  });

  it('a wrong value with its path in the error', () => {
    expect(() => readUser({ ...USER, [ENTERPRISE_URN]: { manager: { value: true } } }, new Set())).toThrow(
      `${ENTERPRISE_URN}:manager.value must be a string.`,
    );
  });
});
