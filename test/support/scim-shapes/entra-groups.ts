import { ADA, BOTH, ENGINEERS, GROUP_URN, listOf, membersOf, patch, type Shape, WITH_ADA, WITH_BOTH } from './shape';

type Row = Omit<Shape, 'provider'>;

const GIVEN = { users: BOTH, groups: { engineers: WITH_ADA } };

function changes(name: string, given: Shape['given'], operations: object[], after: object): Row {
  return {
    name,
    given,
    request: { method: 'PATCH', path: '/Groups/{engineers}', body: patch(...operations) },
    status: 204,
    stored: { engineers: after },
  };
}

const ROWS: Row[] = [
  {
    name: 'creates a group with a second, private schema and no members',
    request: {
      method: 'POST',
      path: '/Groups',
      body: {
        schemas: [GROUP_URN, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'Engineers',
        meta: { resourceType: 'Group' },
      },
    },
    status: 201,
    stored: {
      new: {
        schemas: [GROUP_URN],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'Engineers',
        members: [],
      },
    },
  },
  {
    name: 'matches a group by displayName, without its members',
    given: GIVEN,
    request: {
      method: 'GET',
      path: '/Groups',
      query: { excludedAttributes: 'members', filter: 'displayName eq "ENGINEERS"' },
    },
    status: 200,
    answer: listOf(ENGINEERS),
  },
  {
    name: 'reads a group without its members',
    given: GIVEN,
    request: { method: 'GET', path: '/Groups/{engineers}', query: { excludedAttributes: 'members' } },
    status: 200,
    answer: ENGINEERS,
  },
  {
    name: 'asks whether somebody is a member, who is',
    given: GIVEN,
    request: {
      method: 'GET',
      path: '/Groups',
      query: { filter: 'id eq "{engineers}" and members eq "{ada}"', attributes: 'id' },
    },
    status: 200,
    answer: listOf({ schemas: [GROUP_URN] }),
  },
  {
    name: 'asks whether somebody is a member, who is not',
    given: GIVEN,
    request: {
      method: 'GET',
      path: '/Groups',
      query: { filter: 'id eq "{engineers}" and members eq "{grace}"', attributes: 'id' },
    },
    status: 200,
    answer: listOf(),
  },
  changes(
    'renames a group',
    GIVEN,
    [{ op: 'Replace', path: 'displayName', value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName' }],
    {
      ...ENGINEERS,
      displayName: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName',
      members: membersOf('ada'),
    },
  ),
  changes('changes the externalId of a group', GIVEN, [{ op: 'Replace', path: 'externalId', value: '9bb2' }], {
    ...ENGINEERS,
    externalId: '9bb2',
    members: membersOf('ada'),
  }),
  changes(
    'adds a member with a $ref of null',
    GIVEN,
    [{ op: 'Add', path: 'members', value: [{ $ref: null, value: '{grace}' }] }],
    { ...ENGINEERS, members: membersOf('ada', 'grace') },
  ),
  changes(
    'adds several members in one operation, one of them twice',
    { users: BOTH, groups: { engineers: ENGINEERS } },
    [
      {
        op: 'Add',
        path: 'members',
        value: [
          { $ref: null, value: '{grace}' },
          { $ref: null, value: '{ada}' },
          { $ref: null, value: '{grace}' },
        ],
      },
    ],
    { ...ENGINEERS, members: membersOf('ada', 'grace') },
  ),
  changes(
    'removes a member by a list of values, and nobody else',
    { users: BOTH, groups: { engineers: WITH_BOTH } },
    [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{ada}' }] }],
    { ...ENGINEERS, members: membersOf('grace') },
  ),
  changes(
    'removes somebody who is no member any more',
    GIVEN,
    [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{grace}' }] }],
    { ...ENGINEERS, members: membersOf('ada') },
  ),
  {
    name: 'deletes a group',
    given: GIVEN,
    request: { method: 'DELETE', path: '/Groups/{engineers}' },
    status: 204,
    stored: { engineers: null, ada: ADA },
  },
];

/** After the provisioning tutorials of Microsoft. */
export const ENTRA_GROUPS: Shape[] = ROWS.map((shape) => ({ provider: 'Entra ID', ...shape }));
