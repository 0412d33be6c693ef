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
  ['an unknown part', 'invalidPath', replace('name.nick', 'x')],
  ['an unknown part of a value', 'invalidPath', replace('emails[type eq "work"].nick', 'x')],
  ['an attribute of another schema', 'invalidPath', replace('members', [])],
  ['a path of another schema', 'invalidPath', replace('urn:acme:User:badge', 'x')],
  ['a path that is no text', 'invalidPath', { op: 'replace', path: 1, value: 'x' }],
  ['a path that is no path', 'invalidPath', replace('emails[type eq "work"]]', 'x')],
  ['a path that is too long', 'invalidPath', remove(`emails[value eq "${'x'.repeat(LIMITS.filterLength)}"]`)],
  ['a filter on what is no list', 'invalidPath', replace('name[givenName eq "Ada"].familyName', 'x')],
  ['a filter on a single value', 'invalidPath', remove('title[value eq "x"]')],
  ['a filter on what is in no schema', 'invalidPath', remove('shoes[value eq "x"]')],
  ['an operator that there is not', 'invalidFilter', remove('emails[type is "work"]')],
  ['a filter by an unknown name', 'invalidFilter', remove('ims[colour eq "red"]')],
  ['a filter by an unknown name on nothing', 'invalidFilter', add('ims[colour eq "red"].value', 'x')],
  ['the prototype', 'invalidPath', replace('__proto__', { polluted: true })],
  ['a part of the prototype', 'invalidPath', replace('__proto__.polluted', true)],
  ['the constructor', 'invalidPath', add('constructor.prototype', { polluted: true })],
  ['an inherited name', 'invalidPath', add('toString', 'x')],
  ['an inherited name of a part', 'invalidPath', add('name.__proto__', 'x')],
  ['an inherited name of a value', 'invalidPath', add('emails[type eq "work"].constructor', 'x')],
  ['an inherited name in a filter', 'invalidFilter', add('emails[__proto__ eq "work"].value', 'x')],
  ['one of several values without a filter', 'invalidPath', replace('emails.value', 'x')],
  ['a removal without a path', 'noTarget', { op: 'remove' }],
  ['a removal without a path but with a value', 'noTarget', { op: 'remove', value: { title: 'x' } }],
  [
    'a choice that is not there and cannot be made',
    'noTarget',
    replace('emails[type ne "work" and type ne "home"].value', 'x'),
  ],
  ['a choice that would not be what was made', 'noTarget', replace('emails[value eq "x"].value', 'y')],
  ['a certain value that is not there', 'noTarget', replace('emails[value eq "old@acme.example"].primary', true)],
  ['to add to a certain value that is not there', 'noTarget', add('emails[value eq "old@acme.example"].type', 'work')],
  ['a certain value of a type', 'noTarget', replace('emails[type eq "work" and value eq "o"].display', 'Work')],
  ['a certain value as a whole', 'noTarget', replace('emails[value eq "old@acme.example"]', { type: 'work' })],
  ['an address by its country', 'noTarget', add('addresses[type eq "work" and country eq "CH"].locality', 'Bern')],
  ['a choice between two', 'noTarget', add('ims[type eq "a" or type eq "b"].value', 'x')],
  ['a choice of the impossible', 'noTarget', add('ims[type eq "a" and type eq "b"].value', 'x')],
  ['a choice by a part of a text', 'noTarget', add('ims[type co "a"].value', 'x')],
  ['a choice of nothing', 'noTarget', add('ims[type eq null].value', 'x')],
  ['the id', 'mutability', replace('id', 'x')],
  ['the groups', 'mutability', add('groups', [{ value: 'g' }])],
  ['the name of the manager', 'mutability', replace('manager.displayName', 'Mary')],
  ['a part of the groups', 'mutability', remove('groups[value eq "g"]')],
  ['a part of meta', 'mutability', replace('meta.version', 'x')],
  ['a removal of the user name', 'mutability', remove('userName')],
  ['a removal of active, which would be a guess', 'mutability', remove('active')],
  ['a removal of the schemas', 'mutability', remove('schemas')],
  ['a removal of the core schema', 'mutability', remove(USER_URN)],
  ['no user name', 'invalidValue', replace('userName', '')],
  ['a blank user name', 'invalidValue', replace('userName', '  ')],
  ['a user name of null', 'invalidValue', replace('userName', null)],
  ['active of null', 'invalidValue', replace('active', null)],
  ['active of an empty text', 'invalidValue', replace('active', '')],
  ['active of a number', 'invalidValue', replace('active', 0)],
  ['active of another text', 'invalidValue', replace('active', 'inactive')],
  ['a number for a text', 'invalidValue', replace('externalId', 7)],
  ['an object for a text', 'invalidValue', replace('title', { value: 'x' })],
  ['two values for one', 'invalidValue', replace('title', ['x', 'y'])],
  ['two managers', 'invalidValue', replace('manager', [{ value: '1' }, { value: '2' }])],
  ['a text for an object', 'invalidValue', replace('name', 'Ada')],
  ['a list for an object', 'invalidValue', replace('name', [{ givenName: 'x' }, { givenName: 'y' }])],
  ['a text for an address', 'invalidValue', add('addresses', 'Zürich')],
  ['a number in a list', 'invalidValue', add('emails', [7])],
  ['two primary values', 'invalidValue', replace('emails', [WORK, { ...HOME, primary: true }])],
  ['two values made primary', 'invalidValue', replace('emails[value pr].primary', true)],
  ['what is not base64', 'invalidValue', add('x509Certificates', [{ value: 'not base64!' }])],
  ['a text that is too long', 'invalidValue', replace('title', 'x'.repeat(65_537))],
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
    'too many values with those there',
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
  ['a value that is missing', 'invalidValue', { op: 'replace', path: 'title' }],
  ['no path and no object', 'invalidValue', { op: 'replace', value: 'x' }],
  ['no path and a list', 'invalidValue', { op: 'add', value: [{ title: 'x' }] }],
  ['an extension that is no object', 'invalidValue', whole('replace', { [ENTERPRISE_URN]: 'x' })],
  ['a name that is there twice', 'invalidSyntax', whole('replace', { title: 'x', Title: 'y' })],
  [
    'a name that is there twice in another form',
    'invalidSyntax',
    whole('replace', { title: 'x', [`${USER_URN}:title`]: 'y' }),
  ],
  ['a part that is there twice', 'invalidSyntax', replace('name', { givenName: 'x', GivenName: 'y' })],
  ['an operation that is there twice', 'invalidSyntax', { op: 'add', OP: 'remove', path: 'title', value: 'x' }],
  ['an operation that there is not', 'invalidSyntax', { op: 'move', path: 'title', value: 'x' }],
  ['no operation', 'invalidSyntax', { path: 'title', value: 'x' }],
  [
    'more operations than the limit',
    'tooMany',
    Array.from({ length: LIMITS.patchOperations + 1 }, () => remove('title')),
  ],
];

describe('a PATCH of', () => {
  it.each(REFUSED)('%s is %s', (_name, failure, operations) => {
    const before = structuredClone(ADA);
    expect(failureOf(() => patched(before, [operations].flat()))).toBe(failure);
    // All or nothing: what came before the fault has changed nothing either.
    expect(
      failureOf(() => patched(before, [replace('title', 'x'), add('roles', 'o'), operations].flat())),
    ).toBeDefined();
    expect(before).toEqual(ADA);
  });

  it('one bad operation says which one it is', () => {
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

  it('long values counts for more', () => {
    const long = patched(BARE, [
      add(
        'roles',
        ['a', 'b', 'c'].map((one) => one.repeat(65_000)),
      ),
    ]);
    const operations = Array.from({ length: 1_000 }, () => remove('roles[value co "xyz" or value co "zyx"]'));
    expect(failureOf(() => patched(long, operations))).toBe('tooMany');
  });

  it('more attributes in one value than an object may have is invalidSyntax', () => {
    const entries = Array.from({ length: 2_600 }, (_, n) => [`roles[value eq "${n}"].display`, null]);
    expect(failureOf(() => patched(ADA, [whole('add', Object.fromEntries(entries))]))).toBe('invalidSyntax');
  });
});

describe('the body of a PATCH', () => {
  const operations = [{ op: 'replace', path: 'title', value: 'x' }];

  it.each([
    ['without schemas', { Operations: operations }],
    ['with empty schemas', { schemas: [], Operations: operations }],
    [
      'with names in another case',
      { SCHEMAS: [PATCH_URN], operations: [{ OP: 'Replace', Path: 'title', VALUE: 'x' }] },
    ],
    ['with a URN in another case', { schemas: [PATCH_URN.toLowerCase()], Operations: operations }],
  ])('is read %s', (_name, body) => {
    expect(patchUser(ADA, body, new Set()).attributes.title).toBe('x');
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a list', operations],
    ['a text', 'replace'],
    ['nothing', {}],
    ['no list', { Operations: { op: 'replace' } }],
    ['an empty list', { Operations: [] }],
    ['a list of texts', { Operations: ['replace'] }],
    ['two lists', { Operations: operations, operations }],
    ['another message', { schemas: [USER_URN], Operations: operations }],
    ['schemas that are no list', { schemas: PATCH_URN, Operations: operations }],
    ['schemas that are no texts', { schemas: [1], Operations: operations }],
  ])('cannot be %s', (_name, body) => {
    expect(failureOf(() => patchUser(ADA, body, new Set()))).toBe('invalidSyntax');
  });

  it('may have what is not known, which is noted', () => {
    const ignored = new Set<string>();
    patchUser(ADA, { schemas: [PATCH_URN, 'urn:acme'], Operations: operations, comment: 'x' }, ignored);
    expect(ignored).toEqual(new Set(['urn:acme', 'comment']));
  });
});

describe('a number', () => {
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

  it.each(texts)('is no text: %s', (path) => {
    for (const value of [7, 0, 1.5]) {
      expect(failureOf(() => patched(ADA, [replace(path, value)]))).toBe('invalidValue');
      expect(failureOf(() => patched(ADA, [{ op: 'add', value: { [path]: value } }]))).toBe('invalidValue');
      const body = { schemas: [USER_URN], userName: 'ada', [path]: value };
      expect(failureOf(() => readUser(body, new Set()))).toBe('invalidValue');
    }
  });

  it('is no text in a filter either', () => {
    expect(failureOf(() => patched(ADA, [replace('emails[value eq 7].type', 'work')]))).toBe('invalidFilter');
  });
});
