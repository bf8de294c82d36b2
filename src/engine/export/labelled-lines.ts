import { squaredDistance } from '@shared/metrics/distance'
import { freeName, type CsvForm } from './csv-text'
import type { LabelledData } from './labelled-data'
import type { SourceRow } from './source-rows'

/** The lines of labels.csv, one by one. */
export class LabelledLines {
  readonly #result: LabelledData
  readonly #form: CsvForm
  readonly #width: number
  readonly #hasSurplus: boolean

  constructor(result: LabelledData, form: CsvForm) {
    this.#result = result
    this.#form = form
    this.#width = result.dataset.columns.length
    this.#hasSurplus = result.dataset.receipt.tooLong > 0
  }

  header(names: readonly string[]): string {
    const cluster = freeName('cluster', names)
    const distance = freeName('distance', names)
    const name = this.#form.clusterNames ? [freeName('cluster_name', names)] : []
    const surplus = this.#hasSurplus ? [freeName('surplus', names)] : []
    return this.#form.line([...names, cluster, distance, ...name, ...surplus])
  }

  row({ cells, point }: SourceRow): string {
    const own = cells.slice(0, this.#width)
    while (own.length < this.#width) own.push('')
    const label = point < 0 ? this.#noLabel() : this.#labelOf(point)
    return this.#form.line([...own, ...label, ...(this.#hasSurplus ? [this.#surplusCell(cells)] : [])])
  }

  /** Cells beyond the last column as one line of CSV; empty where there is none. */
  #surplusCell(cells: readonly string[]): string {
    const surplus = cells.slice(this.#width)
    return surplus.every((cell) => cell === '') ? '' : this.#form.line(surplus).slice(0, -1)
  }

  #noLabel(): readonly string[] {
    return this.#form.clusterNames ? ['', '', ''] : ['', '']
  }

  #labelOf(point: number): readonly string[] {
    const { points, labels, centroids, distances } = this.#result
    const label = labels[point]
    const distance =
      distances?.[point] ?? Math.sqrt(squaredDistance(points.x, point, centroids, label, points.d))
    const own = [String(label), this.#form.number(distance * 2 ** points.exponent)]
    const { clusterNames, text } = this.#form
    return clusterNames ? [...own, text(clusterNames[label] ?? '')] : own
  }
}
