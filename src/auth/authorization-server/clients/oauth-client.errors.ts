import { defineErrors, ErrorCode as GroundCode } from '../../../errors/errors';

export const OAUTH_CLIENT_ERRORS = defineErrors({
  OAuthClientNotFound: { code: 'oauth_client_not_found', kind: 'notFound', noun: 'OAuth client' },
  OAuthClientConflict: {
    code: 'oauth_client_conflict',
    kind: 'conflict',
    example: 'This client authenticates itself without a secret.',
  },
  GrantNotFound: { code: 'grant_not_found', kind: 'notFound', noun: 'Grant' },
});

/** What the operations on clients and grants can fail with. */
export const ErrorCode = { ...GroundCode, ...OAUTH_CLIENT_ERRORS };
