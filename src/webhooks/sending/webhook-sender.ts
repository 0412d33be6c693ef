import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { SpanContext } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { TargetUrls } from './target-url';
import { formatTraceparent } from '../../tracing/trace-context';
import { inSpan, isTracing } from '../../tracing/tracing';
import { passing } from '../stations';
import { attemptSpan, endAttempt } from './attempt-span';
import { Attempt } from './attempt';
import { Connection, type OutgoingRequest } from './connection';
import { Connections } from './connections';
import { dial } from './dial';
import { DnsError } from '../../outbound/dns-resolver';
import type { OutgoingWebhook, SendResult } from './outgoing-webhook';
import { requestHeaders } from './request-headers';
import { type SendError, SendFailure, statusError } from './send-error';
import { sign } from './signature';
import { type Target, targetOf } from './target';
import { RefusedAddressError, TargetAddresses } from '../../outbound/target-addresses';

export type { OutgoingWebhook, SendResult } from './outgoing-webhook';
export type { SendError, SendErrorCode } from './send-error';

/** A request as it would go now. */
export interface PreparedRequest extends Pick<OutgoingRequest, 'headers' | 'body'> {
  /** Unix seconds. */
  timestamp: number;
  /** Why it would be refused before anything is sent; null if it would not. */
  refusal: string | null;
}

const MAX_CACHED_TARGETS = 10_000;

/** Sends webhooks: each attempt is signed, goes to checked addresses and has one deadline (contract, section 8). */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly logger = new Logger(WebhookSender.name);
  private readonly connections: Connections;
  private readonly deadline: number;
  private readonly parsedTargets = new LRUCache<string, Target>({ max: MAX_CACHED_TARGETS });
  private readonly inFlight = new Set<Attempt>();
  private isStopped = false;
  private readonly sendsTraceparent: boolean;

  constructor(
    environment: Environment,
    private readonly clock: Clock,
    private readonly targets: TargetUrls,
    private readonly addresses: TargetAddresses,
  ) {
    this.deadline = environment.webhooksDeadline * 1_000;
    this.sendsTraceparent = environment.webhooksTraceparent;
    this.connections = new Connections(environment.webhooksInFlight);
  }

  /**
   * Makes one attempt. Ends within the configured deadline, measured from the DNS query to the last byte of the
   * response. A receiver may get the message twice: if a reused connection is closed without a response, the request is
   * sent again on a new one.
   *
   * @returns the result; never rejects
   */
  send(webhook: OutgoingWebhook): Promise<SendResult> {
    return isTracing() ? this.sendTraced(webhook) : this.attempt(webhook);
  }

  /** The request of an attempt that starts now, with the values of all headers. Nothing is sent. */
  prepare(webhook: OutgoingWebhook): PreparedRequest {
    const timestamp = Math.floor(this.clock.now().getTime() / 1_000);
    // A traceparent is made for each attempt, so here it is there without a value.
    const traceparent = isTracing() && this.sendsTraceparent ? '' : undefined;
    const refusal = this.targets.formFault(webhook.targetUrl)?.msg ?? null;
    return { timestamp, refusal, ...this.signed(webhook, timestamp, traceparent) };
  }

  private sendTraced(webhook: OutgoingWebhook): Promise<SendResult> {
    return inSpan('POST webhook', attemptSpan(webhook), async (span) => {
      const result = await this.attempt(webhook, span && this.sendsTraceparent ? span.spanContext() : undefined);
      if (span) endAttempt(span, result);
      return result;
    });
  }

  /** @param trace that the receiver gets to know */
  private async attempt(webhook: OutgoingWebhook, trace?: SpanContext): Promise<SendResult> {
    const startedAt = this.clock.now();
    const attempt = new Attempt(this.deadline);
    this.inFlight.add(attempt);
    if (this.isStopped) attempt.end(stopping());
    let error: SendError | null;
    try {
      await this.perform(webhook, Math.floor(startedAt.getTime() / 1_000), attempt, trace);
      error = statusError(attempt.status);
    } catch (cause) {
      error = this.errorOf(attempt.failure ?? cause);
    }
    attempt.close();
    this.inFlight.delete(attempt);
    const hasResponse = attempt.status !== 0;
    const responseBody = hasResponse ? await attempt.body.text(attempt.hasEnded) : null;
    return {
      startedAt,
      durationMs: Math.round(attempt.duration),
      responseStatus: hasResponse ? attempt.status : null,
      responseBody,
      retryAfter: attempt.retryAfter,
      error,
    };
  }

  /** Attempts in flight end as `interrupted`; to let them finish, wait for them in an earlier hook. */
  onApplicationShutdown(): void {
    this.isStopped = true;
    for (const attempt of this.inFlight) attempt.end(stopping());
    this.connections.close();
  }

  /** @throws SendFailure; RefusedAddressError; DnsError */
  private async perform(
    webhook: OutgoingWebhook,
    timestamp: number,
    attempt: Attempt,
    trace: SpanContext | undefined,
  ): Promise<void> {
    const target = this.targetOf(webhook.targetUrl);
    const request = {
      path: target.path,
      ...this.signed(webhook, timestamp, trace && formatTraceparent(trace)),
    };
    const idle = this.connections.take(target.origin);
    if (idle) {
      try {
        return await this.exchange(idle, webhook.id, request, attempt);
      } catch (error) {
        // The receiver closed the connection while it was idle or during the request. We cannot know whether it read
        // the request; delivery is guaranteed at least once.
        const wasClosed = error instanceof SendFailure && error.code === 'connection_failed' && attempt.status === 0;
        if (!wasClosed) throw error;
      }
    }
    await this.exchange(await this.open(target, attempt), webhook.id, request, attempt);
  }

  private signed(webhook: OutgoingWebhook, timestamp: number, traceparent: string | undefined) {
    const body = Buffer.from(webhook.body);
    const signature = sign(webhook.id, timestamp, body, webhook.secrets);
    return { headers: requestHeaders(webhook.id, timestamp, signature, webhook.headers, traceparent), body };
  }

  /** Cached, because parsing costs as much as signing. */
  private targetOf(targetUrl: string): Target {
    let target = this.parsedTargets.get(targetUrl);
    if (!target) {
      const fault = this.targets.formFault(targetUrl);
      if (fault) throw new SendFailure('target_refused', fault.msg);
      target = targetOf(targetUrl);
      this.parsedTargets.set(targetUrl, target);
    }
    return target;
  }

  /** @param id of the event */
  private async exchange(
    connection: Connection,
    id: string,
    request: OutgoingRequest,
    attempt: Attempt,
  ): Promise<void> {
    passing('dialled', () => [id]);
    try {
      const exchange = attempt.over(connection, request);
      passing('sent', () => [id]);
      await exchange;
    } finally {
      if (attempt.hasEnded) this.connections.keep(connection);
      else connection.destroy();
    }
  }

  private async open(target: Target, attempt: Attempt): Promise<Connection> {
    attempt.stage = 'resolving the host name';
    const addresses = await this.addresses.resolve(target.hostname, attempt.signal);
    const connection = new Connection(target.origin, await dial(target, addresses, attempt));
    connection.onceClosed(() => this.connections.forget(connection));
    return connection;
  }

  private errorOf(cause: unknown): SendError {
    if (cause instanceof SendFailure) return { code: cause.code, message: cause.message };
    if (cause instanceof RefusedAddressError) return { code: 'address_refused', message: cause.message };
    if (cause instanceof DnsError) return { code: 'dns_failed', message: cause.message };
    this.logger.error(cause);
    return { code: 'interrupted', message: 'An internal error interrupted the attempt.' };
  }
}

function stopping(): SendFailure {
  return new SendFailure('interrupted', 'The service was stopped during the attempt.');
}
