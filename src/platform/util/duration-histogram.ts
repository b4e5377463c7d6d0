/** Counts durations in buckets. An observation takes a few nanoseconds, so redirects can use it. */

/** The counts of a histogram, for another thread or for the metrics. */
export interface HistogramCounts {
  /** One count per bound, and one for longer durations. Not cumulative. */
  counts: number[]
  /** Sum of all durations in seconds. */
  sum: number
}

export class DurationHistogram {
  private counts: number[]
  private sum = 0

  /** `bounds` are the inclusive upper bounds of the buckets in seconds, ascending. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0)
  }

  observe(seconds: number): void {
    const { bounds } = this
    let bucket = 0
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
    this.counts[bucket]!++
    this.sum += seconds
  }

  read(): HistogramCounts {
    return { counts: [...this.counts], sum: this.sum }
  }

  /** Returns the counts since the last call. */
  drain(): HistogramCounts {
    const { counts, sum } = this
    this.counts = new Array<number>(counts.length).fill(0)
    this.sum = 0
    return { counts, sum }
  }

  /** Adds counts of a histogram with the same bounds. */
  addCounts({ counts, sum }: HistogramCounts): void {
    counts.forEach((count, bucket) => (this.counts[bucket]! += count))
    this.sum += sum
  }
}

export interface LabeledHistogram<Label extends string> {
  labels: Readonly<Record<Label, string>>
  histogram: DurationHistogram
}

/** One histogram per combination of labels. The values of a label must be few, and never come from a request. */
export class HistogramFamily<Label extends string> {
  private readonly byKey = new Map<string, LabeledHistogram<Label>>()

  constructor(private readonly bounds: readonly number[]) {}

  /** Returns the histogram of these labels. Callers with known labels keep it. */
  withLabels(labels: Readonly<Record<Label, string>>): DurationHistogram {
    const key = Object.values(labels).join('\n')
    let labeled = this.byKey.get(key)
    if (!labeled) this.byKey.set(key, (labeled = { labels, histogram: new DurationHistogram(this.bounds) }))
    return labeled.histogram
  }

  [Symbol.iterator](): Iterator<LabeledHistogram<Label>> {
    return this.byKey.values()
  }
}
