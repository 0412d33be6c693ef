import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter as PromCounter, Gauge, Histogram, Registry } from 'prom-client';
import { BoundedDurations } from './bounded-durations';
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

/** How long something took. */
export interface Durations<L extends LabelValues> {
  observe(labels: Labels<L>, seconds: number): void;
}

/** How long a scrape waits for what is read from the database. */
const READ_WITHIN_MS = 3_000;

/** How long what is read from the database counts as current, however many scrape. */
const READ_EVERY_MS = 10_000;

/** Series of what nouns declare, besides those of requests and of Node.js: with these, all stays below 2,000. */
const MAX_DECLARED = 520;

type Value = number | undefined;

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
  private declared = 0;
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
   * Several parts may declare the same counter with the same help and labels, each with values of its own.
   *
   * @param name ends with `_total`
   * @param values of each label; every combination starts at 0, so that the first increase is seen
   * @throws Error if the other declarations differ, or all have more than `MAX_DECLARED` series
   */
  counter<L extends LabelValues>(name: string, help: string, values: L): Counter<L> {
    const series = combinations(values);
    this.declare(name, series.length);
    const counter = this.counterNamed(name, help, Object.keys(values));
    for (const labels of series) counter.inc(labels, 0);
    return { add: (labels, by = 1) => counter.inc(labels, by) };
  }

  /**
   * Durations by labels of which few combinations occur: each has its series from its first time on, `most` of them at
   * most, and all later ones share one whose labels are `_OTHER`.
   *
   * @param name ends with `_seconds`
   * @param buckets their upper bounds in seconds, rising
   * @throws Error if all that is declared could have more than `MAX_DECLARED` series
   */
  durations<L extends LabelValues>(
    name: string,
    help: string,
    values: L,
    { buckets, most }: { readonly buckets: readonly number[]; readonly most: number },
  ): Durations<L> {
    const labelNames = Object.keys(values);
    const combined = Math.min(combinations(values).length, most + 1);
    // Each combination has +Inf, a sum and a count as well.
    this.declare(name, combined * (buckets.length + 3));
    const registers = [this.registry];
    const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers });
    const durations = new BoundedDurations(histogram, labelNames, most);
    return { observe: (labels, seconds) => durations.observe(labels, seconds) };
  }

  /**
   * A value that is read at each scrape, so it has to be at hand; what the database knows is for `databaseGauges`.
   *
   * @param read what it is now; undefined: unknown, and left out. What it throws is logged, and it is left out
   */
  gauge(name: string, help: string, read: () => Value | Promise<Value>): void {
    this.declare(name, 1);
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

  /**
   * Values that one statement reads, at most once in ten seconds however many scrape. A read that failed counts as well:
   * a database that is away is not asked more often.
   *
   * @param helps the name and the help of each
   * @param read all of them; undefined: unknown, and left out
   */
  databaseGauges<Name extends string>(
    helps: Readonly<Record<Name, string>>,
    read: () => Promise<Readonly<Record<Name, Value>>>,
  ): void {
    let latest: Promise<Readonly<Record<Name, Value>>> | undefined;
    let readAt = -Infinity;
    const values = () => {
      const now = performance.now();
      if (!latest || now - readAt >= READ_EVERY_MS) {
        readAt = now;
        latest = read();
      }
      return latest;
    };
    for (const name of Object.keys(helps) as Name[]) this.gauge(name, helps[name], async () => (await values())[name]);
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

  private declare(name: string, series: number): void {
    this.declared += series;
    if (this.declared > MAX_DECLARED)
      throw new Error(`${name} has ${series} series, and with it all would have more than ${MAX_DECLARED}.`);
  }

  private counterNamed(name: string, help: string, labelNames: string[]): PromCounter {
    const known = this.registry.getSingleMetric(name);
    if (!known) return new PromCounter({ name, help, labelNames, registers: [this.registry] });
    const form = known as PromCounter & { help: string; labelNames: string[] };
    const isSame = known instanceof PromCounter && form.help === help && String(form.labelNames) === String(labelNames);
    if (!isSame) throw new Error(`${name} was declared before, with another help or other labels.`);
    return known;
  }

  private async readWithin(name: string, read: () => Value | Promise<Value>): Promise<Value> {
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
