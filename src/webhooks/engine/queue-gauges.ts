import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { timeOf } from '../../database/id';
import { one } from '../../database/statements';
import { HealthSources, type QueueFacts } from '../../metrics/health-sources';
import { Metrics } from '../../metrics/metrics';
import { COUNTED_UP_TO, QUEUE_STATE } from './queue-state.sql';

interface QueueState {
  events: number;
  first_event: Date | null;
  due: number;
  first_due: Date | null;
  queued: number;
  first_queued: string | null;
}

const UP_TO = `counted up to ${COUNTED_UP_TO}`;

/** What the queue of webhooks looks like; each process says it, since every worker may be down. */
@Injectable()
export class QueueGauges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    metrics: Metrics,
    health: HealthSources,
  ) {
    health.register({ queues: () => this.queues() });
    metrics.databaseGauges(
      {
        toolyard_webhook_events_waiting: `Events that have no deliveries yet, ${UP_TO}.`,
        toolyard_webhook_events_oldest_age_seconds: 'For how long the oldest of them has waited; 0: there is none.',
        toolyard_webhook_deliveries_due: `Deliveries to working endpoints that wait for a worker, ${UP_TO}.`,
        toolyard_webhook_deliveries_due_oldest_age_seconds:
          'For how long the first of them has been due; 0: there is none.',
        toolyard_webhook_deliveries_queued:
          'Deliveries without a final result, retries included: an estimate by the statistics of PostgreSQL.',
        toolyard_webhook_deliveries_queued_oldest_age_seconds:
          'Since the oldest of them was created; 0: there is none.',
      },
      () => this.read(),
    );
  }

  private async queues(): Promise<QueueFacts[]> {
    const { events, first_event, due, first_due } = await this.state(this.clock.now());
    const countedUpTo = COUNTED_UP_TO;
    return [
      { name: 'WEBHOOK_EVENTS', depth: events, countedUpTo, oldestAt: first_event },
      { name: 'WEBHOOK_DELIVERIES', depth: due, countedUpTo, oldestAt: first_due },
    ];
  }

  private state(now: Date): Promise<QueueState> {
    return one<QueueState>(this.dataSource, QUEUE_STATE, [now]);
  }

  private async read() {
    const now = this.clock.now();
    const age = (since: Date | null) => (since ? Math.max(0, now.getTime() - since.getTime()) / 1_000 : 0);
    const state = await this.state(now);
    return {
      toolyard_webhook_events_waiting: state.events,
      toolyard_webhook_events_oldest_age_seconds: age(state.first_event),
      toolyard_webhook_deliveries_due: state.due,
      toolyard_webhook_deliveries_due_oldest_age_seconds: age(state.first_due),
      toolyard_webhook_deliveries_queued: state.queued,
      toolyard_webhook_deliveries_queued_oldest_age_seconds: age(
        state.first_queued === null ? null : timeOf(state.first_queued),
      ),
    };
  }
}
