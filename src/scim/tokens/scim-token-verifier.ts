import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { StoredSecretToken } from '../../auth/secret-tokens/secret-token-kind';
import { Clock } from '../../config/clock';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { SCIM_TOKEN } from './scim-token';

interface TokenRow extends StoredSecretToken {
  org_id: string;
  expires_at: Date | null;
  is_revoked: boolean;
}

/** $1 digest. */
const FIND_TOKEN = `
  SELECT id, org_id, digest, expires_at, last_used_at, false AS is_revoked FROM scim_tokens WHERE digest = $1
  UNION ALL
  SELECT id, org_id, digest, NULL, NULL, true FROM revoked_scim_tokens WHERE digest = $1`;

/** A token, and its organisation. */
export interface VerifiedScimToken {
  tokenId: string;
  /** In the database's spelling. */
  orgId: string;
  /** An `expired` or `revoked` token gives no access, but identifies the organisation. */
  state: 'valid' | 'expired' | 'revoked';
}

/** Determines the organisation of a SCIM token. Nothing is cached, so a revoked token is rejected immediately. */
@Injectable()
export class ScimTokenVerifier {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * @param token as sent
   * @param orgId the organisation in the path, in any case; may be anything but a UUID
   * @throws AuthenticationError `invalid_token`: not a token of ours, or one of another organisation. One message for
   *   both, so that nobody learns which organisation a token belongs to.
   */
  async verify(token: string, orgId: string): Promise<VerifiedScimToken> {
    if (!SCIM_TOKEN.hasForm(token)) throw invalid('This is not a SCIM token: SCIM tokens begin with "tys_".');
    const row = await SCIM_TOKEN.find<TokenRow>(this.dataSource, FIND_TOKEN, token);
    if (!row || row.org_id !== orgId.toLowerCase()) {
      throw invalid('This SCIM token does not belong to this organisation, or was revoked.');
    }
    const now = this.clock.now();
    const isExpired = row.expires_at !== null && row.expires_at <= now;
    const state = row.is_revoked ? 'revoked' : isExpired ? 'expired' : 'valid';
    if (state === 'valid') await SCIM_TOKEN.noteUse(this.dataSource, row, now);
    return { tokenId: row.id, orgId: row.org_id, state };
  }
}

function invalid(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}
