import { attribute, plural, type ResourceSchema, type ResourceType } from './attribute';
import { ENTERPRISE_URN, USER_URN } from '../urns';

/** RFC 7643, sections 4.1 and 8.7.1. `password` is not supported: if sent, it is not even read. */
const USER: ResourceSchema = {
  id: USER_URN,
  name: 'User',
  description: 'A person in the directory of the organisation.',
  attributes: [
    attribute('userName', 'The name that identifies the person in the directory; unique in the organisation.', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('name', 'The components of the name.', {
      subAttributes: [
        attribute('formatted', 'The full name.'),
        attribute('familyName', 'The family name.'),
        attribute('givenName', 'The given name.'),
        attribute('middleName', 'The middle names.'),
        attribute('honorificPrefix', 'The prefix of the name, such as "Dr."'),
        attribute('honorificSuffix', 'The suffix of the name, such as "III".'),
      ],
    }),
    attribute('displayName', 'The name to display.'),
    attribute('nickName', 'The casual name.'),
    attribute('profileUrl', 'A page about the person.', { type: 'reference', referenceTypes: ['external'] }),
    attribute('title', 'The title, such as "Vice President".'),
    attribute('userType', 'The relationship to the organisation, such as "Contractor".'),
    attribute('preferredLanguage', 'The preferred languages, as in an Accept-Language header.'),
    attribute('locale', 'For numbers, dates and currency, such as "en-US".'),
    attribute('timezone', 'An IANA time zone, such as "Europe/Zurich".'),
    attribute('active', 'False: the person has no access to the organisation. The default for new users is true.', {
      type: 'boolean',
      required: true,
    }),
    plural(
      'emails',
      'E-mail addresses. The primary one links the person to an account; without it the one of type work, or the first.',
      {},
      ['work', 'home', 'other'],
    ),
    plural('phoneNumbers', 'Telephone numbers.', {}, ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    plural('ims', 'Instant messaging addresses.', {}, []),
    plural('photos', 'URLs of pictures.', { type: 'reference', referenceTypes: ['external'] }, ['photo', 'thumbnail']),
    attribute('addresses', 'Postal addresses.', {
      multiValued: true,
      subAttributes: [
        attribute('formatted', 'The whole address.'),
        attribute('streetAddress', 'Street and number.'),
        attribute('locality', 'The city.'),
        attribute('region', 'The state or region.'),
        attribute('postalCode', 'The postal code.'),
        attribute('country', 'The country, as an ISO 3166-1 "alpha-2" code.'),
        attribute('type', 'What the address is for.', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'Whether it is the preferred one; at most one is.', { type: 'boolean' }),
      ],
    }),
    attribute('groups', 'The groups of the person. Read-only: change the members of the groups instead.', {
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute('value', 'The id of the group.', { caseExact: true, mutability: 'readOnly' }),
        attribute('$ref', 'Its URL.', {
          type: 'reference',
          referenceTypes: ['Group'],
          caseExact: true,
          mutability: 'readOnly',
        }),
        attribute('display', 'Its name.', { mutability: 'readOnly' }),
        attribute('type', 'Always direct.', { canonicalValues: ['direct'], mutability: 'readOnly' }),
      ],
    }),
    plural('entitlements', 'Entitlements according to the directory. They do not affect roles here.', {}),
    plural('roles', 'Roles according to the directory. They do not affect roles here: group mappings do.', {}),
    plural('x509Certificates', 'Certificates, DER in base64.', { type: 'binary', caseExact: true }),
  ],
};

/** RFC 7643, sections 4.3 and 8.7.1. */
const ENTERPRISE: ResourceSchema = {
  id: ENTERPRISE_URN,
  name: 'EnterpriseUser',
  description: 'Attributes of a person in an enterprise.',
  attributes: [
    attribute('employeeNumber', 'The employee number.'),
    attribute('costCenter', 'The cost center.'),
    attribute('organization', 'The organisation.'),
    attribute('division', 'The division.'),
    attribute('department', 'The department.'),
    attribute('manager', 'The manager of the person.', {
      subAttributes: [
        attribute('value', 'The id of the manager, a user of this directory. Any other id is returned as sent.', {
          caseExact: true,
        }),
        attribute('$ref', 'The URL of the manager.', {
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
