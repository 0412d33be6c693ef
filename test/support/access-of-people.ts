import { newId } from '../../src/database/id';
import { given, nothing, type Recipe, type Row } from './access-table';
import { idOf, unique } from './factories';

const user: Recipe = async ({ test: { as } }) => ({ path: { user_id: await idOf(await as(unique('somebody'))) } });
const invitation: Recipe = () => ({ path: { invitation_id: newId() } });

const identity: Recipe = () => ({ path: { identity_id: newId() } });
const deadLink: Recipe = () => ({ path: { token: 'none' } });

const everyone = (status: number) => [status, status, status, status, status, null] as const;

/** A form that did not arrive is a 400; who is not signed in in a browser is sent to sign in. */
const PAGE_ROWS: readonly Row[] = [
  ['GET /invitations/{token}', everyone(404), deadLink],
  ['POST /invitations/{token}', everyone(400), deadLink],
  // No mail is sent here.
  ['GET /password-reset', everyone(404), nothing],
  ['POST /password-reset', everyone(404), nothing],
  ['GET /password-reset/{token}', everyone(404), deadLink],
  ['POST /password-reset/{token}', everyone(400), deadLink],
  ['GET /account', everyone(303), nothing],
  ['GET /account/confirm', everyone(303), nothing],
  ...[
    'confirm',
    'password',
    'remove-password',
    'remove-identity',
    'remove-passkey',
    'accept-invitation',
    'decline-invitation',
    'revoke-grant',
    'revoke-token',
    'end-session',
    'sign-out-everywhere',
  ].map((form): Row => [`POST /account/${form}`, everyone(303), nothing]),
];

export const OPEN_PEOPLE_PAGES = PAGE_ROWS.map(([operation]) => operation);

/** The accounts of others are for platform administrators, whatever anybody is in an organisation. */
export const PEOPLE_ROWS: readonly Row[] = [
  ...PAGE_ROWS,
  ['GET /v1/users/me/identities', [401, 200, 200, 200, 200, 200], nothing],
  // An access token does not say that somebody signed in just now.
  ['DELETE /v1/users/me/identities/{identity_id}', [401, 403, 403, 403, 403, 403], identity],
  ['GET /v1/users/me/audit-log', [401, 200, 200, 200, 200, 200], nothing],
  ['GET /v1/audit-log', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/users', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/users/{user_id}', [401, 403, 403, 403, 403, 403], user],
  ['GET /v1/users/{user_id}/departure-preview', [401, 403, 403, 403, 403, 403], user],
  ['POST /v1/users/{user_id}/close', [401, 403, 403, 403, 403, 403], user],
  ['POST /v1/users/{user_id}/reopen', [401, 403, 403, 403, 403, 403], user],
  ['POST /v1/users/{user_id}/password-reset-link', [401, 403, 403, 403, 403, 403], user],
  ['GET /v1/platform/health', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/mails', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/users/invitations', [401, 403, 403, 403, 403, 403], nothing],
  [
    'POST /v1/users/invitations',
    [401, 403, 403, 403, 403, 403],
    given(nothing, () => ({ email: `${unique('guest')}@example.com` })),
  ],
  ['GET /v1/users/invitations/{invitation_id}', [401, 403, 403, 403, 403, 403], invitation],
  ['DELETE /v1/users/invitations/{invitation_id}', [401, 403, 403, 403, 403, 403], invitation],
];
