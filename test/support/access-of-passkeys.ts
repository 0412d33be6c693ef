import { newId } from '../../src/database/id';
import { given, nothing, type Recipe, type Row } from './access-table';

const passkey: Recipe = () => ({ path: { passkey_id: newId() } });
/** In good form, and of no authenticator. */
const response = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };

const everyone = (status: number) => [status, status, status, status, status, null] as const;

const PAGE_ROWS: readonly Row[] = [
  ['POST /v1/session/passkey/options', everyone(200), nothing],
  ['POST /v1/session/passkey', everyone(403), given(nothing, () => ({ response }))],
  ['GET /sign-in/recovery', everyone(200), nothing],
  ['POST /sign-in/recovery', everyone(400), nothing],
];

export const OPEN_PASSKEY_PAGES = PAGE_ROWS.map(([operation]) => operation);

/** An access token does not say that somebody signed in just now. */
export const PASSKEY_ROWS: readonly Row[] = [
  ...PAGE_ROWS,
  ['GET /v1/users/me/passkeys', [401, 200, 200, 200, 200, 200], nothing],
  ['POST /v1/users/me/passkeys/options', [401, 403, 403, 403, 403, 403], nothing],
  ['POST /v1/users/me/passkeys', [401, 403, 403, 403, 403, 403], given(nothing, () => ({ name: 'Laptop', response }))],
  ['DELETE /v1/users/me/passkeys/{passkey_id}', [401, 403, 403, 403, 403, 403], passkey],
  ['POST /v1/users/me/recovery-codes', [401, 403, 403, 403, 403, 403], nothing],
];
