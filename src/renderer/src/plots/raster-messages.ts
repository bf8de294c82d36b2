/** What passes between the plot and the worker that draws its points. */
import type { RasterView } from './raster'
import type { Polygon } from './scatter/lasso'
import type { PickPosition } from './scatter/picking'

export type RasterRequest =
  /** Room for n points; they come by `part` and are not drawn before. Labels and selection are forgotten. */
  | { readonly kind: 'reserve'; readonly n: number }
  /** Columns in memory that both see. Labels and selection are forgotten. */
  | { readonly kind: 'columns'; readonly x: Float32Array; readonly y: Float32Array }
  | {
      readonly kind: 'part'
      readonly axis: 'x' | 'y'
      readonly start: number
      readonly values: Float32Array
    }
  /** From `start` on; the others stay as they were. */
  | { readonly kind: 'labels'; readonly start: number; readonly labels: Int32Array }
  | { readonly kind: 'no-labels' }
  /** Rows that are picked out; null: none. */
  | { readonly kind: 'selected'; readonly rows: Uint32Array | null }
  | { readonly kind: 'paint'; readonly view: RasterView; readonly frame: number }
  | { readonly kind: 'pick'; readonly id: number; readonly position: PickPosition }
  | { readonly kind: 'lasso'; readonly id: number; readonly polygon: Polygon }

export interface RasterAnswer {
  readonly kind: 'painted'
  /** Of the request. */
  readonly frame: number
  readonly picture: ImageBitmap
  /** Points in view, and the time to draw them. */
  readonly drawn: number
  /** Points of the densest cell; null where points are drawn. */
  readonly densest: number | null
  readonly milliseconds: number
  readonly coloured: boolean
}

/** Rows ascending; none, one (a pick) or many (a lasso). */
export interface PickAnswer {
  readonly kind: 'picked'
  readonly id: number
  readonly rows: Uint32Array<ArrayBuffer>
}
