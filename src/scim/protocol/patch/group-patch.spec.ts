import { failureOf, type Operation } from '../../../../test/support/scim-user';
import { LIMITS } from '../limits';
import { GROUP_URN } from '../urns';
import type { ScimFailure } from '../scim-error';
import { type GroupStep, planGroupPatch } from './group-patch';

const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

function plan(operations: Operation[], ignored = new Set<string>()): GroupStep[] {
  return planGroupPatch({ schemas: [PATCH_URN], Operations: operations }, ignored);
}

const DISPLAY_EQ_ADA = { kind: 'compare', path: 'display', operator: 'eq', value: 'Ada' };

type Row = [name: string, operations: Operation | Operation[], steps: object[]];

const ATTRIBUTES: Row[] = [
  ['replaces the name', { op: 'replace', path: 'displayName', value: 'x' }, [{ kind: 'set', displayName: 'x' }]],
  ['adds the name', { op: 'Add', path: 'DisplayName', value: 'x' }, [{ kind: 'set', displayName: 'x' }]],
  [
    'replaces the name by a list with one value',
    { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'x' }] },
    [{ kind: 'set', displayName: 'x' }],
  ],
  [
    'accepts a path with the URN',
    { op: 'replace', path: `${GROUP_URN}:displayName`, value: 'x' },
    [{ kind: 'set', displayName: 'x' }],
  ],
  ['replaces the externalId', { op: 'replace', path: 'externalId', value: '7' }, [{ kind: 'set', externalId: '7' }]],
  ['removes the externalId', { op: 'remove', path: 'externalId' }, [{ kind: 'set', externalId: null }]],
  ['clears the externalId', { op: 'replace', path: 'externalId', value: '' }, [{ kind: 'set', externalId: null }]],
  [
    'renames as Okta does, with the id',
    { op: 'replace', value: { id: '9', displayName: 'x' } },
    [{ kind: 'set', displayName: 'x' }],
  ],
  [
    'ignores read-only attributes',
    { op: 'replace', value: { schemas: [GROUP_URN], meta: {}, externalId: '7' } },
    [{ kind: 'set', externalId: '7' }],
  ],
  [
    'accepts an object of the core schema',
    { op: 'add', value: { [GROUP_URN]: { displayName: 'x' } } },
    [{ kind: 'set', displayName: 'x' }],
  ],
  [
    'accepts the URN as a path',
    { op: 'add', path: GROUP_URN, value: { displayName: 'x' } },
    [{ kind: 'set', displayName: 'x' }],
  ],
  [
    'sets both in one step, each to its last value',
    [
      { op: 'replace', path: 'displayName', value: 'x' },
      { op: 'replace', value: { externalId: '7', displayName: 'y' } },
    ],
    [{ kind: 'set', displayName: 'y', externalId: '7' }],
  ],
  ['changes nothing with an empty object', { op: 'replace', value: {} }, []],
  ['ignores the addition of schemas', { op: 'add', path: 'schemas', value: [GROUP_URN] }, []],
];

const add = (value: unknown): Operation => ({ op: 'add', path: 'members', value });
const removeOne = (id: string): Operation => ({ op: 'remove', path: `members[value eq "${id}"]` });

const MEMBERS: Row[] = [
  ['adds a list', add([{ value: 'a' }, { value: 'b' }]), [{ kind: 'add', members: ['a', 'b'] }]],
  ['adds each once', add([{ value: 'a' }, { value: 'a' }]), [{ kind: 'add', members: ['a'] }]],
  [
    'adds as Entra ID does, with $ref of null',
    { op: 'Add', path: 'members', value: [{ $ref: null, value: 'a' }] },
    [{ kind: 'add', members: ['a'] }],
  ],
  [
    'adds a member with every sub-attribute',
    add([{ Value: 'a', display: 'Ada', type: 'User', $ref: 'https://x/Users/a' }]),
    [{ kind: 'add', members: ['a'] }],
  ],
  ['adds one without a list', add({ value: 'a' }), [{ kind: 'add', members: ['a'] }]],
  ['adds strings', add(['a', 'b']), [{ kind: 'add', members: ['a', 'b'] }]],
  ['adds one string', add('a'), [{ kind: 'add', members: ['a'] }]],
  ['adds no empty values', [add([]), add(null)], []],
  ['adds without a path', { op: 'add', value: { members: [{ value: 'a' }] } }, [{ kind: 'add', members: ['a'] }]],
  [
    'accepts a path with the URN of the schema',
    { op: 'add', path: `${GROUP_URN}:members`, value: [{ value: 'a' }] },
    [{ kind: 'add', members: ['a'] }],
  ],
  ['merges additions one by one', [add('a'), add('b'), add('a')], [{ kind: 'add', members: ['a', 'b'] }]],
  [
    'removes as Entra ID does, by a list',
    { op: 'Remove', path: 'members', value: [{ value: 'a' }, { value: 'b' }] },
    [{ kind: 'remove', members: ['a', 'b'] }],
  ],
  [
    'removes as Entra ID does, with $ref of null',
    { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'a' }] },
    [{ kind: 'remove', members: ['a'] }],
  ],
  ['removes by an id', removeOne('a'), [{ kind: 'remove', members: ['a'] }]],
  [
    'removes by an id, in any case and with the URN',
    { op: 'REMOVE', path: `${GROUP_URN}:Members[VALUE EQ "a"]` },
    [{ kind: 'remove', members: ['a'] }],
  ],
  [
    'removes by several ids',
    { op: 'remove', path: 'members[value eq "a" or value eq "b"]' },
    [{ kind: 'remove', members: ['a', 'b'] }],
  ],
  ['merges removals one by one', [removeOne('a'), removeOne('b')], [{ kind: 'remove', members: ['a', 'b'] }]],
  ['removes nothing by an empty list', { op: 'remove', path: 'members', value: [] }, []],
  ['clears', { op: 'remove', path: 'members' }, [{ kind: 'replace', members: [] }]],
  ['clears with null', { op: 'remove', path: 'members', value: null }, [{ kind: 'replace', members: [] }]],
  ['clears by replace', { op: 'replace', path: 'members', value: [] }, [{ kind: 'replace', members: [] }]],
  ['replaces', { op: 'replace', path: 'members', value: [{ value: 'a' }] }, [{ kind: 'replace', members: ['a'] }]],
  [
    'replaces without a path (Okta)',
    { op: 'replace', value: { displayName: 'x', members: [{ value: 'a', display: 'Ada' }] } },
    [
      { kind: 'set', displayName: 'x' },
      { kind: 'replace', members: ['a'] },
    ],
  ],
  [
    'removes by any filter',
    { op: 'remove', path: 'members[display eq "Ada"]' },
    [{ kind: 'removeMatching', filter: DISPLAY_EQ_ADA }],
  ],
  [
    'treats an id with another operator as a filter',
    { op: 'remove', path: 'members[value ne "a"]' },
    [{ kind: 'removeMatching', filter: { kind: 'compare', path: 'value', operator: 'ne', value: 'a' } }],
  ],
  [
    'treats two ids joined by and as a filter',
    { op: 'remove', path: 'members[value eq "a" and value eq "b"]' },
    [
      {
        kind: 'removeMatching',
        filter: {
          kind: 'and',
          filters: [
            { kind: 'compare', path: 'value', operator: 'eq', value: 'a' },
            { kind: 'compare', path: 'value', operator: 'eq', value: 'b' },
          ],
        },
      },
    ],
  ],
  [
    'applies the last operation on a member, ignoring the case of its id',
    [add(['a', 'b']), removeOne('A'), removeOne('c'), add('c')],
    [
      { kind: 'remove', members: ['A'] },
      { kind: 'add', members: ['b', 'c'] },
    ],
  ],
  [
    'drops operations that a replacement overrides',
    [
      add('a'),
      { op: 'remove', path: 'members[display eq "Ada"]' },
      { op: 'replace', path: 'members', value: ['b', 'c'] },
      removeOne('b'),
      add('d'),
    ],
    [{ kind: 'replace', members: ['c', 'd'] }],
  ],
  [
    'does not merge operations across a filter',
    [add('a'), removeOne('b'), { op: 'remove', path: 'members[display eq "Ada"]' }, add('b')],
    [
      { kind: 'remove', members: ['b'] },
      { kind: 'add', members: ['a'] },
      { kind: 'removeMatching', filter: DISPLAY_EQ_ADA },
      { kind: 'add', members: ['b'] },
    ],
  ],
  [
    'applies a filter after a replacement',
    [
      { op: 'replace', path: 'members', value: ['a'] },
      { op: 'remove', path: 'members[display eq "Ada"]' },
    ],
    [
      { kind: 'replace', members: ['a'] },
      { kind: 'removeMatching', filter: DISPLAY_EQ_ADA },
    ],
  ],
];

describe.each([
  ['attributes', ATTRIBUTES],
  ['members', MEMBERS],
])('a PATCH of %s of a group', (_group, rows) => {
  it.each(rows)('%s', (_name, operations, steps) => {
    const ignored = new Set<string>();
    expect(plan([operations].flat(), ignored)).toEqual(steps);
    expect([...ignored]).toEqual([]);
  });
});

const FILTERED = 'members[display eq "Ada"]';

const REFUSED: [name: string, ScimFailure, Operation | Operation[]][] = [
  ['an unknown path', 'invalidPath', { op: 'replace', path: 'description', value: 'x' }],
  ['an attribute of a user', 'invalidPath', { op: 'replace', path: 'userName', value: 'x' }],
  ['the prototype', 'invalidPath', { op: 'add', path: '__proto__', value: { polluted: true } }],
  ['an inherited name', 'invalidPath', { op: 'remove', path: 'constructor' }],
  ['an inherited name of a member', 'invalidPath', { op: 'remove', path: 'members.toString' }],
  ['a filter by an unknown name', 'invalidFilter', { op: 'remove', path: 'members[nick eq "x"]' }],
  ['a filter by an inherited name', 'invalidFilter', { op: 'remove', path: 'members[__proto__ eq "x"]' }],
  ['a removal without a path', 'noTarget', { op: 'remove', value: { members: [] } }],
  ['a removal of the name', 'mutability', { op: 'remove', path: 'displayName' }],
  ['a removal of the id', 'mutability', { op: 'remove', path: 'id' }],
  ['a removal of the schema', 'mutability', { op: 'remove', path: GROUP_URN }],
  ['the id', 'mutability', { op: 'replace', path: 'id', value: '9' }],
  ['a sub-attribute of a member', 'mutability', { op: 'replace', path: `${FILTERED}.display`, value: 'x' }],
  ['a removal of a sub-attribute of a member', 'mutability', { op: 'remove', path: `${FILTERED}.value` }],
  ['a sub-attribute of all members', 'mutability', { op: 'replace', path: 'members.value', value: 'a' }],
  ['a filtered member', 'mutability', { op: 'replace', path: FILTERED, value: { value: 'a' } }],
  ['a filtered member without a path', 'mutability', { op: 'add', value: { [FILTERED]: { value: 'a' } } }],
  ['an empty name', 'invalidValue', { op: 'replace', path: 'displayName', value: '' }],
  ['a blank name', 'invalidValue', { op: 'replace', path: 'displayName', value: ' ' }],
  ['null for the name', 'invalidValue', { op: 'replace', value: { displayName: null } }],
  ['a name that is too long', 'invalidValue', { op: 'replace', path: 'displayName', value: 'x'.repeat(513) }],
  ['an externalId that is a number', 'invalidValue', { op: 'replace', path: 'externalId', value: 7 }],
  ['a member without an id', 'invalidValue', add([{ display: 'Ada' }])],
  ['a member with an empty id', 'invalidValue', add([{ value: '' }])],
  ['a member with a number for an id', 'invalidValue', add([{ value: 7 }])],
  ['a member with an id that is too long', 'invalidValue', add([{ value: 'x'.repeat(513) }])],
  ['null for a member', 'invalidValue', add([null])],
  ['a list for a member', 'invalidValue', add([['a']])],
  ['an empty string for members', 'invalidValue', { op: 'remove', path: 'members', value: '' }],
  ['a member that is a group', 'invalidValue', add([{ value: 'a', type: 'Group' }])],
  ['a member whose $ref is a group', 'invalidValue', add([{ value: 'a', $ref: 'https://x/v2/groups/a' }])],
  ['a member with a sub-attribute that appears twice', 'invalidSyntax', add([{ value: 'a', VALUE: 'b' }])],
  ['a missing value', 'invalidValue', { op: 'add', path: 'members' }],
  ['a value without a path that is not an object', 'invalidValue', { op: 'add', value: [{ value: 'a' }] }],
  ['a schema that is not an object', 'invalidValue', { op: 'add', value: { [GROUP_URN]: 'x' } }],
  ['a name that appears twice', 'invalidSyntax', { op: 'add', value: { displayName: 'x', displayname: 'y' } }],
  [
    'a name that appears twice in different forms',
    'invalidSyntax',
    { op: 'add', value: { displayName: 'x', [GROUP_URN]: { displayName: 'y' } } },
  ],
  ['more operations than the limit', 'tooMany', Array.from({ length: LIMITS.patchOperations + 1 }, () => add('a'))],
  ['more filters than the limit', 'tooMany', Array.from({ length: 65 }, () => ({ op: 'remove', path: FILTERED }))],
];

describe('a PATCH of a group with', () => {
  it.each(REFUSED)('%s is %s', (_name, failure, operations) => {
    expect(failureOf(() => plan([operations].flat()))).toBe(failure);
  });

  it('unknown attributes notes them', () => {
    const ignored = new Set<string>();
    const value = { description: 'x', members: [{ value: 'a', displayName: 'Ada' }], password: 'secret' };
    expect(plan([{ op: 'add', value, name: 'addMember' }], ignored)).toEqual([{ kind: 'add', members: ['a'] }]);
    expect([...ignored]).toEqual(['Operations.name', 'description', 'members.displayName']);
  });

  it('one bad operation names it in the error', () => {
    expect(() => plan([add('a'), add('')])).toThrow('Operations[1]: members.value must be the id of a user.');
  });

  it('a thousand members one by one takes as few steps as for one', () => {
    const operations = Array.from({ length: 1_000 }, (_, n) => (n % 2 ? add(`${n}`) : removeOne(`${n}`)));
    expect(plan(operations).map(({ kind }) => kind)).toEqual(['remove', 'add']);
  });
});
