/** Named amounts as horizontal bars: where the time of a run went. */
import type { PlotTheme } from '../theme'
import type { Figure, FigureAxis, FigureBar } from './figure'
import { soleFrame } from './layout'
import { aboutWidth } from './svg-text'
import { exactAxis } from './ticks'

export interface NamedAmount {
  readonly name: string
  readonly amount: number
  /** The amount in words, written beside the bar. */
  readonly says: string
}

export interface BarFigureParts {
  readonly title: string
  /** With its unit. */
  readonly xLabel: string
  /** From top to bottom. */
  readonly amounts: readonly NamedAmount[]
  readonly width: number
  readonly theme: PlotTheme
}

const rowHeight = 22

/** Bars one below the other; the height follows from their number. */
export function barFigure({ title, xLabel, amounts, width, theme }: BarFigureParts): Figure {
  const rows = Math.max(1, amounts.length)
  const y: FigureAxis = {
    label: '',
    min: 0,
    max: rows,
    log: false,
    ticks: amounts.map(({ name }, at) => ({ value: rows - at - 0.5, label: name })),
  }
  const height = rows * rowHeight + soleFrame(title, width, 0, y).top + 42
  const frame = soleFrame(title, width, height, y)
  const largest = Math.max(0, ...amounts.map(({ amount }) => amount)) || 1
  // Room right of the longest bar for the words beside it.
  const words = Math.max(0, ...amounts.map(({ says }) => aboutWidth(says, 11))) + 8
  const max = largest / Math.max(0.25, 1 - words / frame.width)
  const x = exactAxis({ label: xLabel, min: 0, max, parts: Math.max(2, Math.floor(width / 90)) })
  const bars = amounts.map(({ amount, says }, at): FigureBar => {
    const middle = rows - at - 0.5
    return { x0: 0, x1: amount, y0: middle - 0.32, y1: middle + 0.32, colour: theme.accent, label: says }
  })
  const layers = [{ kind: 'bars', bars }] as const
  return {
    title,
    width,
    height,
    theme,
    panels: [{ title: '', details: [], overhang: 0, frame, x, y, layers }],
  }
}
