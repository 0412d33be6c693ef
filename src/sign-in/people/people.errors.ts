import { defineErrors } from '../../errors/errors';
import { ErrorCode as OrganisationCode } from '../../organisations/organisation.errors';

export const PEOPLE_ERRORS = defineErrors({
  AccountInvitationNotFound: { code: 'account_invitation_not_found', kind: 'notFound', noun: 'Invitation' },
  AccountInvitationConflict: {
    code: 'account_invitation_conflict',
    kind: 'conflict',
    example: 'There are 1000 pending invitations, which is the limit. Delete some or wait until they expire.',
  },
  IdentityNotFound: { code: 'identity_not_found', kind: 'notFound', noun: 'Identity' },
  SignInMethodConflict: {
    code: 'sign_in_method_conflict',
    kind: 'conflict',
    example: 'This is the last way to sign in to the account. Add another one first.',
  },
});

/** The errors of administering people, and of their own accounts. */
export const ErrorCode = { ...OrganisationCode, ...PEOPLE_ERRORS };
