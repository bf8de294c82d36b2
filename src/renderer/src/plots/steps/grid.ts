/** How many panels stand side by side at a width, and how large they are. CSS pixels. */
import type { Frame } from '../figure/figure'

/** Left of each row, for the numbers of the vertical axis. */
export const gutter = 48
export const gap = 16
/** A line of words above a panel. */
export const lineHeight = 15
/** Above and below those words. */
const roomAround = 8
/** Beneath a panel, for the numbers of the horizontal axis. */
export const roomBelow = 22
const least = 150
const most = 420
/** From here on two facts fit side by side. */
const wideEnough = 220
const proportion = 0.76

export interface StepsGrid {
  readonly columns: number
  readonly rows: number
  /** Of the area between the axes of one panel. */
  readonly width: number
  readonly height: number
  /** Whether the facts above a panel stand one below the other, for want of width. */
  readonly stacked: boolean
}

/** The grid of `count` panels at a width of the view. */
export function stepsGrid(available: number, count: number): StepsGrid {
  const room = Math.max(least, available - gutter)
  const fitting = Math.max(1, Math.floor((room + gap) / (least + gap)))
  // Rows as even as they can be: six panels where five fit stand three and three.
  const rows = Math.max(1, Math.ceil(count / fitting))
  const columns = Math.max(1, Math.ceil(count / rows))
  const width = Math.min(most, Math.floor((room - (columns - 1) * gap) / columns))
  return { columns, rows, width, height: Math.round(width * proportion), stacked: width < wideEnough }
}

/** Pixels above a panel whose words take so many lines besides the title. */
export function roomAbove(lines: number): number {
  return roomAround + (1 + lines) * lineHeight
}

/** The facts of a panel as lines; as many for every panel. */
export function factLines(facts: readonly string[], stacked: boolean): readonly string[] {
  return stacked || facts.length === 0 ? facts : [facts.join(', ')]
}

/** Where panel `at` lies when the first row begins at `start`, with `above` for the words of each row. */
export function frameAt(
  { columns, width, height }: StepsGrid,
  at: number,
  start: { readonly left: number; readonly top: number; readonly above: number },
): Frame {
  const row = Math.floor(at / columns)
  return {
    left: start.left + (at % columns) * (width + gap),
    top: start.top + start.above + row * (start.above + height + roomBelow),
    width,
    height,
  }
}
