import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../config/clock';
import { Ending } from '../../config/ending';
import { Environment } from '../../config/environment';
import { EndpointCredentials } from '../endpoints/endpoint-credentials';
import { eventBody } from '../event-types/event-body';
import { SendResult, WebhookSender } from '../sending/webhook-sender';
import { type AttemptResult, latestOfEach } from './attempt-result';
import { type Claim, ClaimedDelivery, Claims } from './claims';
import { DeliveryCounters } from '../queue/delivery-counters';
import { FanOut } from './fan-out';
import { type DisabledReason, EndpointDisabling, MAX_FAILURE_MS } from './endpoint-disabling';
import { Loop } from './loop';
import { type JudgedLane, Results } from './results';
import { nextAttemptAt } from './retry-schedule';
import { Slots } from '../sending/slots';
import { passing } from '../stations';

/**
 * How long results wait for others to be recorded with them, and how many do not wait. Recording holds the lanes; what is
 * not recorded when the process dies is sent again.
 */
const RESULT_BATCH = { lingerMs: 10, size: 64 };

/** Delay after an internal error, which is not the receiver's fault and does not count as a scheduled attempt. */
const INTERRUPTED_DELAY_MS = 60_000;

/** How often to look for due deliveries at the latest, in case a notification was lost. */
const MAX_REST_MS = 1_000;

/**
 * Sends what is due. One loop: record results, claim as many deliveries as there are slots, start sending them. New
 * deliveries do not wait for it while slots are free: the step that creates them claims them. No lock or connection of
 * the database is held while something is being sent.
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
  /** When to record results, and when to claim; of `performance.now()`. */
  private recordAt = Infinity;
  private claimAt = 0;
  /** Whether something may be due that waits for a slot. */
  private isShort = false;
  /** While it is true, a claim counts on the slots that are free. */
  private isClaiming = false;
  /** The latest step of the fan-out. */
  private creating: Promise<unknown> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly claims: Claims,
    private readonly fanOut: FanOut,
    private readonly resultsWriter: Results,
    private readonly disabling: EndpointDisabling,
    private readonly sender: WebhookSender,
    private readonly credentials: EndpointCredentials,
    environment: Environment,
    private readonly clock: Clock,
    private readonly ending: Ending,
    private readonly counters: DeliveryCounters,
  ) {
    this.slots = new Slots(environment.webhooksInFlight);
  }

  /** Call when there may be something to send. */
  wake(): void {
    this.wakeToClaim(performance.now());
  }

  /**
   * Creates deliveries of new events, and sends as many as there are free slots. While half of the slots or more are
   * taken, all of them are only queued, so that those get the others whose turn it is.
   *
   * @returns whether there may be more
   */
  createDeliveries(): Promise<boolean> {
    const step = this.fanOut.step({
      slots: () => (this.isStopping || this.isClaiming || !this.slots.isMostlyFree ? undefined : this.slots),
      send: ({ id, deliveries }) => this.beginAll(deliveries, id),
    });
    this.creating = step.catch(() => undefined);
    return step;
  }

  /**
   * Claims nothing more, waits for the attempts in flight, which have a deadline, and records their results. If there
   * is no time for that, other processes send them again when the claims end.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.loop.stop();
    await this.creating;
    await Promise.race([Promise.all(this.inFlight), this.ending.isHurried]);
    await this.recordResults().catch((error: unknown) =>
      this.logger.warn(
        `The results of ${this.results.length} attempts could not be recorded: ${(error as Error).message}`,
      ),
    );
    await Promise.race([this.disablingChain, this.ending.isHurried]);
  }

  private async turn(): Promise<number> {
    const isRecording = performance.now() >= this.recordAt;
    // Many results at once mean that more is waiting.
    const isClaiming = performance.now() >= this.claimAt || (isRecording && this.results.length >= RESULT_BATCH.size);
    if (isRecording && isClaiming && this.mayClaim) await this.recordAndClaim();
    else {
      if (isRecording) await this.recordResults();
      if (performance.now() >= this.claimAt) await this.claim();
    }
    return Math.min(this.recordAt, this.claimAt) - performance.now();
  }

  private get mayClaim(): boolean {
    return this.slots.free.total > 0 && !this.isStopping;
  }

  /** In one transaction, with a round trip less. If it fails, each by itself. */
  private async recordAndClaim(): Promise<void> {
    const { latest, others } = latestOfEach(this.results);
    this.results = others;
    this.recordAt = others.length > 0 ? 0 : Infinity;
    let lanes: JudgedLane[] | undefined;
    try {
      await this.claiming(async (onCount) => {
        const { before, claim } = await this.claims.takeAfter(
          this.slots,
          (manager) => this.resultsWriter.issueBeforeClaim(manager, latest),
          onCount,
        );
        lanes = before;
        return claim;
      });
    } catch {
      this.results = [...latest, ...this.results];
      await this.recordResults();
      await this.claim();
    }
    if (lanes) this.conclude(latest, lanes);
  }

  private async claim(): Promise<void> {
    if (this.mayClaim) return this.claiming((onCount) => this.claims.take(this.slots, onCount));
    this.claimAt = performance.now() + MAX_REST_MS;
    this.isShort = true;
  }

  /** While lanes are waited for, new deliveries of others are still sent at once. */
  private async claiming(take: (onCount: () => void) => Promise<Claim>): Promise<void> {
    this.claimAt = performance.now() + MAX_REST_MS;
    // An attempt that ends meanwhile may free the slot that this claim is short of.
    this.isShort = true;
    try {
      const { id, deliveries, rest, isShort } = await take(() => (this.isClaiming = true));
      this.beginAll(deliveries, id);
      this.isShort = isShort;
      this.claimAt = Math.min(this.claimAt, performance.now() + rest);
    } finally {
      this.isClaiming = false;
    }
  }

  private wakeToClaim(at: number): void {
    this.claimAt = Math.min(this.claimAt, at);
    this.loop.wake(this.claimAt - performance.now());
  }

  private beginAll(deliveries: readonly ClaimedDelivery[], claimId: string): void {
    passing('claimed', () => deliveries.map(({ event_id }) => event_id));
    for (const delivery of deliveries) this.begin(delivery, claimId);
  }

  private begin(delivery: ClaimedDelivery, claimId: string): void {
    this.slots.take(delivery.tenant_id, delivery.is_doubtful);
    const sending = this.attempt(delivery, claimId).then((result) => {
      this.inFlight.delete(sending);
      this.slots.give(delivery.tenant_id, delivery.is_doubtful);
      this.results.push(result);
      const { lingerMs, size } = RESULT_BATCH;
      this.recordAt = Math.min(this.recordAt, performance.now() + (this.results.length >= size ? 0 : lingerMs));
      if (this.isShort) this.wakeToClaim(this.recordAt);
      else this.loop.wake(this.recordAt - performance.now());
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
        delivery: {
          id: delivery.delivery_id,
          type: delivery.type,
          attempt: delivery.attempt,
          cause: delivery.traceparent,
        },
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
    const results = this.results;
    this.results = [];
    this.recordAt = Infinity;
    if (results.length === 0) return;
    let lanes;
    try {
      lanes = await this.resultsWriter.record(results);
    } catch (error) {
      this.results = [...results, ...this.results];
      this.recordAt = performance.now() + MAX_REST_MS;
      throw error;
    }
    const wakeAt = Math.min(...lanes.map(({ wake_at }) => wake_at?.getTime() ?? Infinity));
    this.wakeToClaim(performance.now() + wakeAt - this.clock.now().getTime());
    this.conclude(results, lanes);
  }

  /** What follows from results that were recorded. */
  private conclude(results: readonly AttemptResult[], lanes: readonly JudgedLane[]): void {
    this.counters.addResults(results);
    const now = this.clock.now().getTime();
    const expired = new Set(
      lanes
        .filter(({ failing_since }) => failing_since !== null && failing_since.getTime() <= now - MAX_FAILURE_MS)
        .map(({ endpoint_id }) => endpoint_id),
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
