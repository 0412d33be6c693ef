import { failureOf } from '../../../../test/support/scim-user';
import { GROUP_URN } from '../urns';
import type { ScimFailure } from '../scim-error';
import { readGroup } from './group-reader';

const ENTRA_URN = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

const GROUP = { schemas: [GROUP_URN], displayName: 'Engineers' };
const READ_GROUP = { displayName: 'Engineers', externalId: null, members: undefined };

const READ: [name: string, sent: object, read: object, ignored?: string[]][] = [
  ['only a name', {}, {}],
  ['the schema that Entra ID adds', { schemas: [GROUP_URN, ENTRA_URN] }, {}, [ENTRA_URN]],
  [
    'names in another case',
    { displayName: undefined, DISPLAYNAME: 'x', Members: ['a'] },
    { displayName: 'x', members: ['a'] },
  ],
  ['a name with its URN', { displayName: undefined, [`${GROUP_URN}:displayName`]: 'x' }, { displayName: 'x' }],
  ['an externalId', { externalId: '7' }, { externalId: '7' }],
  ['an empty externalId', { externalId: '' }, {}],
  ['null for everything else', { externalId: null, members: null, [GROUP_URN]: null }, {}],
  ['no members', { members: [] }, { members: [] }],
  [
    'members',
    { members: [{ value: 'a', display: 'Ada' }, { value: 'b', type: 'user' }, { value: 'a' }] },
    { members: ['a', 'b'] },
  ],
  ['members as strings', { members: ['a', 'b'] }, { members: ['a', 'b'] }],
  ['read-only attributes without effect', { id: '9', meta: { resourceType: 'Group' } }, {}],
  [
    'unknown attributes, noting them',
    { description: 'x', members: [{ value: 'a', role: 1 }] },
    { members: ['a'] },
    ['description', 'members.role'],
  ],
];

describe('reading a SCIM group accepts', () => {
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
  ['a schema that is not of SCIM', 'invalidSyntax', { schemas: [ENTRA_URN] }],
  ['no name', 'invalidValue', { displayName: undefined }],
  ['null for the name', 'invalidValue', { displayName: null }],
  ['an empty name', 'invalidValue', { displayName: '' }],
  ['a blank name', 'invalidValue', { displayName: '  ' }],
  ['a number for a name', 'invalidValue', { displayName: 7 }],
  ['a name that is too long', 'invalidValue', { displayName: 'x'.repeat(513) }],
  ['a number for an externalId', 'invalidValue', { externalId: 7 }],
  ['a number for a member', 'invalidValue', { members: [{ value: 7 }] }],
  ['a nested group', 'invalidValue', { members: [{ value: 'a', type: 'group' }] }],
  ['the $ref of a nested group', 'invalidValue', { members: [{ value: 'a', $ref: '../Groups/a' }] }],
  ['a member without an id', 'invalidValue', { members: [{ $ref: '../Users/a' }] }],
  ['a sub-attribute of the members', 'mutability', { 'members[value eq "a"].display': 'x' }],
  ['a name that appears twice', 'invalidSyntax', { displayname: 'x' }],
  ['members that appear twice', 'invalidSyntax', { members: [], [`${GROUP_URN}:members`]: [] }],
];

describe('reading a SCIM group rejects', () => {
  it.each(REFUSED)('%s: %s', (_name, failure, sent) => {
    const body: unknown = JSON.parse(JSON.stringify({ ...GROUP, ...sent }));
    expect(failureOf(() => readGroup(body, new Set()))).toBe(failure);
  });

  it.each([undefined, null, [], 'x'])('%j for a body', (body) => {
    expect(failureOf(() => readGroup(body, new Set()))).toBe('invalidSyntax');
  });
});
