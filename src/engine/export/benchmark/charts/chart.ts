import type { ContenderLook } from '@shared/benchmark/contender-look'

/** A plot of a comparison as a chart that a spreadsheet program draws from cells. */
export interface Chart {
  readonly title: string
  /**
   * `dots`: a marker over each name, with its range. `lines`: values over sizes, a line each. `bars`: shares of a whole, a
   * bar to each name.
   */
  readonly kind: 'dots' | 'lines' | 'bars'
  /** Below names or sizes. */
  readonly keys: ChartAxis
  readonly values: ChartAxis
  /** What the series stand for, e.g. `contender`. */
  readonly of: string
  readonly series: readonly ChartSeries[]
}

export interface ChartAxis {
  /** With its unit. */
  readonly name: string
  readonly logarithmic: boolean
  /** Where on this axis the other one lies; null: at its end. */
  readonly crossedAt: number | null
}

export interface ChartSeries {
  readonly name: string
  /** `own`: each point has its own. `crossing`: it marks a place on the lines of others. */
  readonly look: Look | 'own' | 'crossing'
  /** Markers without a line, of their own for what a study published; absent: as the kind of the chart has them. */
  readonly marks?: 'filled' | 'published'
  readonly points: readonly ChartPoint[]
}

/** Without a shape: no markers. */
export type Look = Pick<ContenderLook, 'colour'> & { readonly shape: ContenderLook['shape'] | null }

export interface ChartPoint {
  /** A name, or a size. */
  readonly key: string | number
  /** Null where nothing counts. */
  readonly value: number | null
  /** Ends of the line through it, along the values (of a crossing: along the sizes); null: none. */
  readonly range: readonly [number, number] | null
  /** Where the series says `own`. */
  readonly look?: ContenderLook
}

export const logAxisOf = (name: string, crossedAt: number | null = null): ChartAxis => ({
  name,
  logarithmic: true,
  crossedAt,
})

export const plainAxis = (name: string): ChartAxis => ({ name, logarithmic: false, crossedAt: null })
