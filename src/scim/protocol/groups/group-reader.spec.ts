import { failureOf } from '../../../../test/support/scim-user';
import { GROUP_URN } from '../urns';
import type { ScimFailure } from '../scim-error';
import { readGroup } from './group-reader';

const ENTRA_URN = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

const GROUP = { schemas: [GROUP_URN], displayName: 'Engineers' };
const READ_GROUP = { displayName: 'Engineers', externalId: null, members: undefined };

const READ: [name: string, sent: object, read: object, ignored?: string[]][] = [
  ['nothing but a name', {}, {}],
  ['the schema that Entra ID adds', { schemas: [GROUP_URN, ENTRA_URN] }, {}, [ENTRA_URN]],
  [
    'names in another case',
    { displayName: undefined, DISPLAYNAME: 'x', Members: ['a'] },
    { displayName: 'x', members: ['a'] },
  ],
  ['a name with its URN', { displayName: undefined, [`${GROUP_URN}:displayName`]: 'x' }, { displayName: 'x' }],
  ['an externalId', { externalId: '7' }, { externalId: '7' }],
  ['an empty externalId', { externalId: '' }, {}],
  ['nothing but null', { externalId: null, members: null, [GROUP_URN]: null }, {}],
  ['no members', { members: [] }, { members: [] }],
  [
    'members',
    { members: [{ value: 'a', display: 'Ada' }, { value: 'b', type: 'user' }, { value: 'a' }] },
    { members: ['a', 'b'] },
  ],
  ['members as texts', { members: ['a', 'b'] }, { members: ['a', 'b'] }],
  ['what is not the client’s', { id: '9', meta: { resourceType: 'Group' } }, {}],
  [
    'what is in no schema',
    { description: 'x', members: [{ value: 'a', role: 1 }] },
    { members: ['a'] },
    ['description', 'members.role'],
  ],
];

describe('a group is read with', () => {
  it.each(READ)('%s', (_name, sent, read, noted = []) => {
    const ignored = new Set<string>();
    const body: unknown = JSON.parse(JSON.stringify({ ...GROUP, ...sent }));
    expect(readGroup(body, ignored)).toEqual({ ...READ_GROUP, ...read });
    expect([...ignored].sort()).toEqual([...noted].sort());
  });
});

const REFUSED: [name: string, ScimFailure, sent: object][] = [
  ['no schemas', 'invalidSyntax', { schemas: undefined }],
  ['empty schemas', 'invalidSyntax', { schemas: [] }],
  ['another schema', 'invalidSyntax', { schemas: [ENTRA_URN] }],
  ['no name', 'invalidValue', { displayName: undefined }],
  ['a name of null', 'invalidValue', { displayName: null }],
  ['an empty name', 'invalidValue', { displayName: '' }],
  ['a blank name', 'invalidValue', { displayName: '  ' }],
  ['a number for a name', 'invalidValue', { displayName: 7 }],
  ['a name that is too long', 'invalidValue', { displayName: 'x'.repeat(513) }],
  ['a number for an externalId', 'invalidValue', { externalId: 7 }],
  ['a number for a member', 'invalidValue', { members: [{ value: 7 }] }],
  ['a group inside', 'invalidValue', { members: [{ value: 'a', type: 'group' }] }],
  ['the address of a group inside', 'invalidValue', { members: [{ value: 'a', $ref: '../Groups/a' }] }],
  ['a member without an id', 'invalidValue', { members: [{ $ref: '../Users/a' }] }],
  ['a part of the members', 'mutability', { 'members[value eq "a"].display': 'x' }],
  ['a name that is there twice', 'invalidSyntax', { displayname: 'x' }],
  ['members that are there twice', 'invalidSyntax', { members: [], [`${GROUP_URN}:members`]: [] }],
];

describe('a group is refused with', () => {
  it.each(REFUSED)('%s: %s', (_name, failure, sent) => {
    const body: unknown = JSON.parse(JSON.stringify({ ...GROUP, ...sent }));
    expect(failureOf(() => readGroup(body, new Set()))).toBe(failure);
  });

  it.each([undefined, null, [], 'x'])('%j for a body', (body) => {
    expect(failureOf(() => readGroup(body, new Set()))).toBe('invalidSyntax');
  });
});
