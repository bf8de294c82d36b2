/** What passes between the plot and the worker that draws its points. */
import type { RasterView } from './raster'
import type { PickPlace, Polygon } from './scatter/picking'

export type RasterRequest =
  | { readonly kind: 'canvas'; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'points'; readonly x: Float32Array; readonly y: Float32Array }
  | { readonly kind: 'labels'; readonly labels: Int32Array | null }
  /** Rows that are picked out; null: none. */
  | { readonly kind: 'selected'; readonly rows: Uint32Array | null }
  | { readonly kind: 'paint'; readonly view: RasterView }
  | { readonly kind: 'pick'; readonly id: number; readonly place: PickPlace }
  | { readonly kind: 'lasso'; readonly id: number; readonly polygon: Polygon }

export interface RasterAnswer {
  readonly kind: 'painted'
  /** Points in view, and the time to draw them. */
  readonly drawn: number
  readonly milliseconds: number
  readonly coloured: boolean
}

/** Rows ascending; none, one (a pick) or many (a lasso). */
export interface PickAnswer {
  readonly kind: 'picked'
  readonly id: number
  readonly rows: Uint32Array
}
