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
  WORK,
} from '../../../../test/support/scim-user';

const PLURAL: Row[] = [
  [
    'adds a value',
    add('emails', [{ value: 'o@acme.example', type: 'other' }]),
    { emails: [WORK, HOME, { value: 'o@acme.example', type: 'other' }] },
  ],
  [
    'adds a value without its list',
    add('emails', { value: 'o@acme.example' }),
    { emails: [WORK, HOME, { value: 'o@acme.example' }] },
  ],
  ['adds a text', add('roles', 'Admin'), { roles: [{ value: 'Admin' }] }],
  ['adds texts', add('roles', ['Admin', 'Reader', 'Admin']), { roles: [{ value: 'Admin' }, { value: 'Reader' }] }],
  [
    'adds what is there once only',
    add('emails', [{ value: 'ADA@home.example', type: 'Home' }]),
    { emails: [WORK, { value: 'ADA@home.example', type: 'Home' }] },
  ],
  [
    'adds what is missing to a value that is there',
    add('emails', [{ ...HOME, display: 'At home' }]),
    { emails: [WORK, { value: HOME.value, display: 'At home', type: 'home' }] },
  ],
  [
    'adds a value that is there for another use',
    add('emails', [{ value: HOME.value, type: 'work' }]),
    { emails: [WORK, HOME, { value: HOME.value, type: 'work' }] },
  ],
  ['adds nothing', [add('emails', []), add('emails', null), add('emails', [{ type: 'other' }])], {}],
  [
    'makes the primary value that it adds the only one',
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
  ['replaces all by one text', replace('emails', 'o@acme.example'), { emails: [{ value: 'o@acme.example' }] }],
  ['clears by an empty list', replace('emails', []), { emails: undefined }],
  ['clears by null', replace('emails', null), { emails: undefined }],
  ['removes all', remove('emails'), { emails: undefined }],
  [
    'removes those it lists',
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
    'removes a part of all values',
    remove('emails.type'),
    { emails: [{ value: WORK.value, primary: true }, { value: HOME.value }] },
  ],
  [
    'sets a part of the only value',
    [remove('emails[type eq "home"]'), replace('emails.value', 'o')],
    { emails: [{ ...WORK, value: 'o' }] },
  ],
  [
    'reads a boolean of Entra ID in a value',
    replace('emails', [{ value: 'o', primary: 'True' }]),
    { emails: [{ value: 'o', primary: true }] },
  ],
  [
    'keeps roles of Entra ID as they are',
    add('roles', [{ value: '{"id":"9"}' }]),
    { roles: [{ value: '{"id":"9"}' }] },
  ],
];

const CHOSEN: Row[] = [
  ['replaces a part', replace('emails[type eq "work"].value', 'o'), { emails: [{ ...WORK, value: 'o' }, HOME] }],
  [
    'adds a part',
    add('emails[type eq "home"].display', 'At home'),
    { emails: [WORK, { value: HOME.value, display: 'At home', type: 'home' }] },
  ],
  [
    'reads names in any case, and a URN',
    replace(`${USER_URN}:Emails[TYPE Eq "work"].VALUE`, 'o'),
    { emails: [{ ...WORK, value: 'o' }, HOME] },
  ],
  [
    'makes the value that it does not find',
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+41' },
    { phoneNumbers: [{ value: '+41', type: 'mobile' }] },
  ],
  [
    'makes it by replace too',
    { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'CH' },
    { addresses: [{ country: 'CH', type: 'work' }] },
  ],
  [
    'makes it part by part',
    [replace('phoneNumbers[type eq "fax"].primary', 'True'), replace('phoneNumbers[type eq "fax"].value', '+41')],
    { phoneNumbers: [{ value: '+41', type: 'fax', primary: true }] },
  ],
  [
    'makes it of all that the filter says',
    replace('roles[primary eq "True" and type eq "app"].value', 'Admin'),
    { roles: [{ value: 'Admin', type: 'app', primary: true }] },
  ],
  [
    'makes it as a whole',
    add('emails[type eq "other"]', { value: 'o' }),
    { emails: [WORK, HOME, { value: 'o', type: 'other' }] },
  ],
  ['makes nothing of a type alone', replace('emails[type eq "other"].primary', false), {}],
  ['takes nothing from others for a type alone', replace('emails[type eq "other"].primary', true), {}],
  [
    'makes nothing of nothing',
    [replace('emails[type eq "other"].value', ''), add('emails[type eq "other"]', null)],
    {},
  ],
  [
    'replaces a value as a whole',
    replace('emails[type eq "work"]', { value: 'o' }),
    { emails: [{ value: 'o', type: 'work' }, HOME] },
  ],
  [
    'replaces a value by a text',
    replace('emails[type eq "work"]', 'o'),
    { emails: [{ value: 'o', type: 'work' }, HOME] },
  ],
  [
    'adds to a value as a whole',
    add('emails[type eq "work"]', { display: 'At work' }),
    { emails: [{ value: WORK.value, display: 'At work', type: 'work', primary: true }, HOME] },
  ],
  [
    'replaces several by one',
    replace('emails[value pr]', { value: 'o', primary: true }),
    { emails: [{ value: 'o', primary: true }] },
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
  ['removes a part', remove('emails[type eq "work"].primary'), { emails: [{ value: WORK.value, type: 'work' }, HOME] }],
  ['removes a value with its value', remove('emails[type eq "work"].value'), { emails: [HOME] }],
  ['clears a value with an empty text', replace('emails[type eq "work"].value', ''), { emails: [HOME] }],
  [
    'clears all of a value with its value',
    [add('emails[type eq "home"].display', 'At home'), replace('emails[type eq "home"].value', null)],
    { emails: [WORK] },
  ],
  ['clears what is not there', replace('emails[type ne "work" and type ne "home"].value', ''), {}],
  ['clears a value as a whole with null', replace('emails[type eq "work"]', null), { emails: [HOME] }],
  ['removes what is not there', [remove('emails[type eq "other"]'), remove('ims[value pr].value')], {}],
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

  it('sets a part of a value where there is none', () => {
    expect(patched(BARE, [add('emails.value', 'o')])).toEqual(differing(BARE, { emails: [{ value: 'o' }] }));
  });

  it('knows a value again in whatever order the database keeps its parts', () => {
    const before = differing(BARE, { emails: [{ type: 'home', value: 'h' }, WORK] });
    const operation = replace('emails[type eq "work"]', { value: 'h', type: 'home' });
    expect(patched(before, [operation])).toEqual(differing(BARE, { emails: [{ value: 'h', type: 'home' }] }));
  });
});
