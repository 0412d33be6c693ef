import { ENTERPRISE_URN, USER_URN } from '../urns';
import {
  ADA,
  add,
  BARE,
  differing,
  enterprise,
  HOME,
  patched,
  remove,
  replace,
  type Row,
  whole,
  WORK,
} from '../../../../test/support/scim-user';

const SINGLE: Row[] = [
  ['replaces', replace('title', 'Countess'), { title: 'Countess' }],
  ['replaces an existing value with add too', add('displayName', 'Countess'), { displayName: 'Countess' }],
  ['adds a missing value', add('nickName', 'Enchantress'), { nickName: 'Enchantress' }],
  ['removes', remove('title'), { title: undefined }],
  [
    'removes values stored in columns',
    [remove('externalId'), remove('displayName')],
    { externalId: null, displayName: null },
  ],
  ['ignores the removal of a missing value', remove('nickName'), {}],
  [
    'removes a value whatever value the operation names',
    { op: 'remove', path: 'title', value: 'Other' },
    { title: undefined },
  ],
  ['clears with null', replace('title', null), { title: undefined }],
  [
    'clears with an empty string',
    [replace('title', ''), replace('externalId', '')],
    { externalId: null, title: undefined },
  ],
  ['clears with an empty list', replace('title', []), { title: undefined }],
  [
    'unwraps a single value in a list',
    replace('displayName', [{ $ref: null, value: 'User x' }]),
    { displayName: 'User x' },
  ],
  ['unwraps a single string in a list', replace('displayName', ['User x']), { displayName: 'User x' }],
  ['reads a boolean', replace('active', false), { active: false }],
  ['accepts a boolean as Entra ID sends it', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
  ['accepts a wrapped boolean as Entra ID sends it', replace('active', [{ value: 'False' }]), { active: false }],
  ['renames', replace('userName', 'countess'), { userName: 'countess' }],
  [
    'applies the last of several operations',
    [replace('userName', ''), replace('userName', 'countess')],
    { userName: 'countess' },
  ],
  ['ignores the case of a path', replace('DISPLAYNAME', 'x'), { displayName: 'x' }],
  [
    'accepts a path with the URN of the core schema',
    replace(`${USER_URN}:userName`, 'countess'),
    { userName: 'countess' },
  ],
  ['ignores the case of a URN', replace(`${USER_URN.toUpperCase()}:Title`, 'x'), { title: 'x' }],
];

const COMPLEX: Row[] = [
  [
    'replaces a sub-attribute',
    replace('name.givenName', 'Augusta'),
    { name: { familyName: 'Lovelace', givenName: 'Augusta' } },
  ],
  [
    'adds a sub-attribute',
    add('name.middleName', 'King'),
    { name: { familyName: 'Lovelace', givenName: 'Ada', middleName: 'King' } },
  ],
  ['removes a sub-attribute', remove('name.givenName'), { name: { familyName: 'Lovelace' } }],
  [
    'removes the value with its last sub-attribute',
    [remove('name.givenName'), replace('name.familyName', '')],
    { name: undefined },
  ],
  [
    'keeps sub-attributes that a replacement does not name',
    replace('name', { givenName: 'Augusta' }),
    { name: { familyName: 'Lovelace', givenName: 'Augusta' } },
  ],
  [
    'keeps sub-attributes that an addition does not name',
    add('name', { formatted: 'Ada Lovelace' }),
    { name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' } },
  ],
  ['clears sub-attributes that are null', replace('name', { givenName: null }), { name: { familyName: 'Lovelace' } }],
  ['clears with null', replace('name', null), { name: undefined }],
];

const MANAGER: Row[] = [
  [
    'sets it by a string, with the URN',
    replace(`${ENTERPRISE_URN}:manager`, '2'),
    enterprise({ manager: { value: '2' } }),
  ],
  ['sets it by a string, without the URN', add('manager', '2'), enterprise({ manager: { value: '2' } })],
  [
    'sets it by an object',
    replace(`${ENTERPRISE_URN}:manager`, { value: '2', displayName: 'Mary' }),
    enterprise({ manager: { value: '2' } }),
  ],
  [
    'sets it by a list of one object',
    { op: 'Add', path: 'manager', value: [{ $ref: 'http://x/Users/2', value: '2' }] },
    enterprise({ manager: { value: '2', $ref: 'http://x/Users/2' } }),
  ],
  ['sets it by a list of one string', replace('manager', ['2']), enterprise({ manager: { value: '2' } })],
  ['sets it by the sub-attribute', replace('manager.value', '2'), enterprise({ manager: { value: '2' } })],
  [
    'sets it by the sub-attribute with the URN',
    replace(`${ENTERPRISE_URN}:manager.value`, '2'),
    enterprise({ manager: { value: '2' } }),
  ],
  ['keeps its $ref if set to the same id', replace('manager', '1'), {}],
  [
    'sets it by its $ref alone',
    replace('manager.$ref', '../Users/2'),
    enterprise({ manager: { value: '2', $ref: '../Users/2' } }),
  ],
  ['ignores its displayName in an object', whole('replace', { [`${ENTERPRISE_URN}:manager.displayName`]: 'Mary' }), {}],
  ['removes it with an empty string', replace('manager', ''), enterprise({ manager: undefined })],
  ['removes it with null', replace(`${ENTERPRISE_URN}:manager`, null), enterprise({ manager: undefined })],
  ['removes it with an empty value', replace('manager', { value: '' }), enterprise({ manager: undefined })],
  ['removes it with an empty list', replace('manager', []), enterprise({ manager: undefined })],
  ['removes it with an empty value by its path', replace('manager.value', ''), enterprise({ manager: undefined })],
  ['removes it', remove('manager'), enterprise({ manager: undefined })],
  ['removes it with the URN', remove(`${ENTERPRISE_URN}:manager`), enterprise({ manager: undefined })],
  ['removes it by removing its value', remove('manager.value'), enterprise({ manager: undefined })],
  [
    'removes the extension with its last attribute',
    [remove('manager'), remove(`${ENTERPRISE_URN}:department`)],
    { [ENTERPRISE_URN]: undefined },
  ],
];

const WITHOUT_PATH: Row[] = [
  ['replaces (Okta)', whole('replace', { active: false }), { active: false }],
  [
    'accepts dotted names and URNs (Entra ID)',
    whole('Replace', { displayName: 'x', 'name.givenName': 'Augusta', [`${ENTERPRISE_URN}:department`]: 'Poetry' }),
    {
      displayName: 'x',
      name: { familyName: 'Lovelace', givenName: 'Augusta' },
      ...enterprise({ department: 'Poetry' }),
    },
  ],
  [
    'accepts an object of the extension',
    whole('add', { [ENTERPRISE_URN]: { department: 'Poetry', manager: { value: '2' } } }),
    enterprise({ department: 'Poetry', manager: { value: '2' } }),
  ],
  ['accepts an object of the core schema', whole('add', { [USER_URN]: { title: 'x' } }), { title: 'x' }],
  ['removes the extension with null', whole('replace', { [ENTERPRISE_URN]: null }), { [ENTERPRISE_URN]: undefined }],
  ['adds no extension with null', whole('add', { [ENTERPRISE_URN]: null }), {}],
  [
    'accepts filters in names',
    whole('add', { 'emails[type eq "work"].value': 'o', 'phoneNumbers[type eq "work"].value': '+41' }),
    { emails: [{ ...WORK, value: 'o' }, HOME], phoneNumbers: [{ value: '+41', type: 'work' }] },
  ],
  [
    'sets a complex value before its sub-attributes',
    whole('replace', {
      'emails[type eq "home"].display': 'x',
      emails: [HOME],
      'name.givenName': 'Augusta',
      name: { givenName: 'A' },
    }),
    {
      emails: [{ value: HOME.value, display: 'x', type: 'home' }],
      name: { familyName: 'Lovelace', givenName: 'Augusta' },
    },
  ],
  ['adds to lists', whole('add', { emails: [{ value: 'o' }] }), { emails: [WORK, HOME, { value: 'o' }] }],
  ['replaces lists', whole('replace', { emails: [{ value: 'o' }] }), { emails: [{ value: 'o' }] }],
  [
    'clears with null',
    whole('replace', { title: null, 'name.givenName': null }),
    { title: undefined, name: { familyName: 'Lovelace' } },
  ],
  [
    'ignores read-only attributes',
    whole('replace', {
      schemas: [USER_URN],
      id: '9',
      meta: {},
      groups: [{ value: 'g' }],
      password: 'secret',
      title: 'x',
    }),
    { title: 'x' },
  ],
  [
    'treats an empty path as missing',
    [
      { op: 'replace', path: '', value: { title: 'x' } },
      { op: 'replace', path: null, value: { userType: 'y' } },
    ],
    { title: 'x', userType: 'y' },
  ],
  ['changes nothing with an empty object', whole('replace', {}), {}],
  [
    'accepts the URN of the extension as a path',
    { op: 'replace', path: ENTERPRISE_URN, value: { department: 'Poetry' } },
    enterprise({ department: 'Poetry' }),
  ],
  ['removes the extension by its URN', remove(ENTERPRISE_URN), { [ENTERPRISE_URN]: undefined }],
  ['ignores a password with its path', [replace('password', 'secret'), remove('password')], {}],
  ['ignores it below a former URN', [replace('urn:scim:schemas:core:2.0:User:password', 'secret')], {}],
  ['ignores the addition of schemas', add('schemas', [ENTERPRISE_URN]), {}],
];

describe.each([
  ['a single value', SINGLE],
  ['a complex value', COMPLEX],
  ['the manager', MANAGER],
  ['no path', WITHOUT_PATH],
])('a PATCH of %s', (_group, rows) => {
  it.each(rows)('%s', (_name, operations, after) => {
    const ignored = new Set<string>();
    expect(patched(ADA, [operations].flat(), ignored)).toEqual(differing(ADA, after));
    expect([...ignored]).toEqual([]);
  });
});

describe('a PATCH of a user', () => {
  it('reactivates the user', () => {
    const inactive = { ...ADA, active: false };
    expect(patched(inactive, [replace('active', 'tRuE')])).toEqual(ADA);
  });

  it('creates a complex value from a sub-attribute', () => {
    expect(patched(BARE, [add('name.givenName', 'Ada')])).toEqual(differing(BARE, { name: { givenName: 'Ada' } }));
  });

  it('notes unknown attributes, and applies the rest', () => {
    const ignored = new Set<string>();
    const value = {
      title: 'x',
      shoeSize: 43,
      'name.nick': 'A',
      name: { nick: 'A' },
      [`${ENTERPRISE_URN}:badge`]: '1',
      'urn:acme:User': { badge: 1 },
      'a[b': 2,
      emails: [{ value: 'o', verified: true }],
    };
    const operations = [whole('replace', value), { op: 'replace', path: 'userType', value: 'y', name: 'setType' }];
    expect(patched(ADA, operations, ignored)).toEqual(
      differing(ADA, { title: 'x', userType: 'y', emails: [{ value: 'o' }] }),
    );
    expect([...ignored].sort()).toEqual(
      [
        'shoeSize',
        'name.nick',
        `${ENTERPRISE_URN}:badge`,
        'urn:acme:User',
        'a[b',
        'emails.verified',
        'Operations.name',
      ].sort(),
    );
  });

  it('notes only a limited number of unknown attributes', () => {
    const ignored = new Set<string>();
    const names = Array.from({ length: 500 }, (_, n) => [`${n}${'x'.repeat(1_000)}`, 1]);
    patched(ADA, [whole('add', Object.fromEntries(names))], ignored);
    expect(ignored.size).toBe(101);
    expect(Math.max(...[...ignored].map((name) => name.length))).toBe(201);
  });
});
