import { ADA, BOTH, ENGINEERS, GROUP_URN, listOf, membersOf, patch, type Shape, WITH_ADA, WITH_BOTH } from './shape';

/** What Okta sends about groups. */
export const OKTA_GROUPS: Omit<Shape, 'provider'>[] = [
  {
    name: 'pushes a group, empty at first',
    request: {
      method: 'POST',
      path: '/Groups',
      body: { schemas: [GROUP_URN], displayName: 'Engineers', members: [] },
    },
    status: 201,
    stored: { new: { schemas: [GROUP_URN], displayName: 'Engineers', members: [] } },
  },
  {
    name: 'pushes a group with its members (wizard)',
    given: { users: BOTH },
    request: {
      method: 'POST',
      path: '/Groups',
      body: {
        schemas: [GROUP_URN],
        displayName: 'Engineers',
        members: [
          { value: '{ada}', display: 'ada@acme.example' },
          { value: '{grace}', display: 'grace@acme.example' },
        ],
      },
    },
    status: 201,
    stored: { new: { schemas: [GROUP_URN], displayName: 'Engineers', members: membersOf('ada', 'grace') } },
  },
  {
    name: 'imports groups page by page',
    given: { groups: { engineers: ENGINEERS } },
    request: { method: 'GET', path: '/Groups', query: { startIndex: '1', count: '100' } },
    status: 200,
    answer: listOf({ ...ENGINEERS, members: [] }),
  },
  {
    name: 'renames a group, with its id in the value',
    given: { users: { ada: ADA }, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'replace', value: { id: '{engineers}', displayName: 'Platform' } }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, displayName: 'Platform', members: membersOf('ada') } },
  },
  {
    name: 'takes one member out and puts another in, in one PATCH',
    given: { users: BOTH, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch(
        { op: 'remove', path: 'members[value eq "{ada}"]' },
        { op: 'add', path: 'members', value: [{ value: '{grace}', display: 'grace@acme.example' }] },
      ),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('grace') } },
  },
  {
    name: 'adds somebody who is a member already',
    given: { users: { ada: ADA }, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'add', path: 'members', value: [{ value: '{ada}', display: 'ada@acme.example' }] }),
    },
    status: 204,
  },
  {
    name: 'pushes all members anew',
    given: { users: BOTH, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({
        op: 'replace',
        path: 'members',
        value: [{ value: '{grace}', display: 'grace@acme.example' }],
      }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('grace') } },
  },
  {
    name: 'pushes a group that has become empty ("Push now")',
    given: { users: BOTH, groups: { engineers: WITH_BOTH } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'replace', path: 'members', value: [] }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: [] } },
  },
  {
    name: 'replaces a group with everything in it (wizard)',
    given: { users: BOTH, groups: { engineers: WITH_ADA } },
    request: {
      method: 'PUT',
      path: '/Groups/{engineers}',
      body: {
        schemas: [GROUP_URN],
        id: '{engineers}',
        externalId: 'ext-engineers',
        displayName: 'Platform',
        members: [
          { value: '{ada}', display: 'ada@acme.example' },
          { value: '{grace}', display: 'grace@acme.example' },
        ],
        meta: { resourceType: 'Group', location: '{base}/Groups/{engineers}' },
      },
    },
    status: 200,
    stored: { engineers: { ...ENGINEERS, displayName: 'Platform', members: membersOf('ada', 'grace') } },
  },
  {
    name: 'unlinks a group and deletes it',
    given: { users: { ada: ADA }, groups: { engineers: WITH_ADA } },
    request: { method: 'DELETE', path: '/Groups/{engineers}' },
    status: 204,
    stored: { engineers: null, ada: ADA },
  },
];
