import { Injectable } from '@nestjs/common';
import { CredentialSecrets, type SecretRequest } from '../credentials/credential-secrets';
import { isObject, type JsonObject, type RequestId } from '../protocol/json-rpc';
import type { LegacyRevision } from '../protocol/revisions';
import type { ServerInfo } from '../protocol/translate';
import type { Reading } from '../protocol/json-reading';
import { UnavailableError } from '../../errors/errors';
import { TOKEN } from '../../http/requests/header-token';
import { AnswerBudget, type AnswerShare } from './answer-budget';
import { type Channel, openChannel } from './event-channel';
import { exchange, type ExchangeLimits, type UpstreamAnswer, type UpstreamMessage } from './exchange';
import { legacyHeaders, legacyNote } from './hop-message';
import type { Upstream } from './upstream';
import { type ConnectionUse, UpstreamAgents } from './upstream-agents';
import { failureOfConnection, UpstreamFailure } from '../protocol/upstream-failure';
import { UpstreamLimits } from './upstream-limits';

/** What we call ourselves towards upstreams. */
export const OWN_INFO: ServerInfo = { name: 'toolyard', title: 'Toolyard', version: '1' };

/** Headers of an entry that would change the hop itself. */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-(?:length|type|encoding)|accept|accept-encoding|mcp-.*)$/;
/** RFC 9110, section 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

type OutgoingMessage = Pick<UpstreamMessage, 'headers' | 'body' | 'id'>;

/** How a message is sent: until when, and who gets what comes before its answer. */
interface MessageOptions {
  readonly signal: AbortSignal;
  readonly onMessage?: UpstreamMessage['onMessage'];
  readonly reading?: Reading;
  readonly share?: AnswerShare | undefined;
}

/** Where a request goes, and the headers that do not belong to the message. */
type RequestTarget = Pick<SecretRequest, 'url' | 'headers'>;

/**
 * Sends messages to upstreams, with the headers of their entries and our own, and nothing else. The only place where the values
 * of credentials are put into requests: no one else gets them.
 */
@Injectable()
export class UpstreamWire {
  constructor(
    private readonly agents: UpstreamAgents,
    private readonly limits: UpstreamLimits,
    private readonly secrets: CredentialSecrets,
    private readonly budget: AnswerBudget,
  ) {}

  /**
   * A request of a client; or, without a body, the rest of the stream that brings its answer.
   *
   * @throws UpstreamFailure; the reason of the signal
   */
  call(upstream: Upstream, posted: OutgoingMessage, options: MessageOptions): Promise<UpstreamAnswer> {
    return this.post(upstream, posted, options, this.limits);
  }

  /**
   * A request of our own, which has to be answered soon: a page of a list, `server/discover`, `initialize`.
   *
   * @param how the answer is read, who takes other messages, and where its memory is counted for longer than until then
   * @throws UpstreamFailure; the reason of the signal
   */
  ask(
    upstream: Upstream,
    posted: OutgoingMessage,
    signal: AbortSignal,
    how: Pick<MessageOptions, 'reading' | 'share' | 'onMessage'> = {},
  ): Promise<UpstreamAnswer> {
    return this.askOwn(upstream, posted, { ...how, signal }, this.within(this.limits.pageMs));
  }

  /**
   * A request to which an upstream has an answer at once: `ping`.
   *
   * @throws UpstreamFailure; the reason of the signal
   */
  probe(upstream: Upstream, posted: OutgoingMessage, signal: AbortSignal): Promise<UpstreamAnswer> {
    return this.askOwn(upstream, posted, { signal }, this.within(this.limits.noteMs));
  }

  /**
   * A notification, or an answer to a request of the upstream.
   *
   * @throws UpstreamFailure; the reason of the signal
   */
  note(upstream: Upstream, posted: OutgoingMessage, signal = new AbortController().signal): Promise<UpstreamAnswer> {
    return this.askOwn(upstream, posted, { signal }, this.within(this.limits.noteMs));
  }

  /**
   * Cancels a request in a session. Whether that succeeds changes nothing: no one waits for the request any more.
   */
  cancel(upstream: Upstream, revision: LegacyRevision, sessionId: string | undefined, requestId: RequestId): void {
    const params = { requestId, reason: 'The client has cancelled the request, or it took too long.' };
    const posted = legacyNote({ method: 'notifications/cancelled', params }, revision, sessionId);
    this.note(upstream, posted).catch(() => undefined);
  }

  /** Ends a session, if the upstream allows it. Never throws: it would end by itself. */
  async end(upstream: Upstream, revision: LegacyRevision, sessionId: string): Promise<void> {
    try {
      const { url, headers } = await this.addressed(upstream);
      const { body } = await this.agents.of(url).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'DELETE',
        headers: { ...headers, ...legacyHeaders(revision, sessionId) },
        signal: AbortSignal.timeout(this.limits.noteMs),
      });
      await body.dump({ limit: 65_536 });
    } catch {
      // 405 is allowed, and an upstream that is gone has no sessions.
    }
  }

  /**
   * Opens a stream that stays open: a GET, or a POST if something is posted.
   *
   * @throws UpstreamFailure; the reason of the signal
   */
  async open(
    upstream: Upstream,
    posted: Partial<OutgoingMessage>,
    options: Required<Pick<MessageOptions, 'signal' | 'onMessage'>>,
  ): Promise<Channel> {
    const { firstByteMs } = this.limits;
    const { body, id } = posted;
    return this.withCredential(upstream, ({ url, headers: own }) => {
      const headers = { ...own, ...posted.headers };
      return openChannel(this.agentOf(url, 'streams'), { url, headers, body, id, firstByteMs, ...options });
    });
  }

  /** Memory that is short says nothing of the upstream, which is asked again later. */
  private async askOwn(
    upstream: Upstream,
    posted: OutgoingMessage,
    options: MessageOptions,
    limits: ExchangeLimits,
  ): Promise<UpstreamAnswer> {
    const share = options.share ?? this.budget.openOwn();
    try {
      return await this.post(upstream, posted, { ...options, share }, limits);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      throw new UpstreamFailure('rate_limited', 'There was no memory for its answer.', false, undefined, {
        cause: error,
      });
    } finally {
      if (share !== options.share) share.release();
    }
  }

  private post(
    upstream: Upstream,
    posted: OutgoingMessage,
    options: MessageOptions,
    limits: ExchangeLimits,
  ): Promise<UpstreamAnswer> {
    return this.withCredential(upstream, ({ url, headers: own }) => {
      const headers = { ...own, ...posted.headers };
      return exchange(this.agentOf(url, 'calls'), { url, ...posted, headers, ...options }, limits);
    });
  }

  /**
   * Sends once more with another token, if the one that was sent is refused: nothing was done with it.
   *
   * @throws UpstreamFailure, also if the credential must not be sent
   */
  private async withCredential<T extends object>(
    upstream: Upstream,
    send: (to: RequestTarget) => Promise<T>,
  ): Promise<T> {
    const { credential } = upstream;
    const plain = ofEntry(upstream);
    if (!credential) return send({ url: new URL(upstream.url), headers: plain });
    const first = await this.secrets.fill(upstream, credential);
    const sent = await outcomeOf(send({ ...first, headers: { ...plain, ...allowed(first.headers) } }));
    if (!isRefused(sent) || !(await this.secrets.renewRefused(upstream, credential, first))) return settled(sent);
    const second = await this.secrets.fill(upstream, credential);
    const again = await outcomeOf(send({ ...second, headers: { ...plain, ...allowed(second.headers) } }));
    if (isRefused(again)) this.secrets.noteRefused(credential);
    return settled(again);
  }

  private async addressed(upstream: Upstream): Promise<RequestTarget> {
    const { credential } = upstream;
    const plain = ofEntry(upstream);
    if (!credential) return { url: new URL(upstream.url), headers: plain };
    const { url, headers } = await this.secrets.fill(upstream, credential);
    return { url, headers: { ...plain, ...allowed(headers) } };
  }

  private agentOf(url: URL, use: ConnectionUse) {
    try {
      return this.agents.of(url, use);
    } catch (error) {
      throw failureOfConnection(error);
    }
  }

  private within(milliseconds: number): ExchangeLimits {
    const { answerBytes } = this.limits;
    return {
      firstByteMs: milliseconds,
      callMs: milliseconds,
      askedMs: milliseconds,
      wholeMs: milliseconds,
      answerBytes,
    };
  }
}

/**
 * The result of an answer.
 *
 * @throws UpstreamFailure if it has none
 */
export function resultIn({ status, message }: UpstreamAnswer, method: string): JsonObject {
  const { result, error } = message ?? {};
  if (isObject(result)) return result;
  const code = isObject(error) && Number.isSafeInteger(error.code) ? ` the error ${String(error.code)} and` : '';
  throw new UpstreamFailure('upstream_error', `It answered ${method} with${code} status ${status}.`, false, status);
}

function ofEntry({ headers }: Upstream): Record<string, string> {
  return { 'user-agent': 'Toolyard', ...allowed(headers) };
}

function allowed(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    given.filter(([name, value]) => TOKEN.test(name) && HEADER_VALUE.test(value) && !OWN_HEADERS.test(name)),
  );
}

/** What has come of a request: a stream that is refused is an error, an answer is not. */
type Outcome<T> = { readonly value: T } | { readonly error: unknown };

async function outcomeOf<T>(sent: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await sent };
  } catch (error) {
    return { error };
  }
}

function isRefused(outcome: Outcome<object>): boolean {
  if ('error' in outcome) return outcome.error instanceof UpstreamFailure && outcome.error.status === 401;
  return 'status' in outcome.value && outcome.value.status === 401;
}

function settled<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
