/** Silhouettes of many rows as a curve a cluster, counted piece by piece so that no turn of the window is long. */

/** Bins over -1..1: finer than a pixel of any plot. */
const bins = 2000
/** Places of a curve with many rows. */
const maxPoints = 400

export class SilhouetteCounter {
  readonly #counts: readonly Float64Array[]

  constructor(clusters: number) {
    this.#counts = Array.from({ length: clusters }, () => new Float64Array(bins))
  }

  /** Rows without a silhouette (NaN) or a cluster (-1) are left out. */
  add(values: Float32Array, labels: Int32Array): void {
    for (let row = 0; row < values.length; row++) {
      const counts = this.#counts[labels[row] ?? -1]
      const value = values[row] ?? NaN
      if (!counts || Number.isNaN(value)) continue
      const bin = Math.min(bins - 1, Math.max(0, Math.floor(((value + 1) / 2) * bins)))
      counts[bin] = (counts[bin] ?? 0) + 1
    }
  }

  /** Values of a cluster, descending: all of them where there are few, else equally spaced quantiles. */
  curve(cluster: number): {
    readonly values: Float64Array
    readonly negative: number
    readonly counted: number
  } {
    const counts = this.#counts[cluster] ?? new Float64Array()
    const counted = counts.reduce((sum, count) => sum + count, 0)
    const values = new Float64Array(Math.min(counted, maxPoints))
    let [at, passed, below] = [0, 0, 0]
    for (let bin = bins - 1; bin >= 0; bin--) {
      const count = counts[bin] ?? 0
      passed += count
      if (bin < bins / 2) below += count
      while (at < values.length && ((at + 0.5) / values.length) * counted <= passed)
        values[at++] = middleOf(bin)
    }
    return { values, negative: counted === 0 ? 0 : below / counted, counted }
  }
}

const middleOf = (bin: number): number => ((bin + 0.5) / bins) * 2 - 1
