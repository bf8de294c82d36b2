/** On which side of a point its name stands, where it stands free. */

/** Pixels, downwards. */
export interface NamedPosition {
  readonly left: number
  readonly top: number
  /** Of its name. */
  readonly width: number
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const reach = 5
const halfLine = 7
/** From the middle of a point to its name. */
export const nameGap = 8

const touch = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/**
 * For each point the side of its name: as many names as lie within `from..to` and on no point and no other name; null for
 * the others, those that come later give way.
 */
export function freeSides(
  positions: readonly NamedPosition[],
  [from, to]: readonly [number, number],
): readonly ('right' | 'left' | null)[] {
  const taken: Box[] = positions.map(({ left, top }) => ({
    ...{ left: left - reach, right: left + reach, top: top - reach, bottom: top + reach },
  }))
  return positions.map(({ left, top, width }) => {
    const upright = { top: top - halfLine, bottom: top + halfLine }
    const sides = [
      { side: 'right', box: { left: left + nameGap, right: left + nameGap + width, ...upright } },
      { side: 'left', box: { left: left - nameGap - width, right: left - nameGap, ...upright } },
    ] as const
    const free = sides.find(
      ({ box }) => box.left >= from && box.right <= to && !taken.some((other) => touch(box, other)),
    )
    if (free) taken.push(free.box)
    return free?.side ?? null
  })
}

/** A row of a dot plot, in pixels: the ends of what is drawn of it, and other marks on the same line. */
export interface MarkedRow {
  readonly low: number
  readonly high: number
  readonly marks: readonly number[]
}

/**
 * Where the number of a row stands, so that it is read as the row's own and not as that of another mark: right of it, else
 * left of it, else past the marks. `at`: the pixel that it stands beside.
 * @param width of the number @param from the least pixel that it may reach
 */
export function numberSide({ low, high, marks }: MarkedRow, width: number, from: number) {
  const room = nameGap + width + reach
  const onRight = marks.filter((mark) => mark > high - reach && mark < high + room)
  if (onRight.length === 0) return { side: 'right', at: high } as const
  const onLeft = marks.some((mark) => mark < low + reach && mark > low - room)
  if (!onLeft && low - room >= from) return { side: 'left', at: low } as const
  return { side: 'right', at: Math.max(high, ...onRight) } as const
}
