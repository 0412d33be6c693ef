import { USER_URN } from '../urns';
import {
  ADA,
  add,
  BARE,
  differing,
  HOME,
  patched,
  remove,
  replace,
  type Row,
  whole,
  WORK,
} from '../../../../test/support/scim-user';

const PLURAL: Row[] = [
  [
    'adds a value',
    add('emails', [{ value: 'o@acme.example', type: 'other' }]),
    { emails: [WORK, HOME, { value: 'o@acme.example', type: 'other' }] },
  ],
  [
    'adds a single value without a list',
    add('emails', { value: 'o@acme.example' }),
    { emails: [WORK, HOME, { value: 'o@acme.example' }] },
  ],
  ['adds a string', add('roles', 'Admin'), { roles: [{ value: 'Admin' }] }],
  ['adds strings', add('roles', ['Admin', 'Reader', 'Admin']), { roles: [{ value: 'Admin' }, { value: 'Reader' }] }],
  [
    'does not add an existing value again',
    add('emails', [{ value: 'ADA@home.example', type: 'Home' }]),
    { emails: [WORK, { value: 'ADA@home.example', type: 'Home' }] },
  ],
  [
    'adds a missing sub-attribute to an existing value',
    add('emails', [{ ...HOME, display: 'At home' }]),
    { emails: [WORK, { value: HOME.value, display: 'At home', type: 'home' }] },
  ],
  [
    'adds an existing value with another type',
    add('emails', [{ value: HOME.value, type: 'work' }]),
    { emails: [WORK, HOME, { value: HOME.value, type: 'work' }] },
  ],
  ['adds no empty values', [add('emails', []), add('emails', null), add('emails', [{ type: 'other' }])], {}],
  [
    'makes an added primary value the only primary one',
    add('emails', { value: 'o', primary: true }),
    { emails: [{ ...WORK, primary: false }, HOME, { value: 'o', primary: true }] },
  ],
  [
    'moves primary to the value that says so, when the former primary is repeated without it',
    add('emails', [
      { value: WORK.value, type: 'work', display: 'At work' },
      { value: 'o', primary: true },
    ]),
    {
      emails: [
        { value: WORK.value, display: 'At work', type: 'work', primary: false },
        HOME,
        { value: 'o', primary: true },
      ],
    },
  ],
  [
    'keeps the primary value that is repeated without saying so',
    add('emails', [{ value: WORK.value, type: 'work' }]),
    {},
  ],
  [
    'elects a value that is listed twice, once as primary',
    add('emails', [
      { value: 'o', primary: true },
      { value: 'o', display: 'Other' },
    ]),
    { emails: [{ ...WORK, primary: false }, HOME, { value: 'o', display: 'Other', primary: true }] },
  ],
  ['replaces all', replace('emails', [HOME]), { emails: [HOME] }],
  ['replaces all by one string', replace('emails', 'o@acme.example'), { emails: [{ value: 'o@acme.example' }] }],
  ['clears with an empty list', replace('emails', []), { emails: undefined }],
  ['clears with null', replace('emails', null), { emails: undefined }],
  ['removes all', remove('emails'), { emails: undefined }],
  [
    'removes the values it lists',
    { op: 'Remove', path: 'emails', value: [{ value: 'ADA@home.example' }] },
    { emails: [WORK] },
  ],
  ['removes nothing by an empty list', { op: 'remove', path: 'emails', value: [] }, {}],
  [
    'removes nothing of another type',
    { op: 'remove', path: 'emails', value: [{ value: HOME.value, type: 'work' }] },
    {},
  ],
  [
    'removes a sub-attribute of all values',
    remove('emails.type'),
    { emails: [{ value: WORK.value, primary: true }, { value: HOME.value }] },
  ],
  [
    'sets a sub-attribute of the only value',
    [remove('emails[type eq "home"]'), replace('emails.value', 'o')],
    { emails: [{ ...WORK, value: 'o' }] },
  ],
  [
    'accepts a boolean in a value as Entra ID sends it',
    replace('emails', [{ value: 'o', primary: 'True' }]),
    { emails: [{ value: 'o', primary: true }] },
  ],
  ['keeps roles as Entra ID sends them', add('roles', [{ value: '{"id":"9"}' }]), { roles: [{ value: '{"id":"9"}' }] }],
];

const CHOSEN: Row[] = [
  [
    'replaces a sub-attribute',
    replace('emails[type eq "work"].value', 'o'),
    { emails: [{ ...WORK, value: 'o' }, HOME] },
  ],
  [
    'adds a sub-attribute',
    add('emails[type eq "home"].display', 'At home'),
    { emails: [WORK, { value: HOME.value, display: 'At home', type: 'home' }] },
  ],
  [
    'accepts names in any case, and a URN',
    replace(`${USER_URN}:Emails[TYPE Eq "work"].VALUE`, 'o'),
    { emails: [{ ...WORK, value: 'o' }, HOME] },
  ],
  [
    'creates a missing value',
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+41' },
    { phoneNumbers: [{ value: '+41', type: 'mobile' }] },
  ],
  [
    'creates a missing value with replace too',
    { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'CH' },
    { addresses: [{ country: 'CH', type: 'work' }] },
  ],
  [
    'creates a missing value by several operations',
    [replace('phoneNumbers[type eq "fax"].primary', 'True'), replace('phoneNumbers[type eq "fax"].value', '+41')],
    { phoneNumbers: [{ value: '+41', type: 'fax', primary: true }] },
  ],
  [
    'creates a missing value with everything in the filter',
    replace('roles[primary eq "True" and type eq "app"].value', 'Admin'),
    { roles: [{ value: 'Admin', type: 'app', primary: true }] },
  ],
  [
    'creates a missing value from an object',
    add('emails[type eq "other"]', { value: 'o' }),
    { emails: [WORK, HOME, { value: 'o', type: 'other' }] },
  ],
  ['creates no value from a type alone', replace('emails[type eq "other"].primary', false), {}],
  ['leaves other values unchanged for a type alone', replace('emails[type eq "other"].primary', true), {}],
  [
    'creates no value from an empty one',
    [replace('emails[type eq "other"].value', ''), add('emails[type eq "other"]', null)],
    {},
  ],
  [
    'replaces the sub-attributes of a value that are named, and keeps the others, primary too',
    replace('emails[type eq "work"]', { value: 'o' }),
    { emails: [{ ...WORK, value: 'o' }, HOME] },
  ],
  [
    'keeps the address when only another sub-attribute is replaced',
    replace('emails[type eq "work"]', { display: 'At work' }),
    { emails: [{ value: WORK.value, display: 'At work', type: 'work', primary: true }, HOME] },
  ],
  [
    'keeps the sub-attributes with the path as a name in the value',
    whole('replace', { 'emails[type eq "work"]': { value: 'o' } }),
    { emails: [{ ...WORK, value: 'o' }, HOME] },
  ],
  [
    'clears the sub-attributes of a value that are null',
    replace('emails[type eq "work"]', { value: 'o', primary: null }),
    { emails: [{ value: 'o', type: 'work' }, HOME] },
  ],
  ['replaces a value by a string', replace('emails[type eq "work"]', 'o'), { emails: [{ ...WORK, value: 'o' }, HOME] }],
  [
    'gives primary to a replaced value that says so, and takes it from the others',
    replace('emails[type eq "home"]', { value: 'o', primary: true }),
    {
      emails: [
        { ...WORK, primary: false },
        { value: 'o', type: 'home', primary: true },
      ],
    },
  ],
  [
    'adds to a value as a whole',
    add('emails[type eq "work"]', { display: 'At work' }),
    { emails: [{ value: WORK.value, display: 'At work', type: 'work', primary: true }, HOME] },
  ],
  [
    'replaces the same sub-attributes of several values',
    replace('emails[value pr]', { value: 'o' }),
    {
      emails: [
        { ...WORK, value: 'o' },
        { ...HOME, value: 'o' },
      ],
    },
  ],
  [
    'merges values that got the same value and type, and keeps primary',
    [replace('emails', [HOME, WORK]), replace('emails[value pr]', { value: 'o', type: 'work' })],
    { emails: [{ value: 'o', type: 'work', primary: true }] },
  ],
  [
    'makes a value the only primary one',
    replace('emails[type eq "home"].primary', true),
    {
      emails: [
        { ...WORK, primary: false },
        { ...HOME, primary: true },
      ],
    },
  ],
  ['removes values', remove('emails[type eq "work"]'), { emails: [HOME] }],
  [
    'removes values by any filter',
    remove('emails[not (primary eq true) and value ew "HOME.example"]'),
    { emails: [WORK] },
  ],
  ['removes the last value', remove('emails[value pr]'), { emails: undefined }],
  [
    'removes a sub-attribute',
    remove('emails[type eq "work"].primary'),
    { emails: [{ value: WORK.value, type: 'work' }, HOME] },
  ],
  ['removes an entry with its value', remove('emails[type eq "work"].value'), { emails: [HOME] }],
  ['removes an entry with an empty value', replace('emails[type eq "work"].value', ''), { emails: [HOME] }],
  [
    'removes an entry with all its sub-attributes when its value is null',
    [add('emails[type eq "home"].display', 'At home'), replace('emails[type eq "home"].value', null)],
    { emails: [WORK] },
  ],
  ['ignores clearing a missing value', replace('emails[type ne "work" and type ne "home"].value', ''), {}],
  ['removes an entry with null', replace('emails[type eq "work"]', null), { emails: [HOME] }],
  ['ignores the removal of a missing value', [remove('emails[type eq "other"]'), remove('ims[value pr].value')], {}],
];

describe.each([
  ['a list', PLURAL],
  ['values that a filter chooses', CHOSEN],
])('a PATCH of %s', (_group, rows) => {
  it.each(rows)('%s', (_name, operations, after) => {
    const ignored = new Set<string>();
    expect(patched(ADA, [operations].flat(), ignored)).toEqual(differing(ADA, after));
    expect([...ignored]).toEqual([]);
  });

  it('creates the first value of a list from a sub-attribute', () => {
    expect(patched(BARE, [add('emails.value', 'o')])).toEqual(differing(BARE, { emails: [{ value: 'o' }] }));
  });

  it('recognises a value whatever the order in which the database stores its parts', () => {
    const before = differing(BARE, { emails: [{ type: 'home', value: 'h' }, WORK] });
    const operation = replace('emails[type eq "work"]', { value: 'h', type: 'home' });
    expect(patched(before, [operation])).toEqual(
      differing(BARE, { emails: [{ value: 'h', type: 'home', primary: true }] }),
    );
  });
});
