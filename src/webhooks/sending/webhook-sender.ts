import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { TargetUrls } from '../endpoints/target-url';
import { passing } from '../stations';
import { Attempt } from './attempt';
import { Connection, type OutgoingRequest } from './connection';
import { Connections } from './connections';
import { dial } from './dial';
import { DnsError } from '../../outbound/dns-resolver';
import { requestHeaders } from './request-headers';
import { type SendError, SendFailure, statusError } from './send-error';
import { sign } from './signature';
import { type Target, targetOf } from './target';
import { RefusedAddressError, TargetAddresses } from '../../outbound/target-addresses';

export type { SendError, SendErrorCode } from './send-error';

const MAX_CACHED_TARGETS = 10_000;

/** One message to one endpoint, ready to be sent. */
export interface OutgoingWebhook {
  /** `webhook-id`: the event's id, the same in every attempt. */
  id: string;
  /** The exact JSON text that is signed and sent. */
  body: string;
  targetUrl: string;
  /** The endpoint's custom headers. */
  headers: Readonly<Record<string, string>>;
  /** `whsec_…`, newest first; several during a rotation. */
  secrets: readonly string[];
}

/** The result of one attempt. */
export interface SendResult {
  startedAt: Date;
  /** Whole milliseconds. */
  durationMs: number;
  /** Null if there was no response. */
  responseStatus: number | null;
  /**
   * At most 16 KiB of the decompressed body, suitable for a column of type `text`; null if there was no response. It
   * may be truncated, also if the attempt failed in the middle.
   */
  responseBody: string | null;
  /** The header as it was received, at most 100 characters. */
  retryAfter: string | null;
  /** Null if and only if it succeeded: the status is 2xx, and the body ended in time or was longer than is kept. */
  error: SendError | null;
}

/** Sends webhooks: each attempt is signed, goes to checked addresses and has one deadline (contract, section 8). */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly logger = new Logger(WebhookSender.name);
  private readonly connections: Connections;
  private readonly deadline: number;
  private readonly parsedTargets = new LRUCache<string, Target>({ max: MAX_CACHED_TARGETS });
  private readonly inFlight = new Set<Attempt>();
  private isStopped = false;

  constructor(
    environment: Environment,
    private readonly clock: Clock,
    private readonly targets: TargetUrls,
    private readonly addresses: TargetAddresses,
  ) {
    this.deadline = environment.webhooksDeadline * 1_000;
    this.connections = new Connections(environment.webhooksInFlight);
  }

  /**
   * Makes one attempt. Ends within the configured deadline, measured from the DNS query to the last byte of the
   * response. A receiver may get the message twice: if a reused connection is closed without a response, the request is
   * sent again on a new one.
   *
   * @returns the result; never rejects
   */
  async send(webhook: OutgoingWebhook): Promise<SendResult> {
    const startedAt = this.clock.now();
    const attempt = new Attempt(this.deadline);
    this.inFlight.add(attempt);
    if (this.isStopped) attempt.end(stopping());
    let error: SendError | null;
    try {
      await this.perform(webhook, Math.floor(startedAt.getTime() / 1_000), attempt);
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
  private async perform(webhook: OutgoingWebhook, timestamp: number, attempt: Attempt): Promise<void> {
    const target = this.targetOf(webhook.targetUrl);
    const body = Buffer.from(webhook.body);
    const signature = sign(webhook.id, timestamp, body, webhook.secrets);
    const request = {
      path: target.path,
      headers: requestHeaders(webhook.id, timestamp, signature, webhook.headers),
      body,
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
