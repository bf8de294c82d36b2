/** How many panels stand side by side at a width, and how large they are. CSS pixels. */
import type { Frame } from '../figure/figure'

/** Left of each row, for the numbers of the vertical axis, where those need no more. */
export const gutter = 48
export const gap = 16
/** A line of words above a panel. */
export const lineHeight = 15
/** Above and below those words. */
const roomAround = 8
/** Beneath a panel, for the numbers of the horizontal axis. */
export const roomBelow = 22
/** Below the last row, for the name of the horizontal axis. */
export const axisRoom = 32
const least = 150
const most = 420
/** From here on two facts fit side by side. */
const wideEnough = 220
/** Height of a panel as a share of its width, the least and, where there is room for all of them, the most. */
const [flattest, tallest] = [0.76, 1]

export interface StepsGrid {
  readonly columns: number
  readonly rows: number
  /** Of the area between the axes of one panel. */
  readonly width: number
  readonly height: number
  /** Whether the facts above a panel stand one below the other, for want of width. */
  readonly stacked: boolean
  /** Left of each row at a text of 1. */
  readonly side: number
}

/** What the view has for its panels, and what they are. */
export interface GridRoom {
  readonly width: number
  readonly height: number
  readonly panels: number
  /** Facts above each panel. */
  readonly facts: number
  /** How large text is: 1 as a rule, 2 at 200 %; the room for words grows with it. */
  readonly text?: number
  /** Left of each row at a text of 1. */
  readonly side?: number
}

function gridOf(
  columns: number,
  { panels, text = 1, side = gutter }: GridRoom,
  widest: number,
  highest = 0,
): StepsGrid {
  const width = Math.max(1, Math.min(most, Math.floor(widest)))
  const rows = Math.max(1, Math.ceil(panels / columns))
  const height = Math.round(Math.max(width * flattest, Math.min(width * tallest, highest)))
  return { columns, rows, width, height, stacked: width < wideEnough * text, side }
}

function widthFor(columns: number, { width, text = 1, side = gutter }: GridRoom): number {
  return (Math.max(least, width - side * text) - (columns - 1) * gap) / columns
}

/** Rows as even as they can be: six panels stand three and three, not five and one. */
const evenColumns = (panels: number, rows: number): number => Math.max(1, Math.ceil(panels / rows))

/** The largest panels with which all of them are in sight; smaller ones than `least` would not be read. */
function wholeGrid(room: GridRoom): StepsGrid | null {
  const { panels, facts, height, text = 1 } = room
  const grids = Array.from({ length: panels }, (_, i) => {
    const columns = evenColumns(panels, i + 1)
    const rows = Math.ceil(panels / columns)
    const highest = Math.floor(height / rows - text * (roomAbove(facts) + roomBelow))
    return gridOf(columns, room, Math.min(widthFor(columns, room), highest / flattest), highest)
  })
  const largest = grids.reduce((best, grid) => (grid.width > best.width ? grid : best), grids[0])
  return largest && largest.width >= least * (room.text ?? 1) ? largest : null
}

/** The grid in which panels stand; where they cannot all be in sight, as many side by side as can be read. */
export function stepsGrid(room: GridRoom): StepsGrid {
  const whole = wholeGrid(room)
  if (whole) return whole
  const { width, text = 1, side = gutter } = room
  // Numbers of an axis need their width: larger text, fewer panels side by side.
  const narrowest = least * text
  const fitting = Math.max(1, Math.floor((width - side * text + gap) / (narrowest + gap)))
  const columns = evenColumns(room.panels, Math.ceil(room.panels / fitting))
  return gridOf(columns, room, widthFor(columns, room))
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
