import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../protocol/json-rpc';
import type { LegacyRevision } from '../protocol/revisions';
import { legacyVerdict, sightOf } from './era-verdict';
import { initializeHop, legacyNote } from './hop-message';
import type { Upstream } from './upstream';
import { NotOfEraError, type UpstreamEras } from './upstream-eras';
import { failureOfStatus, UpstreamFailure } from '../protocol/upstream-failure';
import { OWN_INFO, resultIn, type UpstreamWire } from './upstream-wire';

/** MCP 2025-11-25, transports, "Session Management"; the length is ours. */
const SESSION_ID = /^[\x21-\x7e]{1,4096}$/;

/** A session that an upstream of the legacy era has agreed to. */
export interface LegacyHandshake {
  readonly revision: LegacyRevision;
  /** Undefined if the upstream keeps none. */
  readonly sessionId: string | undefined;
  /** The upstream answers `initialize` with this result. */
  readonly result: JsonObject;
}

/** What carries messages, and what remembers the verdicts. */
export interface HandshakeTools {
  readonly wire: UpstreamWire;
  readonly eras: UpstreamEras;
}

/**
 * Begins a session (MCP 2025-11-25, lifecycle, "Initialization"), and keeps what that says about the era.
 *
 * @param wanted the upstream may answer with another revision of the era
 * @param capabilities of the client for whom the session is
 * @throws NotOfEraError; UpstreamFailure; the reason of the signal
 */
export async function beginSession(
  { wire, eras }: HandshakeTools,
  upstream: Upstream,
  { wanted, capabilities, signal }: { wanted: LegacyRevision; capabilities: JsonObject; signal: AbortSignal },
): Promise<LegacyHandshake> {
  const answer = await wire.ask(upstream, initializeHop(randomUUID(), wanted, capabilities, OWN_INFO), signal);
  const verdict = legacyVerdict(answer);
  if (verdict === undefined) {
    // A server of the modern era may answer anything to a method that it does not know.
    const isKnownModern = typeof (await eras.of(upstream.id)).modern === 'string';
    if (isKnownModern && answer.status >= 500) throw new NotOfEraError('legacy');
    throw failureOfStatus(answer.status, answer.challenge);
  }
  await eras.noteLegacy(upstream.id, verdict);
  if (verdict === null) throw new NotOfEraError('legacy', sightOf(answer, 'initialize'));
  const { sessionId } = answer;
  if (sessionId !== undefined && !SESSION_ID.test(sessionId))
    throw new UpstreamFailure('upstream_error', 'The id of its session is not valid.', false, answer.status);
  try {
    await wire.note(upstream, legacyNote({ method: 'notifications/initialized' }, verdict, sessionId), signal);
  } catch (error) {
    // No one will use it.
    if (sessionId !== undefined) void wire.end(upstream, verdict, sessionId);
    throw error;
  }
  return { revision: verdict, sessionId, result: resultIn(answer, 'initialize') };
}
