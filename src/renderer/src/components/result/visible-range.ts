/** Which of many equally large items a scrolled frame shows, so that only these are drawn. */
export interface VisibleRange {
  readonly first: number
  /** One past the last. */
  readonly end: number
}

/**
 * Items within [offset, offset + length] pixels, with `spare` more at each end against blank edges while
 * scrolling.
 */
export function visibleRange(
  offset: number,
  length: number,
  itemPixels: number,
  count: number,
  spare: number,
): VisibleRange {
  const end = Math.min(count, Math.ceil((offset + length) / itemPixels) + spare)
  const first = Math.max(0, Math.min(Math.floor(offset / itemPixels) - spare, end))
  return { first, end: Math.max(first, end) }
}
