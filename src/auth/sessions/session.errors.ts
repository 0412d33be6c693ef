import { defineErrors, ErrorCode as GroundCode } from '../../errors/errors';

export const SESSION_ERRORS = defineErrors({
  SessionNotFound: { code: 'session_not_found', kind: 'notFound', noun: 'Session' },
  RecentSignInRequired: {
    code: 'recent_sign_in_required',
    kind: 'forbidden',
    example:
      'Only the person can do this: in a browser, at most five minutes after signing in: https://tools.example.com/account',
  },
});

export const ErrorCode = { ...GroundCode, ...SESSION_ERRORS };
