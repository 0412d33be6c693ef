import { ADA, BARE } from '../../../../test/support/scim-user';
import type { StoredUser, UserDocument } from '../schema/user-document';
import { ENTERPRISE_URN, GROUP_URN, USER_URN } from '../urns';
import { groupResource, groupVersion, userResource, userVersion } from './to-scim';

const BASE = 'https://toolyard.example/v1/organisations/o/scim/v2';
const TIMES = { createdAt: new Date('2026-01-02T03:04:05.006Z'), updatedAt: new Date('2026-02-03T04:05:06.007Z') };

function stored(document: UserDocument): StoredUser {
  return { ...document, id: 'u1', userId: 'account', version: 3, ...TIMES };
}

const META = { created: '2026-01-02T03:04:05.006Z', lastModified: '2026-02-03T04:05:06.007Z' };

describe('userResource', () => {
  it('returns everything that a user has', () => {
    const groups = [{ id: 'g1', displayName: 'Engineers' }];
    expect(userResource(stored(ADA), groups, BASE)).toEqual({
      schemas: [USER_URN, ENTERPRISE_URN],
      id: 'u1',
      externalId: '7',
      userName: 'ada',
      displayName: 'Ada',
      active: true,
      ...ADA.attributes,
      groups: [{ value: 'g1', $ref: `${BASE}/Groups/g1`, display: 'Engineers', type: 'direct' }],
      meta: {
        resourceType: 'User',
        location: `${BASE}/Users/u1`,
        version: userVersion({ version: 3 }, groups),
        ...META,
      },
    });
  });

  it('omits missing values, and groups that were not requested', () => {
    expect(userResource(stored({ ...BARE, active: false }), undefined, BASE)).toEqual({
      schemas: [USER_URN],
      id: 'u1',
      userName: 'ada',
      active: false,
      meta: { resourceType: 'User', location: `${BASE}/Users/u1`, version: 'W/"3"', ...META },
    });
  });

  it('returns nothing that is not in the schema, whatever is stored', () => {
    const attributes = { ...ADA.attributes, password: 'secret', shoeSize: '43' };
    const resource = userResource(stored({ ...ADA, attributes }), undefined, BASE);
    expect(Object.keys(resource)).not.toContain('password');
    expect(Object.keys(resource)).not.toContain('shoeSize');
    expect(JSON.stringify(resource)).not.toContain('account');
  });
});

describe('groupResource', () => {
  const group = { id: 'g1', displayName: 'Engineers', externalId: '7', version: 4, ...TIMES };

  it('returns everything that a group has', () => {
    const members = [
      { id: 'u1', userName: 'ada', displayName: 'Ada' },
      { id: 'u2', userName: 'charles', displayName: null },
    ];
    expect(groupResource(group, members, BASE)).toEqual({
      schemas: [GROUP_URN],
      id: 'g1',
      externalId: '7',
      displayName: 'Engineers',
      members: [
        { value: 'u1', $ref: `${BASE}/Users/u1`, display: 'Ada', type: 'User' },
        { value: 'u2', $ref: `${BASE}/Users/u2`, display: 'charles', type: 'User' },
      ],
      meta: { resourceType: 'Group', location: `${BASE}/Groups/g1`, version: 'W/"4"', ...META },
    });
  });

  it('distinguishes no members from members that were not requested', () => {
    expect(groupResource(group, [], BASE).members).toEqual([]);
    expect(groupResource({ ...group, externalId: null }, undefined, BASE)).toEqual({
      schemas: [GROUP_URN],
      id: 'g1',
      displayName: 'Engineers',
      meta: { resourceType: 'Group', location: `${BASE}/Groups/g1`, version: 'W/"4"', ...META },
    });
  });
});

describe('the ETag of a SCIM resource', () => {
  const one = { id: 'g1', displayName: 'Engineers' };
  const other = { id: 'g2', displayName: 'Poets' };

  it('is the version of a group', () => {
    expect(groupVersion({ version: 12 })).toBe('W/"12"');
  });

  it('is the version of a user and a hash of their groups', () => {
    expect(userVersion({ version: 12 })).toBe('W/"12"');
    expect(userVersion({ version: 12 }, [])).toBe('W/"12"');
    expect(userVersion({ version: 12 }, [one])).toMatch(/^W\/"12\.[0-9a-f]{8}"$/);
  });

  it('changes with the groups of a user and their names, but not their order', () => {
    const tags = [[one], [other], [one, other], [{ ...one, displayName: 'Poets' }], [{ ...one, id: 'g2' }]];
    expect(new Set(tags.map((groups) => userVersion({ version: 1 }, groups))).size).toBe(5);
    expect(userVersion({ version: 1 }, [one, other])).toBe(userVersion({ version: 1 }, [other, one]));
  });
});
