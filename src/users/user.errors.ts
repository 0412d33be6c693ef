import { defineErrors, ErrorCode as GroundCode } from '../errors/errors';

export const USER_ERRORS = defineErrors({
  UserNotFound: { code: 'user_not_found', kind: 'notFound', noun: 'User' },
});

/** What accounts can fail with. */
export const ErrorCode = { ...GroundCode, ...USER_ERRORS };
