import { isObject, RpcCode } from '../protocol/json-rpc';
import { isLegacy, isModern, type LegacyRevision, type ModernRevision, REVISIONS } from '../protocol/revisions';
import { UpstreamFailure } from '../protocol/upstream-failure';
import type { UpstreamAnswer } from './exchange';

/**
 * What an answer says about an era of an upstream: the revision that it speaks; null: it does not speak the era; undefined:
 * nothing, because something else was in the way.
 */
export type Verdict<Revision extends string> = Revision | null | undefined;

/** Errors that only servers of the modern era send (MCP 2026-07-28, versioning, "Backward Compatibility"). */
export const MODERN_CODES: readonly unknown[] = [
  RpcCode.HeaderMismatch,
  RpcCode.MissingRequiredClientCapability,
  RpcCode.UnsupportedProtocolVersion,
];

/**
 * @param answer to `server/discover` in a revision without handshake
 * @param asked that revision
 */
export function modernVerdict({ status, message }: UpstreamAnswer, asked: ModernRevision): Verdict<ModernRevision> {
  if (isInTheWay(status)) return undefined;
  const result = message?.result;
  if (isObject(result)) {
    // A server of an earlier revision may answer anything to a method that it does not know.
    return newest(result.supportedVersions, asked);
  }
  const error = message?.error;
  if (!isObject(error) || !MODERN_CODES.includes(error.code)) return null;
  if (error.code !== RpcCode.UnsupportedProtocolVersion) return asked;
  return newest(isObject(error.data) ? error.data.supported : undefined, asked);
}

/** @param answer to `initialize` */
export function legacyVerdict({ status, message }: UpstreamAnswer): Verdict<LegacyRevision> {
  if (isInTheWay(status)) return undefined;
  const result = message?.result;
  if (!isObject(result) || typeof result.protocolVersion !== 'string') return null;
  return isLegacy(result.protocolVersion) ? result.protocolVersion : null;
}

/** What may be repeated of what a server says: it is read by people and models. */
const REVISION = /^[\w.-]{1,32}$/;
const MEDIA_TYPE = /^[a-z0-9.+-]{1,64}\/[a-z0-9.+-]{1,64}$/;
/** A failure shows so many of the revisions that a server names. */
const MAX_NAMED = 5;

/**
 * @param method that was asked
 * @returns what was seen, for people: `initialize` with `text/html`
 */
export function sightOf({ status, message, strangeType }: UpstreamAnswer, method: string): string {
  const { result, error } = message ?? {};
  const revisions = isObject(result) ? [result.protocolVersion, result.supportedVersions].flat() : [];
  const named = revisions.filter((revision) => typeof revision === 'string' && REVISION.test(revision));
  if (named.length > 0) return `\`${method}\` with revision ${named.slice(0, MAX_NAMED).join(', ')}`;
  if (isObject(result)) return `\`${method}\` without a revision`;
  if (isObject(error) && Number.isSafeInteger(error.code))
    return `\`${method}\` with the error ${String(error.code)} and status ${status}`;
  if (strangeType !== undefined && MEDIA_TYPE.test(strangeType))
    return `\`${method}\` with \`${strangeType}\` and status ${status}`;
  return `\`${method}\` with status ${status} and no JSON-RPC message`;
}

/** @param sights what it answered (`sightOf`), as far as it was asked just now */
export function failureOfRevision(sights: readonly (string | undefined)[]): UpstreamFailure {
  const seen = sights.filter((sight) => sight !== undefined).join(' and ');
  const said =
    seen === '' ? 'It speaks none of the revisions that Toolyard speaks:' : `It answered ${seen}. Toolyard speaks`;
  return new UpstreamFailure('upstream_error', `${said} ${REVISIONS.join(', ')}.`, false);
}

/** Credentials, limits and failures say nothing about revisions; nor does an answer that has not come. */
function isInTheWay(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 500;
}

function newest(supported: unknown, asked: ModernRevision): ModernRevision | null {
  if (!Array.isArray(supported)) return null;
  const known = supported.filter(
    (revision): revision is ModernRevision => typeof revision === 'string' && isModern(revision),
  );
  return known.includes(asked) ? asked : (known[0] ?? null);
}
