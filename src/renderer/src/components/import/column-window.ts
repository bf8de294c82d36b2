/** Which columns of a wide table are in sight: only those are drawn. */

export const columnWidth = 180

/** Columns drawn beyond each edge, so that none is missing while the next frame is made. */
const margin = 2

export interface ColumnWindow {
  readonly first: number
  /** One past the last. */
  readonly end: number
  /** Pixels that stand for the columns left out. */
  readonly before: number
  readonly after: number
}

/** @param scrolled pixels to the left of the view; @param width of the view in pixels. */
export function columnsInSight(columns: number, scrolled: number, width: number): ColumnWindow {
  const first = Math.min(Math.max(0, Math.floor(scrolled / columnWidth) - margin), Math.max(0, columns - 1))
  const end = Math.min(columns, Math.ceil((scrolled + width) / columnWidth) + margin)
  const last = Math.max(first, end)
  return { first, end: last, before: first * columnWidth, after: (columns - last) * columnWidth }
}
