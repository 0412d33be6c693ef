import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import { newId } from '../../database/id';
import { execute, many, maybe } from '../../database/statements';
import { OFFLINE_ACCESS } from '../scopes';
import type { ArtifactCipher } from './artifact-cipher';
import {
  type ArtifactRow,
  CONSUME,
  DELETE,
  DELETE_FAMILY,
  DELETE_OF_GRANT,
  FIND,
  FIND_BY_UID,
  FIND_BY_USER_CODE,
  SAVE,
  SAVE_ONCE,
} from './artifacts.sql';
import { protocolErrors } from './library';
import { isStorable } from './protocol-text';

/** For what the library keeps without an end. */
const MAX_LIFE_S = 31 * 86_400;

/** Models that are found by another key than their id; their payload, which is encrypted, has to say the id. */
const FOUND_BY_OTHER_KEYS = new Set(['DeviceCode', 'Session']);

/** What a payload is looked up by. */
interface Keys {
  jti?: string;
  userCode?: string;
}

/** What one model needs besides the database. */
export interface ArtifactContext {
  /** @returns the id of the console's session of the current request, if there is one */
  currentSession: () => string | undefined;
  /** Is called after a grant was ended, with its digest. */
  onGrantEnded: (digest: Buffer) => void;
}

const NO_CONTEXT: ArtifactContext = { currentSession: () => undefined, onGrantEnded: () => undefined };

/**
 * Stores one model of the protocol library in `oauth_artifacts`. The library's ids are the values of codes and tokens,
 * and its payloads repeat them; here the id is a digest, and the payload is encrypted without it.
 */
export class ArtifactAdapter implements Adapter {
  constructor(
    private readonly model: string,
    private readonly dataSource: DataSource,
    private readonly cipher: ArtifactCipher,
    private readonly context: ArtifactContext = NO_CONTEXT,
  ) {}

  /** @throws InvalidRequest for text that cannot be stored; InvalidClientAuth for an assertion that was seen before */
  async upsert(id: string, payload: AdapterPayload, expiresIn: number = MAX_LIFE_S): Promise<void> {
    if (!isStorable(payload))
      throw new (protocolErrors().InvalidRequest)('text contains a NUL character or a lone surrogate');
    const { jti, userCode, ...rest } = payload as AdapterPayload & Keys;
    const kept = FOUND_BY_OTHER_KEYS.has(this.model) ? { ...rest, jti } : rest;
    const digest = this.digest(id);
    const values = [
      digest,
      newId(),
      this.model,
      payload.grantId === undefined ? null : this.cipher.digest('Grant', payload.grantId),
      userCode === undefined ? null : this.cipher.userCodeDigest(userCode),
      payload.uid === undefined ? null : this.cipher.digest('uid', payload.uid),
      payload.accountId ?? null,
      payload.clientId ?? null,
      this.cipher.seal(digest, kept),
      Math.max(Math.ceil(expiresIn), 1),
      this.endsWithSession(payload) ? (this.context.currentSession() ?? null) : null,
    ];
    if (this.model !== 'ReplayDetection') await execute(this.dataSource, SAVE, values);
    else if ((await execute(this.dataSource, SAVE_ONCE, values)) === 0)
      throw new (protocolErrors().InvalidClientAuth)('client assertion tokens must only be used once');
  }

  /** A session of the library counts only in the session of the console in which it began. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await maybe<ArtifactRow>(this.dataSource, FIND, [this.digest(id)]);
    const isForeign = this.model === 'Session' && row && row.session_id !== (this.context.currentSession() ?? null);
    return isForeign ? undefined : this.payloadOf(row, { jti: id });
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const row = await maybe<ArtifactRow>(this.dataSource, FIND_BY_USER_CODE, [this.cipher.userCodeDigests(userCode)]);
    return this.payloadOf(row, { userCode });
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.payloadOf(await maybe<ArtifactRow>(this.dataSource, FIND_BY_UID, [this.cipher.digest('uid', uid)]), {});
  }

  /**
   * Of several processes that consume the same code or token, one succeeds. The others have used it a second time, so
   * everything that came from it is deleted.
   *
   * @throws InvalidGrant, or InvalidRequestUri for a pushed request
   */
  async consume(id: string): Promise<void> {
    const digest = this.digest(id);
    if ((await execute(this.dataSource, CONSUME, [digest])) > 0) return;
    await this.endFamily(digest);
    if (this.model === 'PushedAuthorizationRequest')
      throw new (protocolErrors().InvalidRequestUri)('request_uri was already used');
    throw new (protocolErrors().InvalidGrant)('already used');
  }

  /**
   * A refresh token goes with its grant and everything that came from it. The library deletes those next, but in
   * statements of their own: a process that is killed in between would leave a grant whose access tokens still count.
   */
  async destroy(id: string): Promise<void> {
    const digest = this.digest(id);
    if (this.model === 'RefreshToken') return this.endFamily(digest);
    await execute(this.dataSource, DELETE, [digest]);
    if (this.model === 'Grant') this.context.onGrantEnded(digest);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await execute(this.dataSource, DELETE_OF_GRANT, [this.model, this.cipher.digest('Grant', grantId)]);
  }

  private async endFamily(digest: Buffer): Promise<void> {
    const [ended] = await many<{ grant_digest: Buffer }>(this.dataSource, DELETE_FAMILY, [digest]);
    if (ended) this.context.onGrantEnded(ended.grant_digest);
  }

  /**
   * A session of the library, and a grant of a client that has not asked for access that outlasts the sign-in. Whoever
   * signs out ends the grant by the foreign key, and with it its access tokens.
   */
  private endsWithSession({ openid }: AdapterPayload): boolean {
    if (this.model === 'Session') return true;
    if (this.model !== 'Grant') return false;
    const scope = (openid as { scope?: string } | undefined)?.scope ?? '';
    return !scope.split(' ').includes(OFFLINE_ACCESS);
  }

  private digest(id: string): Buffer {
    return this.cipher.digest(this.model, id);
  }

  private payloadOf(row: ArtifactRow | undefined, keys: Keys): AdapterPayload | undefined {
    if (!row) return undefined;
    const payload: AdapterPayload = { ...this.cipher.open(row.digest, row.payload), ...keys };
    if (row.consumed_at) payload.consumed = Math.floor(row.consumed_at.getTime() / 1_000);
    // A grant's life is extended by its refresh tokens, in the column only.
    if (this.model === 'Grant') payload.exp = Math.floor(row.expires_at.getTime() / 1_000);
    return payload;
  }
}
