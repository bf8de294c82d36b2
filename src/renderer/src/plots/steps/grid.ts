/** How many panels stand side by side at a width, and how large they are. CSS pixels. */
import type { Frame } from '../figure/figure'

/** Left of each row, for the numbers of the vertical axis. */
export const gutter = 48
export const gap = 16
/** Title and detail above a panel, the numbers of the horizontal axis beneath it. */
export const roomAbove = 38
export const roomBelow = 22
const least = 150
const most = 420
const proportion = 0.76

export interface StepsGrid {
  readonly columns: number
  readonly rows: number
  /** Of the area between the axes of one panel. */
  readonly width: number
  readonly height: number
}

/** The grid of `count` panels at a width of the view. */
export function stepsGrid(available: number, count: number): StepsGrid {
  const room = Math.max(least, available - gutter)
  const fitting = Math.max(1, Math.floor((room + gap) / (least + gap)))
  // Rows as even as they can be: six panels where five fit stand three and three.
  const rows = Math.max(1, Math.ceil(count / fitting))
  const columns = Math.max(1, Math.ceil(count / rows))
  const width = Math.min(most, Math.floor((room - (columns - 1) * gap) / columns))
  return { columns, rows, width, height: Math.round(width * proportion) }
}

/** Where panel `at` lies when the first row begins at `top`. */
export function frameAt({ columns, width, height }: StepsGrid, at: number, left: number, top: number): Frame {
  const row = Math.floor(at / columns)
  return {
    left: left + (at % columns) * (width + gap),
    top: top + roomAbove + row * (roomAbove + height + roomBelow),
    width,
    height,
  }
}
