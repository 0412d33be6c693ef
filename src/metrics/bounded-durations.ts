import type { Histogram } from 'prom-client';

/** The value of every label for what has no series of its own. */
const OTHER = '_OTHER';

/** Durations by labels: each combination has a series from its first time on, up to a bound; all later ones share one. */
export class BoundedDurations<Label extends string> {
  private readonly known = new Map<string, Histogram.Internal<Label>>();
  private others?: Histogram.Internal<Label>;

  /**
   * @param labels in any order
   * @param most combinations with series of their own
   * @param other the labels of all others
   */
  constructor(
    private readonly histogram: Histogram<Label>,
    private readonly labels: readonly Label[],
    private readonly most: number,
    private readonly other: Readonly<Record<Label, string>> = labelled(labels, () => OTHER),
  ) {}

  /** @param values of all labels */
  observe(values: Readonly<Record<Label, string>>, seconds: number): void {
    this.seriesOf(values).observe(seconds);
  }

  private seriesOf(values: Readonly<Record<Label, string>>): Histogram.Internal<Label> {
    let key = '';
    for (const label of this.labels) key += `${values[label]} `;
    let series = this.known.get(key);
    if (series) return series;
    if (this.known.size >= this.most) return (this.others ??= this.histogram.labels(this.other));
    series = this.histogram.labels(labelled(this.labels, (label) => values[label]));
    this.known.set(key, series);
    return series;
  }
}

function labelled<Label extends string>(
  labels: readonly Label[],
  valueOf: (label: Label) => string,
): Record<Label, string> {
  return Object.fromEntries(labels.map((label) => [label, valueOf(label)])) as Record<Label, string>;
}
