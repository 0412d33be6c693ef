import { newId } from '../../src/database/id';
import { nothing, type Recipe, type Row } from './access-table';
import { idOf } from './factories';

const session: Recipe = async ({ test: { dataSource }, api }) => {
  const id = newId();
  await dataSource.query(
    `INSERT INTO sessions (id, digest, user_id, methods, signed_in_at, last_seen_at, expires_at, address, device)
     VALUES ($1, sha256(uuid_v7()::text::bytea), $2, '{pwd}', now(), now(), now() + interval '1 day', '203.0.113.7', 'Test')`,
    [id, await idOf(api)],
  );
  return { path: { session_id: id } };
};

const provider: Recipe = () => ({ path: { provider: 'company' } });

const EVERYONE = (status: number) => [status, status, status, status, status, null] as const;

/** Pages are open: they send people who are not signed in to `/sign-in`. A body that is no form is a 400. */
const PAGE_ROWS: readonly Row[] = [
  // For clients that do not prefer text/html.
  ['GET /', EVERYONE(404), nothing],
  ['GET /sign-in', EVERYONE(200), nothing],
  ['POST /sign-in', EVERYONE(400), nothing],
  ['GET /sign-out', EVERYONE(200), nothing],
  ['POST /sign-out', EVERYONE(400), nothing],
  ['GET /setup', EVERYONE(200), nothing],
  ['POST /setup', EVERYONE(400), nothing],
  // No provider is configured.
  ['GET /sso/{provider}/start', EVERYONE(404), provider],
  ['POST /sso/{provider}/start', EVERYONE(404), provider],
  ['GET /sso/{provider}/callback', EVERYONE(404), provider],
  ['POST /sso/{provider}/backchannel-logout', EVERYONE(400), provider],
];

export const OPEN_PAGES = PAGE_ROWS.map(([operation]) => operation);

export const SIGN_IN_ROWS: readonly Row[] = [
  ...PAGE_ROWS,
  // Access tokens have no session.
  ['GET /v1/session', [401, 404, 404, 404, 404, 404], nothing],
  ['DELETE /v1/session', [401, 404, 404, 404, 404, 404], nothing],
  ['GET /v1/users/me/sessions', [401, 200, 200, 200, 200, 200], nothing],
  ['DELETE /v1/users/me/sessions', [401, 204, 204, 204, 204, 204], nothing],
  ['DELETE /v1/users/me/sessions/{session_id}', [401, 404, 404, 404, 204, 204], session],
];
