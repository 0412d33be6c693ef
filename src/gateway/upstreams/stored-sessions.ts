import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import type { Columns } from '../../database/columns';
import { isLegacy } from '../protocol/revisions';
import { contextOf, type LegacyLink, nameOf, refOf, type SessionKey } from './session-key';
import type { UpstreamSession } from './upstream-session.entity';

/** The columns of a session with which it can be used. */
export type SessionRow = Pick<Columns<UpstreamSession>, 'revision' | 'session_id'>;

/** Sessions as the database has them: their ids are sealed, each for its key. */
export class StoredSessions {
  private readonly keys: Keyring;

  constructor(secrets: Secrets) {
    this.keys = secrets.derive('upstream sessions');
  }

  /** @returns the id for the database; null: the session has none */
  seal(key: SessionKey, sessionId: string | undefined): Buffer | null {
    return sessionId === undefined ? null : sealText(this.keys, contextOf(key), sessionId);
  }

  /** @returns undefined if its process has not begun it yet, or if it was sealed by a key that is no longer accepted */
  open({ revision, session_id: sealed }: SessionRow, key: SessionKey): LegacyLink | undefined {
    if (!isLegacy(revision)) return undefined;
    const link = { key, name: nameOf(key), ref: refOf(key), revision, sealed };
    if (sealed === null) return { ...link, sessionId: undefined };
    const opened = tryUnsealText(this.keys, contextOf(key), sealed);
    return opened && { ...link, sessionId: opened.text };
  }
}
