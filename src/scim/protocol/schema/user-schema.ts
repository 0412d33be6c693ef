import { attribute, plural, type ResourceSchema, type ResourceType } from './attribute';

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** RFC 7643, sections 4.1 and 8.7.1. There is no `password`: one that arrives is not even looked at. */
const USER: ResourceSchema = {
  id: USER_URN,
  name: 'User',
  description: 'A person in the directory of the organisation.',
  attributes: [
    attribute('userName', 'By which the directory names the person; unique in the organisation.', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('name', 'The parts of the name.', {
      subAttributes: [
        attribute('formatted', 'The whole name.'),
        attribute('familyName', 'The family name.'),
        attribute('givenName', 'The given name.'),
        attribute('middleName', 'The middle names.'),
        attribute('honorificPrefix', 'What stands before the name, as "Dr."'),
        attribute('honorificSuffix', 'What stands after the name, as "III".'),
      ],
    }),
    attribute('displayName', 'The name to show.'),
    attribute('nickName', 'The casual name.'),
    attribute('profileUrl', 'A page about the person.', { type: 'reference', referenceTypes: ['external'] }),
    attribute('title', 'The title, as "Vice President".'),
    attribute('userType', 'How the person relates to the organisation, as "Contractor".'),
    attribute('preferredLanguage', 'The preferred languages, as in an Accept-Language header.'),
    attribute('locale', 'For numbers, dates and currency, as "en-US".'),
    attribute('timezone', 'An IANA time zone, as "Europe/Zurich".'),
    attribute('active', 'False: the person has no access to the organisation. True unless a new user says otherwise.', {
      type: 'boolean',
      required: true,
    }),
    plural('emails', 'E-mail addresses. The primary one, else the first, links the person to an account.', {}, [
      'work',
      'home',
      'other',
    ]),
    plural('phoneNumbers', 'Telephone numbers.', {}, ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    plural('ims', 'Instant messaging addresses.', {}, []),
    plural('photos', 'Addresses of pictures.', { type: 'reference', referenceTypes: ['external'] }, [
      'photo',
      'thumbnail',
    ]),
    attribute('addresses', 'Postal addresses.', {
      multiValued: true,
      subAttributes: [
        attribute('formatted', 'The whole address.'),
        attribute('streetAddress', 'Street and number.'),
        attribute('locality', 'The city.'),
        attribute('region', 'The state or region.'),
        attribute('postalCode', 'The postal code.'),
        attribute('country', 'The country, as ISO 3166-1 "alpha-2".'),
        attribute('type', 'What the address is for.', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'Whether it is the preferred one; at most one is.', { type: 'boolean' }),
      ],
    }),
    attribute('groups', 'The groups of the person. They change through the groups only.', {
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute('value', 'The id of the group.', { caseExact: true, mutability: 'readOnly' }),
        attribute('$ref', 'Its address.', {
          type: 'reference',
          referenceTypes: ['Group'],
          caseExact: true,
          mutability: 'readOnly',
        }),
        attribute('display', 'Its name.', { mutability: 'readOnly' }),
        attribute('type', 'Always direct.', { canonicalValues: ['direct'], mutability: 'readOnly' }),
      ],
    }),
    plural('entitlements', 'What the directory says the person is entitled to. Gives no role here.', {}),
    plural('roles', 'What the directory calls the roles of the person. Gives no role here: mappings of groups do.', {}),
    plural('x509Certificates', 'Certificates, DER in base64.', { type: 'binary', caseExact: true }),
  ],
};

/** RFC 7643, sections 4.3 and 8.7.1. */
const ENTERPRISE: ResourceSchema = {
  id: ENTERPRISE_URN,
  name: 'EnterpriseUser',
  description: 'What an enterprise says of a person.',
  attributes: [
    attribute('employeeNumber', 'The number of the employee.'),
    attribute('costCenter', 'The cost center.'),
    attribute('organization', 'The organisation.'),
    attribute('division', 'The division.'),
    attribute('department', 'The department.'),
    attribute('manager', 'To whom the person reports.', {
      subAttributes: [
        attribute('value', 'The id of the manager, a user of this directory. Any other id is given back as it came.', {
          caseExact: true,
        }),
        attribute('$ref', 'The address of the manager.', {
          type: 'reference',
          referenceTypes: ['User'],
          caseExact: true,
        }),
        attribute('displayName', 'The name of the manager: their own `displayName`.', { mutability: 'readOnly' }),
      ],
    }),
  ],
};

export const USER_TYPE: ResourceType = {
  name: 'User',
  description: USER.description,
  endpoint: '/Users',
  schema: USER,
  extensions: [ENTERPRISE],
};
