import { Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { DataSource } from 'typeorm';
import { Secrets } from '../../config/secrets';
import { STORED_ID } from '../../database/id';
import { one } from '../../database/statements';
import { EndedTokens } from '../ended-tokens';
import { LEEWAY_S } from '../introspection';
import type { TokenMarks } from '../issuer';
import { ArtifactAdapter } from './artifact-adapter';
import { ArtifactCipher } from './artifact-cipher';
import { TOKEN_STATUS } from './token-status.sql';

const DENIED = 'DeniedToken';

/**
 * Whether an access token that this service issued still counts: its grant was not revoked, its account is open, and it
 * was not denied by itself. Tokens are JWTs, so nothing else of them is stored.
 */
@Injectable()
export class TokenStatus {
  private readonly cipher: ArtifactCipher;
  private readonly denied: ArtifactAdapter;

  constructor(
    private readonly dataSource: DataSource,
    private readonly ended: EndedTokens,
    secrets: Secrets,
  ) {
    this.cipher = new ArtifactCipher(secrets);
    this.denied = new ArtifactAdapter(DENIED, dataSource, this.cipher);
  }

  /** @param claims of a token whose signature and times are good */
  async isActive({ gid, jti, sub, client_id }: JWTPayload): Promise<boolean> {
    const grant = typeof gid === 'string' ? this.cipher.digest('Grant', gid) : null;
    const account = sub !== client_id && isUuid(sub) ? sub : null;
    const values = [grant, this.cipher.digest(DENIED, jti ?? ''), account, isUuid(client_id) ? client_id : null];
    return (await one<{ is_active: boolean }>(this.dataSource, TOKEN_STATUS, values)).is_active;
  }

  /** @returns by what `isActiveToken` finds the token again */
  marksOf({ gid, jti, client_id }: JWTPayload): TokenMarks {
    const grant = typeof gid === 'string' ? this.cipher.digest('Grant', gid) : null;
    const clientId = isUuid(client_id) ? client_id : null;
    return { grant, denied: this.cipher.digest(DENIED, jti ?? ''), clientId };
  }

  /** Denies a token until nothing takes it for good any more. */
  async deny(claims: JWTPayload): Promise<void> {
    const { jti, exp = 0, client_id } = claims;
    if (jti === undefined) return;
    const seconds = exp + LEEWAY_S - Math.floor(Date.now() / 1_000);
    if (seconds <= 0) return;
    await this.denied.upsert(jti, { exp, clientId: String(client_id) }, seconds);
    this.ended.byItself(this.marksOf(claims));
  }
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && STORED_ID.test(value);
}
