import { Histogram, type HistogramConfiguration, type LabelValues } from 'prom-client';

/** What was observed with the same labels. */
export class DurationSeries {
  /** How many fell into each bucket alone, and above the last one. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds of the buckets, in seconds, rising */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(seconds: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++;
    counts[bucket] = (counts[bucket] as number) + 1;
    this.sum += seconds;
  }
}

/**
 * A histogram of the library for what every request observes. The library finds a series by writing its labels as text, and
 * a bucket by writing its bound as text, each time: 4 µs in a service under load. Here the caller keeps the series.
 */
export class DurationHistogram<Label extends string> extends Histogram<Label> {
  private readonly bounds: readonly number[];
  private readonly all: { labels: LabelValues<Label>; series: DurationSeries }[] = [];
  private readonly heading: { name: string; help: string };

  constructor({ name, help, buckets = [], ...configuration }: HistogramConfiguration<Label>) {
    super({ name, help, buckets, ...configuration });
    this.bounds = buckets;
    this.heading = { name, help };
  }

  /** @param labels of no other series */
  series(labels: LabelValues<Label>): DurationSeries {
    const series = new DurationSeries(this.bounds);
    this.all.push({ labels, series });
    return series;
  }

  /** What the registry asks for (prom-client 15.1, `Registry.getMetricsAsString`). */
  getForPromString() {
    const { name } = this.heading;
    const values = this.all.flatMap(({ labels: sharedLabels, series: { counts, sum } }) => {
      let count = 0;
      const buckets = counts.map((own, index) => {
        count += own;
        return {
          metricName: `${name}_bucket`,
          labels: { le: this.bounds[index] ?? '+Inf' },
          sharedLabels,
          value: count,
        };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
        { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
      ];
    });
    return Promise.resolve({ ...this.heading, type: 'histogram', aggregator: 'sum', values });
  }
}
