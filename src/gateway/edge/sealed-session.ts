import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { isLegacy, type LegacyRevision } from '../protocol/revisions';

/** For how long a session of a client is good. Then the client begins again, which it does by itself. */
const LIFE_MS = 24 * 3_600_000;
/** A header of 16 KiB is refused by proxies, and what a client declares is of its choice. */
const MAX_TEXT_LENGTH = 4_096;

/** What a client and this service agreed upon in `initialize`. */
export interface LegacySession {
  readonly revision: LegacyRevision;
  /** What the client can do, as it declared it. */
  readonly capabilities: JsonObject;
  readonly client: { readonly name: string; readonly version: string };
  /** Who began it: only they may use it. */
  readonly principal: string;
  /** The address that it was begun at. */
  readonly path: string;
}

/**
 * `Mcp-Session-Id` of clients with a handshake: the session itself, sealed (AES-256-GCM). Every replica can read it, so
 * nothing is stored, and a client that never ends its sessions leaves nothing behind.
 */
@Injectable()
export class SealedSessions {
  private readonly keys: Keyring;

  constructor(
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.keys = secrets.derive('MCP sessions');
  }

  /** @returns the id, of visible ASCII characters; undefined if what the client declares is too much for a header */
  begin(session: LegacySession): string | undefined {
    const { revision, capabilities, client, principal, path } = session;
    const until = this.clock.now().getTime() + LIFE_MS;
    const text = JSON.stringify([revision, capabilities, client.name, client.version, until]);
    if (text.length > MAX_TEXT_LENGTH) return undefined;
    return sealText(this.keys, contextOf(principal, path), text).toString('base64url');
  }

  /**
   * @param id as the client sends it
   * @param principal who sends it, and `path` where
   * @returns undefined if it was begun by someone else, elsewhere, or too long ago, or is none of ours
   */
  read(id: string, principal: string, path: string): LegacySession | undefined {
    if (!/^[\w-]{40,8192}$/.test(id)) return undefined;
    const bytes = Buffer.from(id, 'base64url');
    // Some bits of the last character mean nothing: spelled in another way, an id that was ended would not be known as ended.
    if (bytes.toString('base64url') !== id) return undefined;
    const opened = tryUnsealText(this.keys, contextOf(principal, path), bytes);
    if (!opened) return undefined;
    const [revision, capabilities, name, version, until] = JSON.parse(opened.text) as [
      string,
      unknown,
      string,
      string,
      number,
    ];
    if (until <= this.clock.now().getTime() || !isLegacy(revision) || !isObject(capabilities)) return undefined;
    return { revision, capabilities, client: { name, version }, principal, path };
  }
}

/** Authenticated with the session, so that another principal, or another address, cannot open it. */
function contextOf(principal: string, path: string): string {
  return `MCP session of ${principal} at ${path}`;
}
