import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import type { ColumnsOf } from '../../database/columns';
import { execute, maybe } from '../../database/statements';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { digestOf, looksLikeToken } from './scim-token-secret';
import type { ScimToken } from './scim-token.entity';

/** `last_used_at` lags by at most this much, so that it costs no write each time. */
const FRESH_MS = 60_000;

/** $1 token, $2 now, $3 before which it is due. Never waits for another request that is at it. */
const TOUCH = `
  UPDATE scim_tokens SET last_used_at = $2 WHERE id = (
    SELECT id FROM scim_tokens WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)
    FOR NO KEY UPDATE SKIP LOCKED)`;

type TokenRow = ColumnsOf<ScimToken, 'id' | 'orgId' | 'digest' | 'expiresAt' | 'lastUsedAt'> & {
  is_revoked: boolean;
};

/** $1 digest. */
const FIND = `
  SELECT id, org_id, digest, expires_at, last_used_at, false AS is_revoked FROM scim_tokens WHERE digest = $1
  UNION ALL
  SELECT id, org_id, digest, NULL, NULL, true FROM revoked_scim_tokens WHERE digest = $1`;

/** A token, and the organisation that it is for. */
export interface VerifiedScimToken {
  tokenId: string;
  /** As the database writes it. */
  orgId: string;
  /** One that is `expired` or `revoked` opens nothing any more, but whose request it is can be told. */
  state: 'living' | 'expired' | 'revoked';
}

/** Says for which organisation a SCIM token speaks. Nothing is remembered, so a revoked token is refused at once. */
@Injectable()
export class ScimTokenVerifier {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * @param token as it was sent
   * @param orgId the organisation of the path, in any case; it need not be a UUID
   * @throws AuthenticationError `invalid_token`: no token of ours, or of another organisation. One message for both, so that
   *   nobody learns of which organisation a token is.
   */
  async verify(token: string, orgId: string): Promise<VerifiedScimToken> {
    if (!looksLikeToken(token)) throw invalid('This is no SCIM token: those begin with "tys_".');
    const digest = digestOf(token);
    const row = await maybe<TokenRow>(this.dataSource, FIND, [digest]);
    if (!row || !timingSafeEqual(row.digest, digest) || row.org_id !== orgId.toLowerCase()) {
      throw invalid('This SCIM token is not known in this organisation, or was revoked.');
    }
    const now = this.clock.now();
    const isExpired = row.expires_at !== null && row.expires_at <= now;
    const state = row.is_revoked ? 'revoked' : isExpired ? 'expired' : 'living';
    if (state === 'living') await this.touch(row, now);
    return { tokenId: row.id, orgId: row.org_id, state };
  }

  private async touch({ id, last_used_at }: TokenRow, now: Date): Promise<void> {
    const due = new Date(now.getTime() - FRESH_MS);
    if (last_used_at === null || last_used_at < due) await execute(this.dataSource, TOUCH, [id, now, due]);
  }
}

function invalid(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}
