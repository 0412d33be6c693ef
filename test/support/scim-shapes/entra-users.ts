import { ADA, BARE, enterprise, ENTERPRISE_URN, GRACE, patch, type Shape, USER_URN } from './shape';

type Row = Omit<Shape, 'provider'>;

/** One PATCH of ada; every operation capitalised, as it is without the flag. */
function changes(name: string, before: object, operations: object[], after: object): Row {
  return {
    name,
    given: { users: { ada: before } },
    request: { method: 'PATCH', path: '/Users/{ada}', body: patch(...operations) },
    status: 200,
    stored: { ada: after },
  };
}

const MANAGER = `${ENTERPRISE_URN}:manager`;

const SINGLE: Row[] = [
  changes('disables a person with a string', ADA, [{ op: 'Replace', path: 'active', value: 'False' }], {
    ...ADA,
    active: false,
  }),
  changes(
    'enables a person with a string',
    { ...ADA, active: false },
    [{ op: 'Replace', path: 'active', value: 'True' }],
    ADA,
  ),
  changes('adds a nickname', ADA, [{ op: 'Add', path: 'nickName', value: 'Countess' }], {
    ...ADA,
    nickName: 'Countess',
  }),
  changes('adds what is there already, which replaces it', ADA, [{ op: 'Add', path: 'displayName', value: 'Ada' }], {
    ...ADA,
    displayName: 'Ada',
  }),
  changes(
    'changes the userName',
    ADA,
    [{ op: 'Replace', path: 'userName', value: '5b50642d-79fc-4410-9e90-4c077cdd1a59@acme.example' }],
    { ...ADA, userName: '5b50642d-79fc-4410-9e90-4c077cdd1a59@acme.example' },
  ),
  changes(
    'wraps a value into a list of one, as its older library does',
    ADA,
    [{ op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'User x' }] }],
    { ...ADA, displayName: 'User x' },
  ),
  changes('changes the externalId', ADA, [{ op: 'Replace', path: 'externalId', value: 'Eqpj' }], {
    ...ADA,
    externalId: 'Eqpj',
  }),
  changes('removes an attribute', { ...ADA, title: 'Analyst' }, [{ op: 'Remove', path: 'title' }], ADA),
  changes(
    'removes an attribute and says what it was',
    { ...ADA, title: 'Analyst' },
    [{ op: 'Remove', path: 'title', value: 'Analyst' }],
    ADA,
  ),
  changes(
    'replaces six attributes, one operation each',
    ADA,
    [
      { op: 'Replace', path: 'displayName', value: 'Pvlo' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'TestBcwqnm@acme.example' },
      { op: 'Replace', path: 'name.givenName', value: 'Gtfd' },
      { op: 'Replace', path: 'name.familyName', value: 'Pkqf' },
      { op: 'Replace', path: 'externalId', value: 'Eqpj' },
      { op: 'Replace', path: `${ENTERPRISE_URN}:employeeNumber`, value: 'Eqpj' },
    ],
    {
      ...enterprise(ADA, { employeeNumber: 'Eqpj' }),
      displayName: 'Pvlo',
      name: { givenName: 'Gtfd', familyName: 'Pkqf' },
      externalId: 'Eqpj',
      emails: [{ value: 'TestBcwqnm@acme.example', type: 'work', primary: true }],
    },
  ),
  changes(
    'names core attributes with the URN of their schema',
    ADA,
    [
      { op: 'Replace', path: `${USER_URN}:displayName`, value: 'Ada King' },
      { op: 'Replace', path: `${USER_URN}:name.familyName`, value: 'King' },
    ],
    { ...ADA, displayName: 'Ada King', name: { givenName: 'Ada', familyName: 'King' } },
  ),
];

const PLURAL: Row[] = [
  changes(
    'adds an address at work to a person who has none',
    BARE,
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'bare@acme.example' }],
    { ...BARE, emails: [{ type: 'work', value: 'bare@acme.example' }] },
  ),
  changes(
    'replaces an address at work that is not there, where the RFC would say noTarget',
    BARE,
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'bare@acme.example' }],
    { ...BARE, emails: [{ type: 'work', value: 'bare@acme.example' }] },
  ),
  changes(
    'replaces an address at work and leaves the one at home alone',
    { ...ADA, emails: [...ADA.emails, { value: 'ada@home.example', type: 'home' }] },
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada.king@acme.example' }],
    {
      ...ADA,
      emails: [
        { value: 'ada.king@acme.example', type: 'work', primary: true },
        { value: 'ada@home.example', type: 'home' },
      ],
    },
  ),
  changes(
    'changes an address, adds a postal one and a department, as seen in a real log',
    ADA,
    [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'AdeleV2@acme.example' },
      { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: '18/2111' },
      { op: 'Add', path: `${ENTERPRISE_URN}:department`, value: 'Retail' },
    ],
    {
      ...enterprise(ADA, { department: 'Retail' }),
      emails: [{ value: 'AdeleV2@acme.example', type: 'work', primary: true }],
      addresses: [{ type: 'work', formatted: '18/2111' }],
    },
  ),
  changes(
    'adds a mobile number beside one at work',
    { ...ADA, phoneNumbers: [{ value: '1', type: 'work' }] },
    [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '55555555555' }],
    {
      ...ADA,
      phoneNumbers: [
        { value: '1', type: 'work' },
        { type: 'mobile', value: '55555555555' },
      ],
    },
  ),
  changes(
    'makes another address the primary one: one only stays',
    { ...ADA, emails: [...ADA.emails, { value: 'ada@home.example', type: 'home' }] },
    [{ op: 'Replace', path: 'emails[type eq "home"].primary', value: 'True' }],
    {
      ...ADA,
      emails: [
        { value: 'ada@acme.example', type: 'work', primary: false },
        { value: 'ada@home.example', type: 'home', primary: true },
      ],
    },
  ),
  changes(
    'removes the number of one kind',
    {
      ...ADA,
      phoneNumbers: [
        { value: '1', type: 'work' },
        { value: '2', type: 'fax' },
      ],
    },
    [{ op: 'Remove', path: 'phoneNumbers[type eq "fax"]' }],
    { ...ADA, phoneNumbers: [{ value: '1', type: 'work' }] },
  ),
  changes(
    'assigns an app role (SingleAppRoleAssignment), with a string for a boolean in the path',
    ADA,
    [
      { op: 'Add', path: 'roles[primary eq "True"].display', value: 'Editor' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'editor' },
      { op: 'Add', path: 'roles[primary eq "True"].type', value: 'WindowsAzureActiveDirectoryRole' },
    ],
    {
      ...ADA,
      roles: [{ primary: true, display: 'Editor', value: 'editor', type: 'WindowsAzureActiveDirectoryRole' }],
    },
  ),
  changes(
    'assigns app roles anew (AssertiveAppRoleAssignmentsComplex)',
    { ...ADA, roles: [{ value: 'old', display: 'Old' }] },
    [
      {
        op: 'Replace',
        path: 'roles',
        value: [
          { primary: false, type: 'WindowsAzureActiveDirectoryRole', display: 'User', value: 'User' },
          { primary: false, type: 'WindowsAzureActiveDirectoryRole', display: 'Admin', value: 'Admin' },
        ],
      },
    ],
    {
      ...ADA,
      roles: [
        { primary: false, type: 'WindowsAzureActiveDirectoryRole', display: 'User', value: 'User' },
        { primary: false, type: 'WindowsAzureActiveDirectoryRole', display: 'Admin', value: 'Admin' },
      ],
    },
  ),
];

const MANAGERS: Row[] = [
  changes(
    'names the manager by a bare string',
    ADA,
    [{ op: 'Add', path: MANAGER, value: 'boss-1' }],
    enterprise(ADA, { manager: { value: 'boss-1' } }),
  ),
  changes(
    'names the manager by a list of one, without the URN',
    ADA,
    [{ op: 'Add', path: 'manager', value: [{ $ref: 'https://idp.example/Users/boss-1', value: 'boss-1' }] }],
    enterprise(ADA, { manager: { $ref: 'https://idp.example/Users/boss-1', value: 'boss-1' } }),
  ),
  changes(
    'names the manager by the sub-attribute',
    enterprise(ADA, { manager: { value: 'boss-1' } }),
    [{ op: 'Replace', path: `${MANAGER}.value`, value: 'boss-2' }],
    enterprise(ADA, { manager: { value: 'boss-2' } }),
  ),
  changes(
    'takes the manager away with an empty string',
    enterprise(ADA, { manager: { value: 'boss-1' } }),
    [{ op: 'Replace', path: MANAGER, value: '' }],
    ADA,
  ),
  changes(
    'removes the manager and leaves the department',
    enterprise(ADA, { department: 'Research', manager: { value: 'boss-1' } }),
    [{ op: 'Remove', path: MANAGER }],
    enterprise(ADA, { department: 'Research' }),
  ),
  {
    name: 'deletes a person, 30 days after they were disabled',
    given: { users: { ada: { ...ADA, active: false }, grace: GRACE } },
    request: { method: 'DELETE', path: '/Users/{ada}' },
    status: 204,
    stored: { ada: null, grace: GRACE },
  },
];

/** Changes, after the provisioning tutorials of Microsoft and real requests in issue trackers. */
export const ENTRA_USERS: Shape[] = [...SINGLE, ...PLURAL, ...MANAGERS].map((shape) => ({
  provider: 'Entra ID',
  ...shape,
}));
