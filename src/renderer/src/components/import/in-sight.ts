/** Which columns and rows of a large table are in sight: only those are drawn. */

/** Pixels, as the style sheet has them. */
export const columnWidth = 188
export const rowHeight = 24

/** Drawn beyond each edge, so that nothing is missing while the next frame is made. */
const margin = 2

export interface Sight {
  readonly first: number
  /** One past the last. */
  readonly end: number
  /** Pixels that stand for what is left out. */
  readonly before: number
  readonly after: number
}

/** @param size of one of `count` equal parts; @param scrolled past the start; @param extent of the view; all in pixels. */
export function partsInSight(count: number, size: number, scrolled: number, extent: number): Sight {
  const first = Math.min(Math.max(0, Math.floor(scrolled / size) - margin), Math.max(0, count - 1))
  const end = Math.max(first, Math.min(count, Math.ceil((scrolled + extent) / size) + margin))
  return { first, end, before: first * size, after: (count - end) * size }
}
