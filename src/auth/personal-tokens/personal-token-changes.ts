import type { Columns } from '../../database/columns';
import type { EventTypes } from '../../events/event-types';
import type { AccountActor, AccountChange } from '../../users/account-log/account-log';
import { isApiScope } from '../scopes';
import type { PersonalAccessToken } from './personal-access-token.entity';

/** A token that is no more, as the statements below return it. */
export type RevokedToken = Pick<Columns<PersonalAccessToken>, 'id' | 'scopes' | 'expires_at'>;

/** $1 account, $2 token. */
export const REVOKE_TOKEN = `
  DELETE FROM personal_access_tokens WHERE user_id = $1 AND id = $2 RETURNING id, scopes, expires_at`;

/** $1 account. The limit on unexpired tokens bounds how many there are. */
export const REVOKE_TOKENS = `
  DELETE FROM personal_access_tokens WHERE user_id = $1 RETURNING id, scopes, expires_at, expires_at > now() AS is_live`;

/** @returns what is published of a token */
export function tokenData(
  userId: string,
  { id, scopes, expires_at }: RevokedToken,
): EventTypes['access_token.created'] {
  const known = scopes.filter(isApiScope);
  return { org_id: null, user_id: userId, access_token_id: id, scopes: known, expires_at: expires_at.toISOString() };
}

/** @returns the end of a token, for the log */
export function revocation(
  userId: string,
  token: RevokedToken,
  reason: 'revoked' | 'signed_out',
  by: AccountActor,
): AccountChange<'access_token.revoked'> {
  return {
    action: 'access_token.revoked',
    userId,
    by,
    subject: { type: 'access_token', id: token.id },
    data: { ...tokenData(userId, token), reason },
  };
}
