import { ErrorCode as CatalogCode } from '../catalog/catalog.errors';
import { defineErrors } from '../errors/errors';

export const SERVER_REQUEST_ERRORS = defineErrors({
  ServerRequestNotFound: { code: 'server_request_not_found', kind: 'notFound', noun: 'Server request' },
  ServerRequestConflict: {
    code: 'server_request_conflict',
    kind: 'conflict',
    example: 'This request was already approved.',
    constraints: { server_requests_open_key: 'You have asked for this already, and the request is still open.' },
  },
});

/** What this room can fail with. */
export const ErrorCode = { ...CatalogCode, ...SERVER_REQUEST_ERRORS };
