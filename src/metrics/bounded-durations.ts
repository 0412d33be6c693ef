import type { Histogram } from 'prom-client';

/** The value of every label for what has no series of its own. */
const OTHER = '_OTHER';

/** Leads on by the value of the next label. A key of all values would have to be made for each request. */
interface Branch<Label extends string> {
  next: Map<string, Branch<Label>>;
  series?: Histogram.Internal<Label>;
}

/** Durations by labels: each combination has a series from its first time on, up to a bound; all later ones share one. */
export class BoundedDurations<Label extends string> {
  private readonly known: Branch<Label> = { next: new Map() };
  private count = 0;
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
    let branch: Branch<Label> | undefined = this.known;
    for (const label of this.labels) branch = branch?.next.get(values[label]);
    return branch?.series ?? this.add(values);
  }

  private add(values: Readonly<Record<Label, string>>): Histogram.Internal<Label> {
    if (this.count >= this.most) return (this.others ??= this.histogram.labels(this.other));
    this.count++;
    let branch = this.known;
    for (const label of this.labels) {
      const next = branch.next.get(values[label]) ?? { next: new Map() };
      branch.next.set(values[label], next);
      branch = next;
    }
    return (branch.series = this.histogram.labels(labelled(this.labels, (label) => values[label])));
  }
}

function labelled<Label extends string>(
  labels: readonly Label[],
  valueOf: (label: Label) => string,
): Record<Label, string> {
  return Object.fromEntries(labels.map((label) => [label, valueOf(label)])) as Record<Label, string>;
}
