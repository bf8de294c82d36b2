/** Values per iteration as a figure: inertia, shift, changed points. */
import type { PlotTheme } from '../theme'
import type { Figure, FigureAxis, FigureLayer, LineLayer } from './figure'
import { soleFrame } from './layout'
import { exactAxis, roundAxis } from './ticks'

export interface FigureSeries {
  readonly name: string
  readonly colour: string
  readonly xs: ArrayLike<number>
  readonly ys: ArrayLike<number>
  /** 1.5 when absent. */
  readonly width?: number
}

export interface LineFigureParts {
  readonly title: string
  /** With units. */
  readonly xLabel: string
  readonly yLabel: string
  /** In drawing order. */
  readonly series: readonly FigureSeries[]
  readonly log?: boolean
  /** A place on the horizontal axis that is marked, such as the iteration shown. */
  readonly marker?: number
  readonly width: number
  readonly height: number
  readonly theme: PlotTheme
}

/** Beyond this many places dots would run into a thick line. */
const maxDots = 60
/** The dots of the first and last iteration lie on the edge and are shown whole. */
const overhang = 3

/** Smallest and largest finite value, positive ones only for a logarithm; 1 to 10 where there is none. */
function rangeOf(lists: readonly ArrayLike<number>[], log: boolean): { min: number; max: number } {
  let [min, max] = [Infinity, -Infinity]
  for (const values of lists)
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      if (!Number.isFinite(value) || (log && value <= 0)) continue
      min = Math.min(min, value)
      max = Math.max(max, value)
    }
  return min <= max ? { min, max } : { min: 1, max: 10 }
}

function horizontal({ series, xLabel, width }: LineFigureParts): FigureAxis {
  const { min, max } = rangeOf(
    series.map(({ xs }) => xs),
    false,
  )
  const parts = Math.max(2, Math.min(9, Math.floor(width / 70)))
  return exactAxis({ label: xLabel, min, max: max > min ? max : min + 1, parts, whole: true })
}

function vertical({ series, yLabel, log = false, height }: LineFigureParts): FigureAxis {
  const range = rangeOf(
    series.map(({ ys }) => ys),
    log,
  )
  const parts = Math.max(2, Math.min(8, Math.floor(height / 45)))
  return roundAxis({ label: yLabel, ...range, parts, log })
}

function lineOf({ name, colour, xs, ys, width = 1.5 }: FigureSeries): LineLayer {
  const dots = xs.length <= maxDots && width >= 1.5 ? 2 : 0
  return { kind: 'line', name, colour, xs, ys, width, opacity: 1, dots }
}

/** One pair of axes with a line for each series; the vertical axis ends at round numbers. */
export function lineFigure(parts: LineFigureParts): Figure {
  const { title, width, height, theme, marker } = parts
  const x = horizontal(parts)
  const y = vertical(parts)
  const layers: FigureLayer[] = parts.series.map(lineOf)
  if (marker !== undefined) layers.unshift({ kind: 'marker', axis: 'x', at: marker, colour: theme.ink })
  const frame = soleFrame(title, width, height, y)
  return { title, width, height, theme, panels: [{ title: '', details: [], overhang, frame, x, y, layers }] }
}
