import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter as PromCounter, Gauge, Registry } from 'prom-client';
import { RequestDurations } from './request-durations';

/** Every value that a label can have: what is not here would be another series for each caller. */
export type LabelValues = Readonly<Record<string, readonly string[]>>;

/** A label of each of these values, for one count. */
type Labels<L extends LabelValues> = { readonly [Name in keyof L]: L[Name][number] };

/** Something that only happens more often. */
export interface Counter<L extends LabelValues> {
  /** @param by how often it happened; 1 if it is left out */
  add(labels: Labels<L>, by?: number): void;
}

/** How long a scrape waits for what is read from the database. */
const READ_WITHIN_MS = 3_000;

/**
 * What this process tells Prometheus. Each noun declares its own counters and gauges where it lives; only this folder
 * knows the library. No label has a value that a caller chooses: ids, addresses and names are in the log.
 */
@Injectable()
export class Metrics {
  /** `http_server_request_duration_seconds`. */
  readonly requests: RequestDurations;
  private readonly logger = new Logger(Metrics.name);
  private readonly registry = new Registry();
  private readonly unread: Counter<Record<string, never>>;
  private current?: Promise<string>;

  constructor() {
    this.requests = new RequestDurations(this.registry);
    this.unread = this.counter(
      'toolyard_unread_gauges_total',
      'Gauges that a scrape left out: the database is away.',
      {},
    );
  }

  /**
   * @param name ends with `_total`
   * @param values of each label; every combination starts at 0, so that the first increase is seen
   */
  counter<L extends LabelValues>(name: string, help: string, values: L): Counter<L> {
    const labelNames = Object.keys(values);
    const counter = new PromCounter({ name, help, labelNames, registers: [this.registry] });
    for (const labels of combinations(values)) counter.inc(labels, 0);
    return { add: (labels, by = 1) => counter.inc(labels, by) };
  }

  /**
   * A value that is read at each scrape.
   *
   * @param read what it is now; undefined: unknown, and left out. What it throws is logged, and it is left out
   */
  gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => {
        const value = await this.readWithin(name, read);
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      },
    });
  }

  /** Adds the metrics of Node.js itself: memory, event loop, garbage. Once a process. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** @returns everything in the text format of Prometheus, version 0.0.4; scrapes at the same time share one */
  text(): Promise<string> {
    this.current ??= this.registry.metrics().finally(() => (this.current = undefined));
    return this.current;
  }

  /** The media type of `text`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  private async readWithin(
    name: string,
    read: () => number | undefined | Promise<number | undefined>,
  ): Promise<number | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('it took too long')), READ_WITHIN_MS);
    });
    try {
      return await Promise.race([read(), late]);
    } catch (error) {
      this.unread.add({});
      this.logger.debug(`${name} could not be read: ${(error as Error).message}`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

function combinations(values: LabelValues): Record<string, string>[] {
  return Object.entries(values).reduce<Record<string, string>[]>(
    (sofar, [name, some]) => sofar.flatMap((labels) => some.map((value) => ({ ...labels, [name]: value }))),
    [{}],
  );
}
