import { newId } from '../../src/database/id';
import { given, nothing, type Recipe, type Row } from './access-table';
import { unique } from './factories';

const client: Recipe = async ({ test: { dataSource } }) => {
  const id = newId();
  await dataSource.query(
    `INSERT INTO oauth_clients (id, name, source, metadata, last_used_at)
     VALUES ($1, 'A client', 'ADMINISTRATOR', '{"token_endpoint_auth_method": "none"}', now())`,
    [id],
  );
  return { path: { client_id: id } };
};

const unknownRequest: Recipe = () => ({ path: { uid: 'none' } });
const unknownGrant: Recipe = () => ({ path: { grant_id: newId() } });

/** Issue 13: the protocol is open, and refuses an empty request in its own words; clients are for administrators. */
export const OAUTH_TABLE: readonly Row[] = [
  ['GET /oauth2/authorize', [400, 400, 400, 400, 400, null], nothing],
  ['POST /oauth2/par', [400, 400, 400, 400, 400, null], nothing],
  ['POST /oauth2/token', [400, 400, 400, 400, 400, null], nothing],
  ['POST /oauth2/revoke', [400, 400, 400, 400, 400, null], nothing],
  ['POST /oauth2/introspect', [400, 400, 400, 400, 400, null], nothing],
  ['POST /oauth2/device_authorization', [400, 400, 400, 400, 400, null], nothing],
  ['POST /oauth2/register', [404, 404, 404, 404, 404, null], nothing],
  ['GET /oauth2/userinfo', [401, 200, 200, 200, 200, null], nothing],
  ['POST /oauth2/userinfo', [401, 200, 200, 200, 200, null], nothing],
  ['GET /sign-in/consent/{uid}', [303, 303, 303, 303, 303, null], unknownRequest],
  ['POST /sign-in/consent/{uid}', [400, 400, 400, 400, 400, null], unknownRequest],
  ['GET /oauth2/logout', [200, 200, 200, 200, 200, null], nothing],
  ['GET /v1/oauth-clients', [401, 403, 403, 403, 403, 403], nothing],
  ['POST /v1/oauth-clients', [401, 403, 403, 403, 403, 403], given(nothing, () => ({ name: unique('Client') }))],
  ['GET /v1/oauth-clients/{client_id}', [401, 403, 403, 403, 403, 403], client],
  ['PATCH /v1/oauth-clients/{client_id}', [401, 403, 403, 403, 403, 403], given(client, () => ({ name: 'Renamed' }))],
  ['DELETE /v1/oauth-clients/{client_id}', [401, 403, 403, 403, 403, 403], client],
  ['POST /v1/oauth-clients/{client_id}/rotate-secret', [401, 403, 403, 403, 403, 403], given(client, () => ({}))],
  ['GET /v1/users/me/grants', [401, 200, 200, 200, 200, 200], nothing],
  ['DELETE /v1/users/me/grants/{grant_id}', [401, 404, 404, 404, 404, 404], unknownGrant],
];

/** Of these, which need no access token. */
export const OPEN_OAUTH = [
  'GET /oauth2/authorize',
  'GET /oauth2/logout',
  'GET /sign-in/consent/{uid}',
  'POST /sign-in/consent/{uid}',
  'POST /oauth2/device_authorization',
  'POST /oauth2/introspect',
  'POST /oauth2/par',
  'POST /oauth2/register',
  'POST /oauth2/revoke',
  'POST /oauth2/token',
];
