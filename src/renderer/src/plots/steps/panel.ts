/** One of the small multiples: an iteration with its points, their labels and its centroids. */
import type { CentroidMark } from '../scatter-chart'

/** Most iterations that stand side by side. */
export const maxPanels = 64

export interface LoadedColumn<A extends Float32Array | Int32Array> {
  readonly values: A
  /** File value = offset + values[row] * unit. */
  readonly offset: number
  readonly unit: number
}

export type StepValues = LoadedColumn<Float32Array> | LoadedColumn<Int32Array>

/** A column that is fetched when a panel comes into sight. */
export interface PanelColumn<A extends Float32Array | Int32Array> {
  /** The same for the same numbers: panels share columns. */
  readonly key: string
  /** Null when it is no longer wanted. */
  load(wanted: () => boolean): Promise<LoadedColumn<A> | null>
}

export interface StepPanel {
  readonly iteration: number
  readonly title: string
  /** Facts about it, said in one line or one below the other. */
  readonly facts: readonly string[]
  /** Points it has. */
  readonly points: number
  /** In units of the axes. */
  readonly marks: readonly CentroidMark[]
  readonly x: PanelColumn<Float32Array>
  readonly y: PanelColumn<Float32Array>
  readonly labels: PanelColumn<Int32Array>
}

/** Labels as a column: whole numbers that need no scale. */
export const plainColumn = (values: Int32Array): LoadedColumn<Int32Array> => ({ values, offset: 0, unit: 1 })
