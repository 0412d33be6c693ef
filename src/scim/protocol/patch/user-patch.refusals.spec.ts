import { LIMITS } from '../limits';
import { readUser } from '../users/user-reader';
import { USER_TYPE } from '../schema/user-schema';
import { ENTERPRISE_URN, USER_URN } from '../urns';
import type { ScimFailure } from '../scim-error';
import {
  ADA,
  add,
  BARE,
  failureOf,
  HOME,
  type Operation,
  PATCH_URN,
  patched,
  remove,
  replace,
  whole,
  WORK,
} from '../../../../test/support/scim-user';
import { patchUser } from './user-patch';

const REFUSED: [name: string, ScimFailure, Operation | Operation[]][] = [
  ['an unknown path', 'invalidPath', replace('shoeSize', 1)],
  ['an unknown sub-attribute', 'invalidPath', replace('name.nick', 'x')],
  ['an unknown sub-attribute of a value', 'invalidPath', replace('emails[type eq "work"].nick', 'x')],
  ['an attribute of another schema', 'invalidPath', replace('members', [])],
  ['a path of another schema', 'invalidPath', replace('urn:acme:User:badge', 'x')],
  ['a path that is not a string', 'invalidPath', { op: 'replace', path: 1, value: 'x' }],
  ['a malformed path', 'invalidPath', replace('emails[type eq "work"]]', 'x')],
  ['a path that is too long', 'invalidPath', remove(`emails[value eq "${'x'.repeat(LIMITS.filterLength)}"]`)],
  ['a filter on an attribute that is not a list', 'invalidPath', replace('name[givenName eq "Ada"].familyName', 'x')],
  ['a filter on a single value', 'invalidPath', remove('title[value eq "x"]')],
  ['a filter on an unknown attribute', 'invalidPath', remove('shoes[value eq "x"]')],
  ['an unknown operator', 'invalidFilter', remove('emails[type is "work"]')],
  ['a filter by an unknown name', 'invalidFilter', remove('ims[colour eq "red"]')],
  ['a filter by an unknown name on a missing list', 'invalidFilter', add('ims[colour eq "red"].value', 'x')],
  ['the prototype', 'invalidPath', replace('__proto__', { polluted: true })],
  ['a property of the prototype', 'invalidPath', replace('__proto__.polluted', true)],
  ['the constructor', 'invalidPath', add('constructor.prototype', { polluted: true })],
  ['an inherited name', 'invalidPath', add('toString', 'x')],
  ['an inherited name as a sub-attribute', 'invalidPath', add('name.__proto__', 'x')],
  ['an inherited name as a sub-attribute of a value', 'invalidPath', add('emails[type eq "work"].constructor', 'x')],
  ['an inherited name in a filter', 'invalidFilter', add('emails[__proto__ eq "work"].value', 'x')],
  ['a sub-attribute of several values without a filter', 'invalidPath', replace('emails.value', 'x')],
  ['a removal without a path', 'noTarget', { op: 'remove' }],
  ['a removal without a path but with a value', 'noTarget', { op: 'remove', value: { title: 'x' } }],
  [
    'a filter without a match, from which no value can be created',
    'noTarget',
    replace('emails[type ne "work" and type ne "home"].value', 'x'),
  ],
  ['a filter that the created value would not match', 'noTarget', replace('emails[value eq "x"].value', 'y')],
  ['a filter for a missing value', 'noTarget', replace('emails[value eq "old@acme.example"].primary', true)],
  ['an addition to a missing value', 'noTarget', add('emails[value eq "old@acme.example"].type', 'work')],
  [
    'a filter for a missing value of a type',
    'noTarget',
    replace('emails[type eq "work" and value eq "o"].display', 'Work'),
  ],
  ['a missing value as a whole', 'noTarget', replace('emails[value eq "old@acme.example"]', { type: 'work' })],
  ['an address filtered by country', 'noTarget', add('addresses[type eq "work" and country eq "CH"].locality', 'Bern')],
  ['a filter without a match, with an alternative', 'noTarget', add('ims[type eq "a" or type eq "b"].value', 'x')],
  ['a filter that nothing can match', 'noTarget', add('ims[type eq "a" and type eq "b"].value', 'x')],
  ['a filter without a match, by a substring', 'noTarget', add('ims[type co "a"].value', 'x')],
  ['a filter without a match, by null', 'noTarget', add('ims[type eq null].value', 'x')],
  ['the id', 'mutability', replace('id', 'x')],
  ['the groups', 'mutability', add('groups', [{ value: 'g' }])],
  ['the name of the manager', 'mutability', replace('manager.displayName', 'Mary')],
  ['one of the groups', 'mutability', remove('groups[value eq "g"]')],
  ['a sub-attribute of meta', 'mutability', replace('meta.version', 'x')],
  ['a removal of the user name', 'mutability', remove('userName')],
  ['a removal of active', 'mutability', remove('active')],
  ['a removal of the schemas', 'mutability', remove('schemas')],
  ['a removal of the core schema', 'mutability', remove(USER_URN)],
  ['an empty user name', 'invalidValue', replace('userName', '')],
  ['a blank user name', 'invalidValue', replace('userName', '  ')],
  ['null for the user name', 'invalidValue', replace('userName', null)],
  ['null for active', 'invalidValue', replace('active', null)],
  ['an empty string for active', 'invalidValue', replace('active', '')],
  ['a number for active', 'invalidValue', replace('active', 0)],
  ['another string for active', 'invalidValue', replace('active', 'inactive')],
  ['a number for a string', 'invalidValue', replace('externalId', 7)],
  ['an object for a string', 'invalidValue', replace('title', { value: 'x' })],
  ['two values for a single-valued attribute', 'invalidValue', replace('title', ['x', 'y'])],
  ['two managers', 'invalidValue', replace('manager', [{ value: '1' }, { value: '2' }])],
  ['a string for an object', 'invalidValue', replace('name', 'Ada')],
  ['a list for an object', 'invalidValue', replace('name', [{ givenName: 'x' }, { givenName: 'y' }])],
  ['a string for an address', 'invalidValue', add('addresses', 'Zürich')],
  ['a number in a list', 'invalidValue', add('emails', [7])],
  ['two primary values', 'invalidValue', replace('emails', [WORK, { ...HOME, primary: true }])],
  ['two values made primary', 'invalidValue', replace('emails[value pr].primary', true)],
  ['invalid base64', 'invalidValue', add('x509Certificates', [{ value: 'not base64!' }])],
  ['a string that is too long', 'invalidValue', replace('title', 'x'.repeat(65_537))],
  ['a user name that is too long', 'invalidValue', replace('userName', 'x'.repeat(513))],
  ['an address that is too long', 'invalidValue', replace('emails[type eq "work"].value', 'x'.repeat(513))],
  [
    'too many values',
    'invalidValue',
    add(
      'roles',
      Array.from({ length: 1_001 }, (_, n) => `r${n}`),
    ),
  ],
  [
    'too many values together with existing ones',
    'invalidValue',
    add(
      'emails',
      Array.from({ length: 999 }, (_, n) => `e${n}`),
    ),
  ],
  [
    'a user that is too long',
    'invalidValue',
    add(
      'roles',
      Array.from({ length: 9 }, (_, n) => `${n}`.repeat(32_000)),
    ),
  ],
  ['a missing value', 'invalidValue', { op: 'replace', path: 'title' }],
  ['a value without a path that is not an object', 'invalidValue', { op: 'replace', value: 'x' }],
  ['a list without a path', 'invalidValue', { op: 'add', value: [{ title: 'x' }] }],
  ['an extension that is not an object', 'invalidValue', whole('replace', { [ENTERPRISE_URN]: 'x' })],
  ['a name that appears twice', 'invalidSyntax', whole('replace', { title: 'x', Title: 'y' })],
  [
    'a name that appears twice in different forms',
    'invalidSyntax',
    whole('replace', { title: 'x', [`${USER_URN}:title`]: 'y' }),
  ],
  ['a sub-attribute that appears twice', 'invalidSyntax', replace('name', { givenName: 'x', GivenName: 'y' })],
  ['an op that appears twice', 'invalidSyntax', { op: 'add', OP: 'remove', path: 'title', value: 'x' }],
  ['an unknown op', 'invalidSyntax', { op: 'move', path: 'title', value: 'x' }],
  ['no op', 'invalidSyntax', { path: 'title', value: 'x' }],
  [
    'more operations than the limit',
    'tooMany',
    Array.from({ length: LIMITS.patchOperations + 1 }, () => remove('title')),
  ],
];

describe('a PATCH of a user with', () => {
  it.each(REFUSED)('%s is %s', (_name, failure, operations) => {
    const before = structuredClone(ADA);
    expect(failureOf(() => patched(before, [operations].flat()))).toBe(failure);
    // All or nothing: operations before the error have changed nothing either.
    expect(
      failureOf(() => patched(before, [replace('title', 'x'), add('roles', 'o'), operations].flat())),
    ).toBeDefined();
    expect(before).toEqual(ADA);
  });

  it('one bad operation names it in the error', () => {
    expect(() => patched(ADA, [replace('title', 'x'), replace('shoeSize', 1)])).toThrow(
      'Operations[1]: No attribute has the path "shoeSize".',
    );
  });

  it('more than can be compared is tooMany', () => {
    const values = Array.from({ length: 1_000 }, (_, n) => ({ value: `${n}` }));
    const operations = [add('roles', values), ...Array.from({ length: 999 }, () => remove('roles[value eq "x"]'))];
    expect(failureOf(() => patched(ADA, operations))).toBe('tooMany');
    expect(failureOf(() => patched(ADA, operations.slice(0, 40)))).toBeUndefined();
  });

  it('long values reaches that limit sooner', () => {
    const long = patched(BARE, [
      add(
        'roles',
        ['a', 'b', 'c'].map((one) => one.repeat(65_000)),
      ),
    ]);
    const operations = Array.from({ length: 1_000 }, () => remove('roles[value co "xyz" or value co "zyx"]'));
    expect(failureOf(() => patched(long, operations))).toBe('tooMany');
  });

  it('more attributes in one value than an object can have is invalidSyntax', () => {
    const entries = Array.from({ length: 2_600 }, (_, n) => [`roles[value eq "${n}"].display`, null]);
    expect(failureOf(() => patched(ADA, [whole('add', Object.fromEntries(entries))]))).toBe('invalidSyntax');
  });
});

describe('the body of a SCIM PATCH', () => {
  const operations = [{ op: 'replace', path: 'title', value: 'x' }];

  it.each([
    ['without schemas', { Operations: operations }],
    ['with empty schemas', { schemas: [], Operations: operations }],
    [
      'with names in another case',
      { SCHEMAS: [PATCH_URN], operations: [{ OP: 'Replace', Path: 'title', VALUE: 'x' }] },
    ],
    ['with a URN in another case', { schemas: [PATCH_URN.toLowerCase()], Operations: operations }],
    ['with the schema of the resource', { schemas: [USER_URN], Operations: operations }],
    ['with a schema of SCIM 1.1', { schemas: ['urn:scim:schemas:core:1.0'], Operations: operations }],
  ])('is accepted %s', (_name, body) => {
    expect(patchUser(ADA, body, new Set()).attributes.title).toBe('x');
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a list', operations],
    ['a string', 'replace'],
    ['an empty object', {}],
    ['an object instead of a list', { Operations: { op: 'replace' } }],
    ['an empty list', { Operations: [] }],
    ['a list of strings', { Operations: ['replace'] }],
    ['two lists', { Operations: operations, operations }],
    ['a message that is not of SCIM', { schemas: ['urn:acme:PatchOp'], Operations: operations }],
    ['schemas that are not a list', { schemas: PATCH_URN, Operations: operations }],
    ['schemas that are not strings', { schemas: [1], Operations: operations }],
  ])('cannot be %s', (_name, body) => {
    expect(failureOf(() => patchUser(ADA, body, new Set()))).toBe('invalidSyntax');
  });

  it('can have unknown fields, which are noted', () => {
    const ignored = new Set<string>();
    patchUser(ADA, { schemas: [PATCH_URN, 'urn:acme'], Operations: operations, comment: 'x' }, ignored);
    expect(ignored).toEqual(new Set(['urn:acme', 'comment']));
  });

  it('can name only the schema of the resource, which is noted', () => {
    const ignored = new Set<string>();
    patchUser(ADA, { schemas: [USER_URN], Operations: operations }, ignored);
    expect(ignored).toEqual(new Set([USER_URN]));
  });
});

describe('a number in a SCIM request', () => {
  const texts = [USER_TYPE.schema, ...USER_TYPE.extensions]
    .flatMap(({ attributes }) => attributes)
    .flatMap((attribute): string[] => {
      if (attribute.mutability === 'readOnly') return [];
      if (!attribute.subAttributes) return attribute.type === 'boolean' ? [] : [attribute.name];
      const subs = attribute.subAttributes.filter(
        ({ type, mutability }) => type !== 'boolean' && mutability !== 'readOnly',
      );
      return subs.map((sub) => `${attribute.name}${attribute.multiValued ? '[primary eq true]' : ''}.${sub.name}`);
    });

  it.each(texts)('is not accepted as text: %s', (path) => {
    for (const value of [7, 0, 1.5]) {
      expect(failureOf(() => patched(ADA, [replace(path, value)]))).toBe('invalidValue');
      expect(failureOf(() => patched(ADA, [{ op: 'add', value: { [path]: value } }]))).toBe('invalidValue');
      const body = { schemas: [USER_URN], userName: 'ada', [path]: value };
      expect(failureOf(() => readUser(body, new Set()))).toBe('invalidValue');
    }
  });

  it('is not accepted as text in a filter either', () => {
    expect(failureOf(() => patched(ADA, [replace('emails[value eq 7].type', 'work')]))).toBe('invalidFilter');
  });
});
