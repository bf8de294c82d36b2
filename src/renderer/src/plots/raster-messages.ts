/** What passes between the plot and the worker that draws its points. */
import type { RasterView } from './raster'

export type RasterRequest =
  | { readonly kind: 'canvas'; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'points'; readonly x: Float32Array; readonly y: Float32Array }
  | { readonly kind: 'labels'; readonly labels: Int32Array | null }
  | { readonly kind: 'paint'; readonly view: RasterView }

export interface RasterAnswer {
  /** Points in view, and the time to draw them. */
  readonly drawn: number
  readonly milliseconds: number
  readonly coloured: boolean
}
