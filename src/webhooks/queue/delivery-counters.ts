import { Injectable } from '@nestjs/common';
import { type Counter, Metrics } from '../../metrics/metrics';
import { SEND_ERROR_CODES, type SendErrorCode } from '../sending/send-error';

const ATTEMPTS = { result: ['succeeded', ...SEND_ERROR_CODES] } as const;
const DELIVERIES = { result: ['succeeded', 'failed', 'cancelled'] } as const;

/** What is counted of the result of an attempt. */
interface CountedResult {
  /** A code; null if it succeeded. */
  readonly error: string | null;
  /** Null if there is no further attempt. */
  readonly next_at: string | null;
}

/** Counts what this process delivered. */
@Injectable()
export class DeliveryCounters {
  private readonly attempts: Counter<typeof ATTEMPTS>;
  private readonly deliveries: Counter<typeof DELIVERIES>;
  private readonly takeovers: Counter<Record<string, never>>;

  constructor(metrics: Metrics) {
    this.attempts = metrics.counter('toolyard_webhook_attempts_total', 'Attempts to deliver a webhook.', ATTEMPTS);
    this.deliveries = metrics.counter(
      'toolyard_webhook_deliveries_total',
      'Webhook deliveries that ended: after the last retry, or because the endpoint was disabled.',
      DELIVERIES,
    );
    this.takeovers = metrics.counter(
      'toolyard_webhook_takeovers_total',
      'Deliveries that were claimed again because the lease of a former claim ended without a result.',
      {},
    );
  }

  /** Counts results that are recorded. A delivery that two processes sent, after a takeover, counts for both. */
  addResults(results: readonly CountedResult[]): void {
    for (const { error, next_at } of results) {
      this.attempts.add({ result: (error as SendErrorCode | null) ?? 'succeeded' });
      if (error === null) this.deliveries.add({ result: 'succeeded' });
      else if (next_at === null) this.deliveries.add({ result: 'failed' });
    }
  }

  addCancelled(count: number): void {
    this.deliveries.add({ result: 'cancelled' }, count);
  }

  addTakeovers(count: number): void {
    this.takeovers.add({}, count);
  }
}
