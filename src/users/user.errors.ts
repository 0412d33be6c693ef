import { defineErrors, ErrorCode as GroundCode } from '../errors/errors';

export const USER_ERRORS = defineErrors({
  UserNotFound: { code: 'user_not_found', kind: 'notFound', noun: 'User' },
  UserConflict: {
    code: 'user_conflict',
    kind: 'conflict',
    example: 'This address has an account already. Create a password reset link for it instead.',
  },
});

/** The errors of this module. */
export const ErrorCode = { ...GroundCode, ...USER_ERRORS };
