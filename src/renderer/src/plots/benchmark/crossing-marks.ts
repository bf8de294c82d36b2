/** Crossovers in a scaling plot: rings with their intervals, and the size beside each. */
import type { Crossing } from '@shared/benchmark/crossover'
import { sizeSymbols } from '@shared/benchmark/crossover-text'
import type { ScalingSize } from '@shared/benchmark/scaling'
import { formatCount, formatPlain } from '@/text/numbers'
import { shareOf, type FigureAxis, type FigureLayer, type FigureText } from '../figure/figure'
import { aboutWidth } from '../figure/svg-text'
import type { BenchmarkTheme } from './benchmark-theme'

function ringOf(crossings: readonly Crossing[], colour: string, radius: number): FigureLayer {
  const [xs, ys] = [crossings.map(({ at }) => at), crossings.map(({ ms }) => ms)]
  return {
    kind: 'points',
    xs,
    ys,
    look: crossings.map(() => 0),
    looks: [{ shape: 'circle', colour }],
    radius,
  }
}

/** Interval and place of a crossing. */
export function crossingLayers(
  crossings: readonly Crossing[],
  theme: BenchmarkTheme,
): readonly FigureLayer[] {
  const spans = crossings.map(({ at, ms, interval }) => ({
    low: interval?.low ?? at,
    high: interval?.high ?? at,
    ms,
  }))
  return [
    {
      kind: 'line',
      name: 'interval of the crossover',
      colour: theme.ink,
      xs: spans.flatMap(({ low, high }) => [low, high, NaN]),
      ys: spans.flatMap(({ ms }) => [ms, ms, NaN]),
      width: 2,
      opacity: 1,
      dots: 0,
    },
    ringOf(crossings, theme.ink, 4.5),
    ringOf(crossings, theme.ground, 2.8),
  ]
}

const sizeWord = (size: number): string => {
  const rounded = Number(size.toPrecision(2))
  return rounded >= 1000 ? formatCount(rounded) : formatPlain(rounded)
}

/** Below its ring, where the fastest have room, above it where another stands there already, nowhere where both are taken. */
const labelTops = [15, -13] as const

/** A label in CSS pixels of the frame. */
interface Box {
  readonly left: number
  readonly top: number
  readonly half: number
}

const apart = (a: Box, b: Box): boolean =>
  Math.abs(a.left - b.left) > a.half + b.half || Math.abs(a.top - b.top) > 13

/** The area between the axes. */
export interface PlotArea {
  readonly x: FigureAxis
  readonly y: FigureAxis
  /** CSS pixels. */
  readonly length: number
  readonly height: number
}

/** The size at each ring, whole within the frame and none on another. */
export function crossingTexts(
  crossings: readonly Crossing[],
  varies: ScalingSize,
  { x, y, length, height }: PlotArea,
  theme: BenchmarkTheme,
): readonly FigureText[] {
  const taken: Box[] = []
  return crossings.flatMap(({ at, ms }): FigureText[] => {
    const text = `${sizeSymbols[varies]} ≈ ${sizeWord(at)}`
    const half = aboutWidth(text, 11) / 2
    const ring = { left: shareOf(x, at) * length, top: (1 - shareOf(y, ms)) * height }
    const left = Math.min(length - half, Math.max(half, ring.left))
    const box = labelTops
      .map((move): Box => ({ left, top: ring.top + move, half }))
      .find((one) => one.top > 6 && one.top < height - 6 && taken.every((other) => apart(one, other)))
    if (!box) return []
    taken.push(box)
    const moved = { dx: left - ring.left, dy: box.top - ring.top }
    return [{ x: at, y: ms, ...moved, text, colour: theme.ink, anchor: 'middle', rim: true }]
  })
}
