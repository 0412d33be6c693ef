import { defineErrors, ErrorCode as GroundCode } from '../../errors/errors';

export const SESSION_ERRORS = defineErrors({
  SessionNotFound: { code: 'session_not_found', kind: 'notFound', noun: 'Session' },
});

export const ErrorCode = { ...GroundCode, ...SESSION_ERRORS };
