import { remedies } from '../../../messages/en/organisation-remedies';
import { PROVIDERS } from './provider';
import { type FailedCall, quotedIn, REMEDIES, type Remedy, remedyOf } from './remedy';

const call = (status: number, error: string | null = null, more: Partial<FailedCall> = {}): FailedCall => ({
  method: 'POST',
  path: '/Users',
  status,
  scim_type: null,
  error,
  ...more,
});
const value = (error: string) => call(400, error, { scim_type: 'invalidValue' });
const taken = (what: string) => call(409, what, { scim_type: 'uniqueness' });

const KNOWN: readonly (readonly [Remedy, FailedCall])[] = [
  ['token_revoked', call(401, 'This SCIM token was revoked.')],
  ['token_expired', call(401, 'This SCIM token has expired.')],
  ['token_wrong', call(401, 'This SCIM token does not belong to this organisation, or was revoked at some time.')],
  ['user_name_taken', taken('Another user of this organisation has this userName, in some spelling.')],
  ['external_id_taken', taken('Another user of this organisation has this externalId.')],
  ['group_id_taken', taken('Another group of this organisation has this externalId.')],
  ['last_owner', call(409, 'The organisation would have no OWNER.')],
  ['user_name_missing', value('userName is required and must not be empty.')],
  ['user_name_invalid', value('userName contains the character U+1F600.')],
  ['member_unknown', value('No user of this organisation has the id "1". Members are users; groups cannot be.')],
  ['nested_group', value('A member must be a user: groups inside groups are not supported.')],
  ['group_name_missing', value('displayName is required and must not be empty.')],
  ['not_boolean', value('active must be true or false.')],
  ['two_primary', value('emails has more than one primary value.')],
  ['too_long', value('title is longer than 1,000 characters.')],
  ['value', value('emails must be an object.')],
  [
    'unknown_attribute',
    call(400, 'Operations[0]: No attribute has the path "department2".', { scim_type: 'invalidPath' }),
  ],
  ['path', call(400, 'There are 2 values, and "emails" does not select one.', { scim_type: 'invalidPath' })],
  ['matching_attribute', call(400, '"login" is not an attribute of User.', { scim_type: 'invalidFilter' })],
  ['unchangeable', call(400, 'id cannot be changed.', { scim_type: 'mutability' })],
  ['no_target', call(400, 'No value of emails matches the filter.', { scim_type: 'noTarget' })],
  ['too_many', call(400, 'There are more than 1000 operations.', { scim_type: 'tooMany' })],
  ['version_one', call(400, 'schemas is required and must contain "urn:…".', { scim_type: 'invalidSyntax' })],
  ['syntax', call(400, 'body: This is not JSON.', { scim_type: 'invalidSyntax' })],
  ['base_url', call(404, 'User Users does not exist.', { path: '/Users/Users' })],
  ['gone', call(404, 'User 1 does not exist.', { path: '/Users/1', method: 'PATCH' })],
  ['wrong_address', call(404, 'Not found.', { path: '/User' })],
  ['wrong_method', call(405)],
  ['changed_meanwhile', call(412)],
  ['too_large', call(413)],
  ['media_type', call(415)],
  ['too_fast', call(429)],
  ['not_supported', call(501)],
  ['busy', call(503)],
  ['ours', call(500)],
  ['unknown', call(418)],
];

describe('What to mend about a call', () => {
  it.each(KNOWN)('is %s', (remedy, failed) => expect(remedyOf(failed)).toBe(remedy));

  it('is nothing if it did not fail', () => expect(remedyOf(call(201, 'userName is required'))).toBeUndefined());

  it('is known of every kind of error, and said for every provider', () => {
    expect(KNOWN.map(([remedy]) => remedy).toSorted()).toEqual(REMEDIES.toSorted());
    for (const remedy of REMEDIES) {
      const { what, mend } = remedies[remedy];
      expect(what).not.toBe('');
      for (const provider of PROVIDERS) {
        expect((mend[provider] ?? mend.other).length).toBeGreaterThan(20);
      }
    }
  });
});

describe('What an error quotes', () => {
  it('is the first text in quotation marks', () => {
    expect(quotedIn('No attribute has the path "department2".')).toBe('department2');
    expect(quotedIn('Nothing.')).toBeUndefined();
    expect(quotedIn(null)).toBeUndefined();
  });
});
