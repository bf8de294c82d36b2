import type { RasterPoints, RasterView } from '../raster'
import { countPoints, type Counts } from './density'

type Frame = Pick<RasterView, 'width' | 'height' | 'minX' | 'maxX' | 'minY' | 'maxY'>

/** Where the points of the picture before lie: with other labels, or in other colours, they lie there still. */
export class KeptCounts {
  #kept: (Pick<RasterPoints, 'x' | 'y'> & { readonly frame: Frame; readonly counts: Counts }) | null = null

  /** By pixels, every point taking part. */
  of({ x, y }: Pick<RasterPoints, 'x' | 'y'>, view: RasterView): Counts {
    const kept = this.#kept
    if (kept && kept.x === x && kept.y === y && isSame(kept.frame, view)) return kept.counts
    const counts = countPoints({ x, y }, view, 1, null)
    this.#kept = { x, y, frame: view, counts }
    return counts
  }

  /** Coordinates have changed in place. */
  forget(): void {
    this.#kept = null
  }
}

const sides = ['width', 'height', 'minX', 'maxX', 'minY', 'maxY'] as const

const isSame = (a: Frame, b: Frame): boolean => sides.every((side) => a[side] === b[side])
