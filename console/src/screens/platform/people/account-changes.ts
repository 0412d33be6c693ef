import type { CallName } from '../../../api/client';

/** What is out of date once something was done with an account. */
export const ACCOUNT_CHANGES = [
  'GET /v1/users',
  'GET /v1/users/{user_id}',
  'GET /v1/users/{user_id}/departure-preview',
] as const satisfies CallName[];
