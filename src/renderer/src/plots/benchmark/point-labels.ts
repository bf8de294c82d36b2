/** Names right or left of points, as many as stand free of the points and of one another. */
import { freeSides, nameGap } from '@shared/benchmark/free-sides'
import { shareOf, type FigureText } from '../figure/figure'
import { aboutWidth } from '../figure/svg-text'
import type { BenchmarkTheme } from './benchmark-theme'
import type { PlotArea } from './crossing-marks'

interface NamedPoint {
  readonly x: number
  readonly y: number
  readonly label: string
}

/** @param end CSS pixels of the frame up to which names may stand */
export function pointLabels(
  points: readonly NamedPoint[],
  { x, y, length, height }: PlotArea,
  end: number,
  theme: BenchmarkTheme,
): readonly FigureText[] {
  const positions = points.map((point) => ({
    left: shareOf(x, point.x) * length,
    top: (1 - shareOf(y, point.y)) * height,
    width: aboutWidth(point.label, 11),
  }))
  const sides = freeSides(positions, [0, end])
  return points.flatMap(({ label, ...place }, at): FigureText[] => {
    const side = sides[at]
    if (!side) return []
    const [dx, anchor] = side === 'right' ? ([nameGap, 'start'] as const) : ([-nameGap, 'end'] as const)
    const { x, y } = place
    return [{ x, y, dx, dy: 0, text: label, colour: theme.quietInk, anchor, rim: true }]
  })
}
