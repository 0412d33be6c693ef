import { createHash } from 'node:crypto';
import type { Columns } from '../../database/columns';
import { canonicalJson } from '../protocol/definition-digest';
import type { JsonObject } from '../protocol/json-rpc';
import type { LegacyRevision } from '../protocol/revisions';
import type { AddressRow, Upstream, UpstreamSessionRef } from './upstream';
import type { UpstreamSession } from './upstream-session.entity';

/** An owner says whose a session is, and at which server. */
export interface SessionOwner {
  readonly upstream: Upstream;
  readonly principal: string;
  readonly entryId: string;
  /** The key of the session of the client for whom it is; undefined: it has none. */
  readonly holder: string | undefined;
  /** The revision to ask for. */
  readonly wanted: LegacyRevision;
  readonly capabilities: JsonObject;
}

/** A session as any process can use it. */
export interface LegacyLink {
  /** All sessions that follow one another for the same owner have this name. */
  readonly name: string;
  readonly revision: LegacyRevision;
  readonly sessionId: string | undefined;
  readonly ref: UpstreamSessionRef;
  readonly key: SessionKey;
  /** As it is stored: two sessions never have the same. */
  readonly sealed: Buffer | null;
}

/** A session and its server. */
export interface HeldSession {
  readonly upstream: Upstream;
  readonly link: LegacyLink;
}

export type SessionKey = readonly [principal: string, entryId: string, upstreamId: string, capabilities: Buffer];
export type EndedRow = Omit<Columns<UpstreamSession>, 'upstream' | 'used_at' | 'holders' | 'log_level'> & AddressRow;

/**
 * The capabilities decide what an upstream may ask for, and the revision how: sessions of others would not do. Nor would one
 * that was begun with other values of the credential.
 */
export function keyOf({ principal, entryId, upstream, wanted, capabilities }: SessionOwner): SessionKey {
  const digest = createHash('sha256')
    .update(
      canonicalJson(upstream.credential ? [wanted, capabilities, upstream.credential.version] : [wanted, capabilities]),
    )
    .digest();
  return [principal, entryId, upstream.id, digest];
}

export function keyOfRow({ principal, entry_id, upstream_id, capabilities }: EndedRow): SessionKey {
  return [principal, entry_id, upstream_id, capabilities];
}

export function bytesOf(holder: string): Buffer {
  return Buffer.from(holder, 'base64url');
}

export function nameOf([principal, entryId, upstreamId, capabilities]: SessionKey): string {
  return `${entryId} ${upstreamId} ${capabilities.toString('base64url')} ${principal}`;
}

export function refOf([, entryId, upstreamId, capabilities]: SessionKey): UpstreamSessionRef {
  return { upstreamId, entryId, capabilities: capabilities.toString('base64url') };
}

/** Authenticated with the id, so that the row of another principal is of no use. */
export function contextOf(key: SessionKey): string {
  return `upstream session ${nameOf(key)}`;
}

/** A session without an id is only known to be the same as itself. */
export function isSame(one: LegacyLink, other: LegacyLink): boolean {
  return one === other || (one.sealed !== null && same(one.sealed, other.sealed));
}

export function same(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
