import { Injectable } from '@nestjs/common';
import { type Counter, Metrics } from '../../metrics/metrics';
import { CALL_OUTCOMES, type CallVerdict } from '../settings/call-outcome';

const OUTCOMES = { outcome: CALL_OUTCOMES.filter((outcome) => outcome !== 'STARTED') } as const;
const RESULTS = { result: ['written', 'lost', 'left_out'] } as const;

/** Counts calls by what the record says of them, and rows of the record. */
@Injectable()
export class CallCounters {
  private readonly calls: Counter<typeof OUTCOMES>;
  private readonly rows: Counter<typeof RESULTS>;

  constructor(private readonly metrics: Metrics) {
    this.calls = metrics.counter(
      'toolyard_gateway_calls_total',
      'Calls of tools, prompts, resources and completions at MCP endpoints, by what the record says of them.',
      OUTCOMES,
    );
    this.rows = metrics.counter(
      'toolyard_gateway_call_rows_total',
      'Writes to the record of calls; lost: there was no room until the database took them; left_out: of refused calls beyond a rate.',
      RESULTS,
    );
  }

  /** A call has ended. */
  ended(outcome: CallVerdict['outcome']): void {
    this.calls.add({ outcome });
  }

  written(count: number): void {
    this.rows.add({ result: 'written' }, count);
  }

  lost(count: number): void {
    this.rows.add({ result: 'lost' }, count);
  }

  /** A refused call has no row, because others of the same principal have. */
  leftOut(): void {
    this.rows.add({ result: 'left_out' });
  }

  /** @param read how many rows wait now */
  showWaiting(read: () => number): void {
    this.metrics.gauge(
      'toolyard_gateway_call_rows_waiting',
      'Rows of the record of calls that wait in this process.',
      read,
    );
  }
}
