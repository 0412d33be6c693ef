import { pathWithIds, referencesIn, referencesInPath, split, withIds } from './bulk-references';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ids = new Map([
  ['ada', 'id-of-ada'],
  ['eng', 'id-of-eng'],
]);

describe('References in SCIM bulk operations', () => {
  it.each([
    [{ members: [{ value: 'bulkId:ada' }, { value: 'x' }] }, ['ada']],
    [{ members: [{ $ref: 'bulkId:ada', Value: 'bulkId:eng' }] }, ['ada', 'eng']],
    [{ [ENTERPRISE]: { manager: { value: 'bulkId:ada' } } }, ['ada']],
    [{ manager: { $ref: '../Users/bulkId:ada' } }, ['ada']],
    [{ members: [{ $ref: 'https://example.com/scim/v2/Users/bulkId:ada' }] }, ['ada']],
    [{ $ref: '/Users/bulkId:ada?x=1' }, []],
    [{ $ref: '/Users/notbulkId:ada' }, []],
    [{ value: '/Users/bulkId:ada' }, []],
    [{ [ENTERPRISE]: { manager: 'bulkId:ada' } }, ['ada']],
    [{ [`${ENTERPRISE}:manager`]: 'bulkId:ada' }, ['ada']],
    [{ Operations: [{ op: 'add', path: 'members', value: [{ value: 'bulkId:ada' }] }] }, ['ada']],
    [{ Operations: [{ op: 'add', path: `${ENTERPRISE}:manager`, value: 'bulkId:ada' }] }, ['ada']],
    [
      { Operations: [{ op: 'remove', path: 'members[value eq "bulkId:ada" or value eq "bulkId:eng"]' }] },
      ['ada', 'eng'],
    ],
    [{ displayName: 'bulkId:ada', title: 'value' }, []],
    [{ value: 'bulkId:' }, []],
    [{ value: 'see bulkId:ada' }, []],
    [null, []],
    ['bulkId:ada', []],
  ])('are found in %j', (data, bulkIds) => {
    expect([...referencesIn(data)]).toEqual(bulkIds);
  });

  it('are replaced by ids if these are known', () => {
    const data = {
      displayName: 'bulkId:ada',
      members: [{ value: 'bulkId:ada' }, { value: 'bulkId:nobody' }, { value: 7 }],
      Operations: [{ path: 'members[value eq "bulkId:ada"]', value: ['bulkId:eng', null] }],
      manager: [{ $ref: 'bulkId:ada' }, { $ref: '../Users/bulkId:ada' }, { $ref: '/Users/bulkId:nobody' }],
    };
    const before = structuredClone(data);
    expect(withIds(data, ids)).toEqual({
      displayName: 'bulkId:ada',
      members: [{ value: 'id-of-ada' }, { value: 'bulkId:nobody' }, { value: 7 }],
      Operations: [{ path: 'members[value eq "id-of-ada"]', value: ['id-of-eng', null] }],
      manager: [{ $ref: 'id-of-ada' }, { $ref: '../Users/id-of-ada' }, { $ref: '/Users/bulkId:nobody' }],
    });
    expect(data).toEqual(before);
  });

  it('are replaced by ids in paths', () => {
    expect(referencesInPath('/Groups/bulkId:eng')).toEqual(['eng']);
    expect(referencesInPath('/Groups')).toEqual([]);
    expect(pathWithIds('/Groups/bulkId:eng', ids)).toBe('/Groups/id-of-eng');
    expect(pathWithIds('/Groups/bulkId:nobody', ids)).toBe('/Groups/bulkId:nobody');
  });

  it('wait, with their attributes, for resources that do not exist yet', () => {
    const data = {
      userName: 'ada',
      emails: [{ value: 'ada@example.com' }],
      [ENTERPRISE]: { department: 'Maths', manager: { value: 'bulkId:ada', displayName: 'Ada' } },
    };
    expect(split(data, new Set(['ada']))).toEqual({
      now: { userName: 'ada', emails: [{ value: 'ada@example.com' }], [ENTERPRISE]: { department: 'Maths' } },
      later: { [ENTERPRISE]: { manager: { value: 'bulkId:ada', displayName: 'Ada' } } },
    });
    const group = { displayName: 'Eng', members: [{ value: 'bulkId:ada' }, { value: 'x' }] };
    expect(split(group, new Set(['ada']))).toEqual({
      now: { displayName: 'Eng', members: [{ value: 'x' }] },
      later: { members: group.members },
    });
    expect(split({ [`${ENTERPRISE}:manager`]: 'bulkId:ada' }, new Set(['ada']))).toEqual({
      now: {},
      later: { [`${ENTERPRISE}:manager`]: 'bulkId:ada' },
    });
    expect(split(group, new Set(['eng']))).toEqual({ now: group, later: {} });
  });

  it('do not reach prototypes', () => {
    const data = JSON.parse('{"__proto__": {"value": "bulkId:ada"}, "constructor": {"value": "bulkId:ada"}}') as Record<
      string,
      unknown
    >;
    expect(JSON.stringify(withIds(data, ids))).toBe(JSON.stringify(data).replaceAll('bulkId:ada', 'id-of-ada'));
    split(data, new Set(['ada']));
    expect(({} as { value?: string }).value).toBeUndefined();
  });
});
