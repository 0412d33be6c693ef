import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { type StoredSecretToken, USE_NOTED_FOR_MS } from '../../auth/secret-tokens/secret-token-kind';
import { Clock } from '../../config/clock';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { SCIM_TOKEN } from './scim-token';

/** Far more than are in use at a time. */
const REMEMBERED_TOKENS = 1_000;

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

/** What never changes about a token. */
interface RememberedToken {
  tokenId: string;
  orgId: string;
  /** When it expires, or its use has to be noted again; milliseconds since the epoch. */
  until: number;
}

/**
 * Determines the organisation of a SCIM token. What never changes about a token is remembered for up to a minute.
 * Whether it has been revoked never is, so a revoked token is rejected immediately by every replica
 * (docs/adr/0026-scim-requests.md).
 */
@Injectable()
export class ScimTokenVerifier {
  private readonly remembered = new LRUCache<string, RememberedToken>({ max: REMEMBERED_TOKENS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * @param token as sent
   * @param orgId the organisation in the path, in any case
   * @returns undefined if the token must be verified; otherwise it was valid within the last minute and has not expired,
   *   but may have been revoked: a statement of the request must ask for that (`isUnconfirmed` of its client)
   */
  recall(token: string, orgId: string): Pick<VerifiedScimToken, 'tokenId' | 'orgId'> | undefined {
    const known = this.remembered.get(digestOf(token));
    if (!known || known.until <= this.clock.now().getTime() || known.orgId !== orgId.toLowerCase()) return undefined;
    return known;
  }

  /**
   * Looks the token up in the database, and replaces the remembered result.
   *
   * @param token as sent
   * @param orgId the organisation in the path, in any case; may be anything but a UUID
   * @throws AuthenticationError `invalid_token`: not a token of ours, or one of another organisation. One message for
   *   both, so that nobody learns which organisation a token belongs to.
   */
  async verify(token: string, orgId: string): Promise<VerifiedScimToken> {
    if (!SCIM_TOKEN.hasForm(token)) throw invalid('This is not a SCIM token: SCIM tokens begin with "tys_".');
    this.remembered.delete(digestOf(token));
    const row = await SCIM_TOKEN.find<TokenRow>(this.dataSource, FIND_TOKEN, token);
    if (!row || row.org_id !== orgId.toLowerCase()) {
      throw invalid('This SCIM token does not belong to this organisation, or was revoked.');
    }
    const now = this.clock.now();
    const isExpired = row.expires_at !== null && row.expires_at <= now;
    const state = row.is_revoked ? 'revoked' : isExpired ? 'expired' : 'valid';
    if (state === 'valid') {
      await SCIM_TOKEN.noteUse(this.dataSource, row, now);
      this.remembered.set(digestOf(token), { tokenId: row.id, orgId: row.org_id, until: memoryEnd(row, now) });
    }
    return { tokenId: row.id, orgId: row.org_id, state };
  }
}

/** A remembered token does not note its use, so it is forgotten when the use is due to be noted again. */
function memoryEnd({ expires_at, last_used_at }: TokenRow, now: Date): number {
  const nowMs = now.getTime();
  const lastUse = last_used_at?.getTime() ?? 0;
  const dueAt = (lastUse > nowMs - USE_NOTED_FOR_MS ? lastUse : nowMs) + USE_NOTED_FOR_MS;
  return Math.min(dueAt, expires_at?.getTime() ?? Infinity);
}

/** So that memory holds no tokens. */
function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

function invalid(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}
