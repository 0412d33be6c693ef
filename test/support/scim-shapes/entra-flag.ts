import {
  ADA,
  BARE,
  BOTH,
  ENGINEERS,
  enterprise,
  ENTERPRISE_URN,
  membersOf,
  patch,
  type Shape,
  USER_URN,
  WITH_BOTH,
} from './shape';

type Row = Omit<Shape, 'provider'>;

function changes(name: string, before: object, operations: object[], after: object): Row {
  return {
    name,
    given: { users: { ada: before } },
    request: { method: 'PATCH', path: '/Users/{ada}', body: patch(...operations) },
    status: 200,
    stored: { ada: after },
  };
}

const WORK = (attribute: string, name: string) => `${attribute}[type eq "work"].${name}`;
const PRIMARY_ROLE = (name: string) => `roles[primary eq "True"].${name}`;

/** What the SCIM validator of Microsoft asks of a provider: every attribute that the default mapping has. */
const EVERYTHING = [
  { path: WORK('emails', 'value'), value: 'alessandra@acme.example' },
  { path: WORK('emails', 'primary'), value: true },
  { path: WORK('addresses', 'formatted'), value: 'JPFMEGHDQWTY' },
  { path: WORK('addresses', 'streetAddress'), value: '929 Price Haven' },
  { path: WORK('addresses', 'locality'), value: 'FEYIAUFYZHCT' },
  { path: WORK('addresses', 'region'), value: 'JDLRAOVYLPKU' },
  { path: WORK('addresses', 'postalCode'), value: 'si21 1mq' },
  { path: WORK('addresses', 'primary'), value: true },
  { path: WORK('addresses', 'country'), value: 'Ireland' },
  { path: WORK('phoneNumbers', 'value'), value: '44-471-5001' },
  { path: WORK('phoneNumbers', 'primary'), value: true },
  { path: 'phoneNumbers[type eq "mobile"].value', value: '44-471-5002' },
  { path: 'phoneNumbers[type eq "fax"].value', value: '44-471-5003' },
  { path: PRIMARY_ROLE('display'), value: 'QRKSJCAXVGLM' },
  { path: PRIMARY_ROLE('value'), value: 'WVZKBEMYRRHB' },
  { path: PRIMARY_ROLE('type'), value: 'QJTRWNHGKOAZ' },
];

const REST = {
  active: true,
  displayName: 'QWUNAMCBRHTB',
  title: 'GWJZNRYZYFWD',
  preferredLanguage: 'dsb-DE',
  'name.givenName': 'Janessa',
  'name.familyName': 'Eloy',
  'name.formatted': 'Petra',
  'name.middleName': 'Amanda',
  'name.honorificPrefix': 'Cheyenne',
  'name.honorificSuffix': 'Loren',
  [`${ENTERPRISE_URN}:employeeNumber`]: 'PQFWQUWGUFQK',
  [`${ENTERPRISE_URN}:department`]: 'ERQODAWELTIZ',
  [`${ENTERPRISE_URN}:costCenter`]: 'LTQKRXTPYGIA',
  [`${ENTERPRISE_URN}:organization`]: 'TLHYWCPUMAVI',
  [`${ENTERPRISE_URN}:division`]: 'XOHRCGTBDZFH',
  userType: 'KFZAEDZCBHLI',
  nickName: 'XELTCHWSZKDN',
  locale: 'KDEDZZBGRAOB',
  timezone: 'America/Belize',
  profileUrl: 'https://acme.example/janessa',
};

const VALIDATED = {
  schemas: [USER_URN, ENTERPRISE_URN],
  userName: BARE.userName,
  active: true,
  displayName: 'QWUNAMCBRHTB',
  title: 'GWJZNRYZYFWD',
  preferredLanguage: 'dsb-DE',
  name: {
    givenName: 'Janessa',
    familyName: 'Eloy',
    formatted: 'Petra',
    middleName: 'Amanda',
    honorificPrefix: 'Cheyenne',
    honorificSuffix: 'Loren',
  },
  userType: 'KFZAEDZCBHLI',
  nickName: 'XELTCHWSZKDN',
  locale: 'KDEDZZBGRAOB',
  timezone: 'America/Belize',
  profileUrl: 'https://acme.example/janessa',
  emails: [{ type: 'work', value: 'alessandra@acme.example', primary: true }],
  addresses: [
    {
      type: 'work',
      formatted: 'JPFMEGHDQWTY',
      streetAddress: '929 Price Haven',
      locality: 'FEYIAUFYZHCT',
      region: 'JDLRAOVYLPKU',
      postalCode: 'si21 1mq',
      primary: true,
      country: 'Ireland',
    },
  ],
  phoneNumbers: [
    { type: 'work', value: '44-471-5001', primary: true },
    { type: 'mobile', value: '44-471-5002' },
    { type: 'fax', value: '44-471-5003' },
  ],
  roles: [{ primary: true, display: 'QRKSJCAXVGLM', value: 'WVZKBEMYRRHB', type: 'QJTRWNHGKOAZ' }],
  [ENTERPRISE_URN]: {
    employeeNumber: 'PQFWQUWGUFQK',
    department: 'ERQODAWELTIZ',
    costCenter: 'LTQKRXTPYGIA',
    organization: 'TLHYWCPUMAVI',
    division: 'XOHRCGTBDZFH',
  },
};

const ROWS: Row[] = [
  changes('disables a person', ADA, [{ op: 'replace', path: 'active', value: false }], { ...ADA, active: false }),
  changes('enables a person', { ...ADA, active: false }, [{ op: 'replace', path: 'active', value: true }], ADA),
  changes('adds a nickname', ADA, [{ op: 'add', path: 'nickName', value: 'Countess' }], {
    ...ADA,
    nickName: 'Countess',
  }),
  changes(
    'replaces several attributes by dotted and full names in one value',
    ADA,
    [
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'TestMhvaes@acme.example' },
      {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kkom',
          'name.familyName': 'Unua',
          [`${ENTERPRISE_URN}:employeeNumber`]: 'Aklq',
        },
      },
    ],
    {
      ...enterprise(ADA, { employeeNumber: 'Aklq' }),
      displayName: 'Bjfe',
      name: { givenName: 'Kkom', familyName: 'Unua' },
      emails: [{ value: 'TestMhvaes@acme.example', type: 'work', primary: true }],
    },
  ),
  changes(
    'adds attributes by dotted and full names to a person who has none',
    BARE,
    [
      {
        op: 'add',
        value: { 'name.givenName': 'Ada', [`${ENTERPRISE_URN}:department`]: 'Research', externalId: 'ext-bare' },
      },
    ],
    { ...enterprise(BARE, { department: 'Research' }), externalId: 'ext-bare', name: { givenName: 'Ada' } },
  ),
  changes(
    'adds the manager in a value without a path',
    ADA,
    [{ op: 'add', value: { [`${ENTERPRISE_URN}:manager`]: 'boss-1' } }],
    enterprise(ADA, { manager: { value: 'boss-1' } }),
  ),
  changes(
    'adds every attribute of the default mapping to a bare person',
    BARE,
    [...EVERYTHING.map((operation) => ({ op: 'add', ...operation })), { op: 'add', value: REST }],
    VALIDATED,
  ),
  changes(
    'replaces every attribute of the default mapping',
    {
      ...VALIDATED,
      displayName: 'Before',
      name: { givenName: 'Before', formatted: 'Before' },
      emails: [{ type: 'work', value: 'before@acme.example', primary: true }],
      addresses: [{ type: 'work', formatted: 'Before', primary: true }],
      phoneNumbers: [
        { type: 'work', value: '1', primary: true },
        { type: 'mobile', value: '2' },
        { type: 'fax', value: '3' },
      ],
      roles: [{ primary: true, display: 'Before', value: 'before', type: 'before' }],
      [ENTERPRISE_URN]: { employeeNumber: 'Before' },
    },
    [...EVERYTHING.map((operation) => ({ op: 'replace', ...operation })), { op: 'replace', value: REST }],
    VALIDATED,
  ),
  {
    name: 'removes a member by a filter in the path',
    given: { users: BOTH, groups: { engineers: WITH_BOTH } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'remove', path: 'members[value eq "{ada}"]' }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('grace') } },
  },
  {
    name: 'adds members in small letters',
    given: { users: BOTH, groups: { engineers: ENGINEERS } },
    request: {
      method: 'PATCH',
      path: '/Groups/{engineers}',
      body: patch({ op: 'add', path: 'members', value: [{ value: '{ada}' }, { value: '{grace}' }] }),
    },
    status: 204,
    stored: { engineers: { ...ENGINEERS, members: membersOf('ada', 'grace') } },
  },
];

/** With `?aadOptscim062020` behind the tenant URL, which may come along with every request. */
export const ENTRA_FLAG: Shape[] = ROWS.map(({ request, ...shape }) => ({
  provider: 'Entra ID (aadOptscim062020)',
  ...shape,
  request: { ...request, query: { aadOptscim062020: '', ...request.query } },
}));
