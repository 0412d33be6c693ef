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
  ['adds what is there, as replace', add('displayName', 'Countess'), { displayName: 'Countess' }],
  ['adds what is not there', add('nickName', 'Enchantress'), { nickName: 'Enchantress' }],
  ['removes', remove('title'), { title: undefined }],
  ['removes what has a column', [remove('externalId'), remove('displayName')], { externalId: null, displayName: null }],
  ['removes what is not there', remove('nickName'), {}],
  [
    'removes one value whatever it is said to be',
    { op: 'remove', path: 'title', value: 'Other' },
    { title: undefined },
  ],
  ['clears by null', replace('title', null), { title: undefined }],
  [
    'clears by an empty text',
    [replace('title', ''), replace('externalId', '')],
    { externalId: null, title: undefined },
  ],
  ['clears by an empty list', replace('title', []), { title: undefined }],
  [
    'takes one value out of a list',
    replace('displayName', [{ $ref: null, value: 'User x' }]),
    { displayName: 'User x' },
  ],
  ['takes one text out of a list', replace('displayName', ['User x']), { displayName: 'User x' }],
  ['reads a boolean', replace('active', false), { active: false }],
  ['reads a boolean of Entra ID', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
  ['reads a wrapped boolean of Entra ID', replace('active', [{ value: 'False' }]), { active: false }],
  ['renames', replace('userName', 'countess'), { userName: 'countess' }],
  [
    'lets the last operation count',
    [replace('userName', ''), replace('userName', 'countess')],
    { userName: 'countess' },
  ],
  ['does not mind the case of a path', replace('DISPLAYNAME', 'x'), { displayName: 'x' }],
  [
    'reads a path with the URN of the core schema',
    replace(`${USER_URN}:userName`, 'countess'),
    { userName: 'countess' },
  ],
  ['does not mind the case of a URN', replace(`${USER_URN.toUpperCase()}:Title`, 'x'), { title: 'x' }],
];

const COMPLEX: Row[] = [
  ['replaces a part', replace('name.givenName', 'Augusta'), { name: { familyName: 'Lovelace', givenName: 'Augusta' } }],
  [
    'adds a part',
    add('name.middleName', 'King'),
    { name: { familyName: 'Lovelace', givenName: 'Ada', middleName: 'King' } },
  ],
  ['removes a part', remove('name.givenName'), { name: { familyName: 'Lovelace' } }],
  [
    'removes part by part until nothing is left',
    [remove('name.givenName'), replace('name.familyName', '')],
    { name: undefined },
  ],
  [
    'keeps the parts that a replacement does not name',
    replace('name', { givenName: 'Augusta' }),
    { name: { familyName: 'Lovelace', givenName: 'Augusta' } },
  ],
  [
    'keeps the parts that an addition does not name',
    add('name', { formatted: 'Ada Lovelace' }),
    { name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' } },
  ],
  ['clears the parts that are null', replace('name', { givenName: null }), { name: { familyName: 'Lovelace' } }],
  ['clears by null', replace('name', null), { name: undefined }],
];

const MANAGER: Row[] = [
  [
    'by a bare string, with the URN',
    replace(`${ENTERPRISE_URN}:manager`, '2'),
    enterprise({ manager: { value: '2' } }),
  ],
  ['by a bare string, without the URN', add('manager', '2'), enterprise({ manager: { value: '2' } })],
  [
    'by an object',
    replace(`${ENTERPRISE_URN}:manager`, { value: '2', displayName: 'Mary' }),
    enterprise({ manager: { value: '2' } }),
  ],
  [
    'by a list of one',
    { op: 'Add', path: 'manager', value: [{ $ref: 'http://x/Users/2', value: '2' }] },
    enterprise({ manager: { value: '2', $ref: 'http://x/Users/2' } }),
  ],
  ['by a list of one text', replace('manager', ['2']), enterprise({ manager: { value: '2' } })],
  ['by the sub-attribute', replace('manager.value', '2'), enterprise({ manager: { value: '2' } })],
  [
    'by the sub-attribute with the URN',
    replace(`${ENTERPRISE_URN}:manager.value`, '2'),
    enterprise({ manager: { value: '2' } }),
  ],
  ['the same again keeps the address', replace('manager', '1'), {}],
  [
    'by the address alone',
    replace('manager.$ref', '../Users/2'),
    enterprise({ manager: { value: '2', $ref: '../Users/2' } }),
  ],
  ['gets no name in an object', whole('replace', { [`${ENTERPRISE_URN}:manager.displayName`]: 'Mary' }), {}],
  ['goes with an empty text', replace('manager', ''), enterprise({ manager: undefined })],
  ['goes with null', replace(`${ENTERPRISE_URN}:manager`, null), enterprise({ manager: undefined })],
  ['goes with an empty value', replace('manager', { value: '' }), enterprise({ manager: undefined })],
  ['goes with an empty list', replace('manager', []), enterprise({ manager: undefined })],
  ['goes with an empty value by its path', replace('manager.value', ''), enterprise({ manager: undefined })],
  ['goes by a removal', remove('manager'), enterprise({ manager: undefined })],
  ['goes by a removal with the URN', remove(`${ENTERPRISE_URN}:manager`), enterprise({ manager: undefined })],
  ['goes by a removal of the value', remove('manager.value'), enterprise({ manager: undefined })],
  [
    'the extension goes with the last of it',
    [remove('manager'), remove(`${ENTERPRISE_URN}:department`)],
    { [ENTERPRISE_URN]: undefined },
  ],
];

const WITHOUT_PATH: Row[] = [
  ['replaces (Okta)', whole('replace', { active: false }), { active: false }],
  [
    'reads dotted names and URNs (Entra ID)',
    whole('Replace', { displayName: 'x', 'name.givenName': 'Augusta', [`${ENTERPRISE_URN}:department`]: 'Poetry' }),
    {
      displayName: 'x',
      name: { familyName: 'Lovelace', givenName: 'Augusta' },
      ...enterprise({ department: 'Poetry' }),
    },
  ],
  [
    'reads an object of the extension',
    whole('add', { [ENTERPRISE_URN]: { department: 'Poetry', manager: { value: '2' } } }),
    enterprise({ department: 'Poetry', manager: { value: '2' } }),
  ],
  ['reads an object of the core schema', whole('add', { [USER_URN]: { title: 'x' } }), { title: 'x' }],
  ['takes the extension away', whole('replace', { [ENTERPRISE_URN]: null }), { [ENTERPRISE_URN]: undefined }],
  ['adds no extension', whole('add', { [ENTERPRISE_URN]: null }), {}],
  [
    'reads filters',
    whole('add', { 'emails[type eq "work"].value': 'o', 'phoneNumbers[type eq "work"].value': '+41' }),
    { emails: [{ ...WORK, value: 'o' }, HOME], phoneNumbers: [{ value: '+41', type: 'work' }] },
  ],
  [
    'sets the whole before its parts',
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
    'clears by null',
    whole('replace', { title: null, 'name.givenName': null }),
    { title: undefined, name: { familyName: 'Lovelace' } },
  ],
  [
    'passes over what is not the client’s',
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
    'reads an empty path as none',
    [
      { op: 'replace', path: '', value: { title: 'x' } },
      { op: 'replace', path: null, value: { userType: 'y' } },
    ],
    { title: 'x', userType: 'y' },
  ],
  ['sets nothing', whole('replace', {}), {}],
  [
    'reads the URN of the extension as a path',
    { op: 'replace', path: ENTERPRISE_URN, value: { department: 'Poetry' } },
    enterprise({ department: 'Poetry' }),
  ],
  ['removes the extension by its URN', remove(ENTERPRISE_URN), { [ENTERPRISE_URN]: undefined }],
  ['ignores a password by its path', [replace('password', 'secret'), remove('password')], {}],
  ['lets the schemas be added', add('schemas', [ENTERPRISE_URN]), {}],
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

describe('a PATCH', () => {
  it('activates again', () => {
    const inactive = { ...ADA, active: false };
    expect(patched(inactive, [replace('active', 'tRuE')])).toEqual(ADA);
  });

  it('adds the first part of a complex value', () => {
    expect(patched(BARE, [add('name.givenName', 'Ada')])).toEqual(differing(BARE, { name: { givenName: 'Ada' } }));
  });

  it('notes what is in no schema, and does the rest', () => {
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

  it('leaves no more than a bounded trace of nonsense', () => {
    const ignored = new Set<string>();
    const names = Array.from({ length: 500 }, (_, n) => [`${n}${'x'.repeat(1_000)}`, 1]);
    patched(ADA, [whole('add', Object.fromEntries(names))], ignored);
    expect(ignored.size).toBe(101);
    expect(Math.max(...[...ignored].map((name) => name.length))).toBe(201);
  });
});
