/** What passes between the window and the worker that paints pictures of points and writes figures down. */
import type { ClusterShape } from '../colours'
import type { RasterView } from '../raster'
import type { Figure } from './figure'

/** Outlined marks above the points; places and widths in pixels of the picture. */
export interface PictureMarks {
  readonly spots: readonly {
    readonly left: number
    readonly top: number
    readonly shape: ClusterShape
    readonly colour: string
  }[]
  readonly radius: number
  readonly outline: number
  readonly ring: number
  readonly ink: string
  readonly ground: string
}

/** Points named by the keys of columns that the worker holds, and how they are seen. */
export interface Picture {
  readonly x: string
  readonly y: string
  /** Null: all neutral. */
  readonly labels: string | null
  /** Rows that are picked out; null or absent: none. */
  readonly selected?: Uint32Array | null
  readonly view: RasterView
  /** Null where they are drawn by somebody else. */
  readonly marks: PictureMarks | null
}

export type PaintRequest =
  | {
      readonly kind: 'reserve'
      readonly key: string
      readonly type: 'float' | 'int'
      readonly length: number
    }
  | {
      readonly kind: 'part'
      readonly key: string
      readonly start: number
      readonly values: Float32Array | Int32Array
    }
  | { readonly kind: 'drop'; readonly keys: readonly string[] }
  /** Answered by an ImageBitmap. */
  | { readonly kind: 'bitmap'; readonly id: number; readonly picture: Picture }
  /** Answered by the `data:` address of a PNG. */
  | { readonly kind: 'href'; readonly id: number; readonly picture: Picture }
  /** Answered by the text of an SVG file, UTF-8. `flat`: for the eye only, many shapes as one picture. */
  | {
      readonly kind: 'svg'
      readonly id: number
      readonly figure: Figure
      readonly scale: number
      readonly flat: boolean
    }

export interface PaintResults {
  readonly bitmap: ImageBitmap
  readonly href: string
  readonly svg: Uint8Array<ArrayBuffer>
}

export type PaintAnswer =
  | { readonly id: number; readonly ok: true; readonly value: PaintResults[keyof PaintResults] }
  | { readonly id: number; readonly ok: false; readonly reason: string }
