import type { UpstreamAnswer } from './exchange';
import type { LegacyLink, SessionOwner } from './session-key';
import { isDoubtful, type SessionDoubt, sessionDoubt } from './session-loss';
import { SessionPings } from './session-pings';
import { UpstreamFailure } from '../protocol/upstream-failure';
import type { UpstreamSessions } from './upstream-sessions';
import type { UpstreamWire } from './upstream-wire';

/** A request in a session. @throws UpstreamFailure; the reason of the signal */
type Send = (link: LegacyLink) => Promise<UpstreamAnswer>;
type Sent = { readonly answer: UpstreamAnswer } | { readonly failure: UpstreamFailure };

const AFTER_FAILURE: SessionDoubt = { kind: 'unsure', isRepeatable: false };

/** Sends requests in sessions with upstreams of the legacy era, and forgets sessions that turn out to be lost. */
export class SessionRepair {
  private readonly pings: SessionPings;

  constructor(
    private readonly sessions: UpstreamSessions,
    wire: UpstreamWire,
  ) {
    this.pings = new SessionPings(wire);
  }

  /**
   * Sends a request; once more in a new session, if the one before is lost and the request cannot have begun.
   *
   * @throws NotOfEraError; UpstreamFailure; the reason of the signal
   */
  async send(owner: SessionOwner, signal: AbortSignal, send: Send): Promise<UpstreamAnswer> {
    const link = await this.sessions.of(owner, signal);
    const sent = await sentBy(send, link);
    const doubt = doubtOf(sent, link);
    if (!doubt) this.sessions.noteWorking(link);
    else if (doubt.kind !== 'unsure' || (await this.pings.isLost(owner.upstream, link, signal))) {
      const isSure = doubt.kind === 'gone';
      const renewed = doubt.isRepeatable ? await this.sessions.renew(owner, link, isSure, signal) : undefined;
      if (renewed) return this.sendAgain(renewed, send);
      if (!doubt.isRepeatable) await this.sessions.drop(owner, link, isSure);
    }
    if ('failure' in sent) throw sent.failure;
    return sent.answer;
  }

  private async sendAgain(link: LegacyLink, send: Send): Promise<UpstreamAnswer> {
    const answer = await send(link);
    if (!sessionDoubt(answer, link.sessionId)) this.sessions.noteWorking(link);
    return answer;
  }
}

async function sentBy(send: Send, link: LegacyLink): Promise<Sent> {
  try {
    return { answer: await send(link) };
  } catch (error) {
    if (error instanceof UpstreamFailure) return { failure: error };
    throw error;
  }
}

function doubtOf(sent: Sent, { sessionId }: LegacyLink): SessionDoubt | undefined {
  if ('answer' in sent) return sessionDoubt(sent.answer, sessionId);
  return isDoubtful(sent.failure) ? AFTER_FAILURE : undefined;
}
