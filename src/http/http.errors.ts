import { defineErrors, ErrorCode as GroundCode } from '../errors/errors';

/** What HTTP rejects before a route is chosen; `answers/error-status.ts` gives each code its status. */
export const HTTP_ERRORS = defineErrors({
  BadRequest: { code: 'bad_request', kind: 'protocol' },
  MethodNotAllowed: { code: 'method_not_allowed', kind: 'protocol' },
  RequestTimeout: { code: 'request_timeout', kind: 'protocol' },
  PayloadTooLarge: { code: 'payload_too_large', kind: 'protocol' },
  UnsupportedMediaType: { code: 'unsupported_media_type', kind: 'protocol' },
  HeadersTooLarge: { code: 'headers_too_large', kind: 'protocol' },
});

/** Codes that every request can fail with. */
export const ErrorCode = { ...GroundCode, ...HTTP_ERRORS };
