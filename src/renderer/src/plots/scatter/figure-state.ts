import type { Palette } from '../palette'
import type { PlotColumn } from '../plot-column'
import type { CentroidMark } from '../scatter-chart'
import type { Viewport } from '../viewport'
import type { CentroidTrails } from './trails'

/** Everything the scatter plot shows at the moment: enough to draw it again elsewhere. */
export interface ScatterFigureState {
  /** CSS pixels of the whole plot, axes included. */
  readonly width: number
  readonly height: number
  /** Units of the file. */
  readonly view: Viewport
  readonly x: PlotColumn
  readonly y: PlotColumn
  /** By row; -1 and null are drawn neutral. */
  readonly labels: Int32Array | null
  readonly palette: Palette
  /** Of centroids and their paths, where points are coloured by something else; null or absent: as the points. */
  readonly marksPalette?: Palette | null
  readonly marks: readonly CentroidMark[]
  readonly trails: CentroidTrails | null
  /** Rows that are picked out: ringed, the others paled; null or absent: none. */
  readonly selected?: Uint32Array | null
  /** How many points there are in each place, in place of the points. */
  readonly density?: boolean
}
