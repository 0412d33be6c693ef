import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../config/clock';
import { Ending } from '../../config/ending';
import { Environment } from '../../config/environment';
import { EndpointCredentials } from '../endpoints/endpoint-credentials';
import { eventBody } from '../event-types/event-body';
import { SendResult, WebhookSender } from '../sending/webhook-sender';
import type { AttemptResult } from './attempt-result';
import { ClaimedDelivery, Claims } from './claims';
import { type DisabledReason, EndpointDisabling, MAX_FAILURE_MS } from './endpoint-disabling';
import { Loop } from './loop';
import { Results } from './results';
import { nextAttemptAt } from './retry-schedule';
import { Slots } from './slots';

/** How long a result waits for others to be recorded with it. */
const LINGER_MS = 10;
/** This many results are recorded without waiting. */
const RESULT_BATCH_SIZE = 64;

/** Delay after an internal error, which is not the receiver's fault and does not count as a scheduled attempt. */
const INTERRUPTED_DELAY_MS = 60_000;

/**
 * Sends what is due. One loop: record results, claim as many deliveries as there are slots, start sending them. No lock
 * or connection of the database is held while something is being sent.
 */
@Injectable()
export class Dispatcher {
  private readonly logger = new Logger(Dispatcher.name);
  private readonly loop = new Loop(
    () => this.turn(),
    (error) => {
      if (error === undefined) this.logger.log('Webhook deliveries resumed.');
      else this.logger.warn(`Webhook deliveries are paused: ${(error as Error).message}`);
    },
  );
  private readonly inFlight = new Set<Promise<void>>();
  private readonly slots: Slots;
  /** Disables endpoints one after the other, while deliveries to other endpoints continue. */
  private disablingChain: Promise<void> = Promise.resolve();
  private readonly toDisable = new Set<string>();
  private results: AttemptResult[] = [];
  private isStopping = false;

  constructor(
    private readonly claims: Claims,
    private readonly resultsWriter: Results,
    private readonly disabling: EndpointDisabling,
    private readonly sender: WebhookSender,
    private readonly credentials: EndpointCredentials,
    environment: Environment,
    private readonly clock: Clock,
    private readonly ending: Ending,
  ) {
    this.slots = new Slots(environment.webhooksInFlight);
  }

  /** Call when there may be something to send. */
  wake(): void {
    this.loop.wake();
  }

  /**
   * Claims nothing more, waits for the attempts in flight, which have a deadline, and records their results. If there
   * is no time for that, other processes send them again when the claims end.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.loop.stop();
    await Promise.race([Promise.all(this.inFlight), this.ending.isHurried]);
    await this.recordResults().catch((error: unknown) =>
      this.logger.warn(
        `The results of ${this.results.length} attempts could not be recorded: ${(error as Error).message}`,
      ),
    );
    await Promise.race([this.disablingChain, this.ending.isHurried]);
  }

  private async turn(): Promise<number> {
    await this.recordResults();
    if (this.slots.free.total === 0 || this.isStopping) return Infinity;
    const claim = await this.claims.take(this.slots);
    for (const delivery of claim.deliveries) this.begin(delivery, claim.id);
    return claim.rest;
  }

  private begin(delivery: ClaimedDelivery, claimId: string): void {
    this.slots.take(delivery.tenant_id, delivery.is_doubtful);
    const sending = this.attempt(delivery, claimId).then((result) => {
      this.inFlight.delete(sending);
      this.slots.give(delivery.tenant_id, delivery.is_doubtful);
      this.results.push(result);
      this.loop.wake(this.results.length >= RESULT_BATCH_SIZE ? 0 : LINGER_MS);
    });
    this.inFlight.add(sending);
  }

  private async attempt(delivery: ClaimedDelivery, claimId: string): Promise<AttemptResult> {
    const result = await this.send(delivery);
    const endedAt = new Date(result.startedAt.getTime() + result.durationMs);
    const next = result.error === null ? null : nextAfter(result, delivery.step, endedAt);
    return {
      endpoint_id: delivery.endpoint_id,
      delivery_id: delivery.delivery_id,
      claim_id: claimId,
      number: delivery.attempt,
      event_type: delivery.type,
      target_url: delivery.target_url,
      encrypted_query: delivery.encrypted_query?.toString('hex') ?? null,
      generation: delivery.generation,
      started_at: result.startedAt.toISOString(),
      duration_ms: result.durationMs,
      response_status: result.responseStatus,
      response_body: result.responseBody,
      error: result.error?.code ?? null,
      error_message: result.error?.message ?? null,
      next_at: next?.toISOString() ?? null,
    };
  }

  private async send(delivery: ClaimedDelivery): Promise<SendResult> {
    try {
      const { targetUrl, secrets, headers } = this.credentials.open(delivery);
      return await this.sender.send({
        id: delivery.event_id,
        body: eventBody(delivery.type, delivery.created_at, delivery.data),
        targetUrl,
        headers,
        secrets,
      });
    } catch (error) {
      // SECRETS_KEY is not the one that encrypted the secret. The delivery is retried until it is.
      this.logger.error(`Delivery ${delivery.delivery_id} could not be signed: ${(error as Error).message}`);
      const message = 'The service could not decrypt the signing secret.';
      return {
        startedAt: this.clock.now(),
        durationMs: 0,
        responseStatus: null,
        responseBody: null,
        retryAfter: null,
        error: { code: 'interrupted', message },
      };
    }
  }

  private async recordResults(): Promise<void> {
    if (this.results.length === 0) return;
    const results = this.results;
    this.results = [];
    let failing;
    try {
      failing = await this.resultsWriter.record(results);
    } catch (error) {
      this.results = [...results, ...this.results];
      throw error;
    }
    const oldest = this.clock.now().getTime() - MAX_FAILURE_MS;
    const expired = new Set(
      failing.filter(({ failing_since }) => failing_since.getTime() <= oldest).map(({ endpoint_id }) => endpoint_id),
    );
    for (const result of results) {
      if (result.response_status === 410) this.disable('gone', result);
      else if (result.error !== null && expired.delete(result.endpoint_id)) this.disable('failing', result);
    }
  }

  /** Not awaited: all endpoints of an owner may be gone at once. If it fails, the next attempt requests it again. */
  private disable(reason: DisabledReason, result: AttemptResult): void {
    if (this.toDisable.has(result.endpoint_id)) return;
    this.toDisable.add(result.endpoint_id);
    this.disablingChain = this.disablingChain
      .then(() => this.disabling.disable(reason, result))
      .catch((error: unknown) =>
        this.logger.warn(`Endpoint ${result.endpoint_id} could not be disabled: ${(error as Error).message}`),
      )
      .finally(() => this.toDisable.delete(result.endpoint_id));
  }
}

/** @returns null if there is no further attempt */
function nextAfter(result: SendResult, step: number, endedAt: Date): Date | null {
  if (result.error?.code === 'interrupted') return new Date(endedAt.getTime() + INTERRUPTED_DELAY_MS);
  return nextAttemptAt({ ...result, step }, endedAt, Math.random());
}
