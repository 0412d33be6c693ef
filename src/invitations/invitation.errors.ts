import { defineErrors } from '../errors/errors';
import { ErrorCode as OrganisationCode } from '../organisations/organisation.errors';

export const INVITATION_ERRORS = defineErrors({
  InvitationNotFound: { code: 'invitation_not_found', kind: 'notFound', noun: 'Invitation' },
  InvitationConflict: { code: 'invitation_conflict', kind: 'conflict', example: 'This invitation has expired.' },
});

/** What this room can fail with. */
export const ErrorCode = { ...OrganisationCode, ...INVITATION_ERRORS };
