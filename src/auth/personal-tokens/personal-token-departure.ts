import { many } from '../../database/statements';
import { type AccountLog, SYSTEM } from '../../users/account-log/account-log';
import type { SignOut } from '../sessions/sign-outs';
import { REVOKE_TOKENS, type RevokedToken, revocation } from './personal-token-changes';

/**
 * Revokes all personal access tokens of an account: when it is deleted or closed, and whenever the person signs out
 * everywhere. Every replica is notified when the transaction ends. Those that had expired are not reported.
 */
export function removePersonalTokens(accountLog: AccountLog): SignOut {
  return async (manager, userId) => {
    const tokens = await many<RevokedToken & { is_live: boolean }>(manager, REVOKE_TOKENS, [userId]);
    const revoked = tokens.filter(({ is_live }) => is_live);
    await accountLog.record(manager, ...revoked.map((token) => revocation(userId, token, 'signed_out', SYSTEM)));
  };
}
