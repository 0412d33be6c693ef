import type { CallName } from '../../../api/client';

/** What is out of date once a client has changed. */
export const CLIENT_CHANGES = [
  'GET /v1/oauth-clients',
  'GET /v1/oauth-clients/{client_id}',
] as const satisfies CallName[];
