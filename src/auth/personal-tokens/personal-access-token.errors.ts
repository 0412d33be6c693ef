import { defineErrors } from '../../errors/errors';
import { ErrorCode as UserCode } from '../../users/user.errors';

export const PERSONAL_ACCESS_TOKEN_ERRORS = defineErrors({
  PersonalAccessTokenNotFound: {
    code: 'personal_access_token_not_found',
    kind: 'notFound',
    noun: 'Personal access token',
  },
  PersonalAccessTokenConflict: {
    code: 'personal_access_token_conflict',
    kind: 'conflict',
    example: 'You have 50 personal access tokens, which is the limit. Revoke one first.',
  },
});

/** What the operations on personal access tokens can fail with. */
export const ErrorCode = { ...UserCode, ...PERSONAL_ACCESS_TOKEN_ERRORS };
