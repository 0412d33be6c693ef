import { defineErrors, ErrorCode as GroundCode } from '../errors/errors';

export const USER_ERRORS = defineErrors({
  UserNotFound: { code: 'user_not_found', kind: 'notFound', noun: 'User' },
});

/** The errors of this module. */
export const ErrorCode = { ...GroundCode, ...USER_ERRORS };
