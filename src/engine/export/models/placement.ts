import type { RunResult } from '@engine/run/types'
import { unitWords } from '@shared/dates'
import { precisionOf, type Precision } from '@shared/precision'
import { centroidRow } from '../assignment'

/** What a row needs to be placed among the clusters; the rule stands in README.md of `export`. */
export interface Placement {
  /** Of the file that was clustered. */
  readonly source: string
  readonly startedAt: string
  /** Columns of the file in the order in which features first use them, each once. */
  readonly columns: readonly PlacementColumn[]
  readonly features: readonly PlacementFeature[]
  /** Rows are divided by their norm first. */
  readonly isUnitLength: boolean
  /** Of the points: coordinates are rounded to it. */
  readonly precision: Precision
  /** Scaled data over engine units. */
  readonly scale: number
  /** Those that were not dropped: index of the cluster, size, and (d) centroid in engine units. */
  readonly clusters: readonly {
    readonly cluster: number
    readonly size: number
    readonly centroid: readonly number[]
  }[]
}

export interface PlacementColumn {
  readonly name: string
  /** In order, where it is a column of texts; null for numbers. */
  readonly texts: readonly string[] | null
  /** Of dates, such as `days since 1970-01-01`. */
  readonly unit: string | null
}

export interface PlacementFeature {
  readonly name: string
  /** Index among the columns. */
  readonly column: number
  /** 1 where the column has it, else 0; null for a column of numbers. */
  readonly text: string | null
  readonly offset: number
  readonly step: number
  readonly fill: number | null
}

export function placementOf({ record, points, dataset, centroids }: RunResult): Placement {
  const names = record.features.map(({ index }) => index)
  const used = [...new Set(names)]
  const { offset, step, fill } = points.transform
  return {
    source: record.file.name,
    startedAt: record.startedAt,
    columns: used.map((index) => columnOf(record.features, index, dataset.columns[index].name)),
    features: record.features.map(({ index, name, category }, j) => ({
      name,
      column: used.indexOf(index),
      text: category ?? null,
      ...{ offset: offset[j], step: step[j], fill: fill?.[j] ?? null },
    })),
    isUnitLength: points.preparation.scaling === 'unit-length',
    precision: precisionOf(record),
    scale: 2 ** points.exponent,
    clusters: record.clusters.flatMap(({ cluster, size }) => {
      const centroid = centroidRow(centroids, cluster, record.d)
      return centroid === null ? [] : [{ cluster, size, centroid }]
    }),
  }
}

function columnOf(features: RunResult['record']['features'], index: number, name: string): PlacementColumn {
  const own = features.filter((feature) => feature.index === index)
  const texts = own.flatMap(({ category }) => (category === undefined ? [] : [category]))
  const unit = own.find(({ dateUnit }) => dateUnit !== undefined)?.dateUnit
  return { name, texts: texts.length > 0 ? texts : null, unit: unit ? unitWords[unit] : null }
}
