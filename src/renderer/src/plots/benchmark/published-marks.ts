/** What a study published, in every plot of a comparison: the mark of what it stands beside, hollow. */
import type { FigureLayer, PointLook } from '../figure/figure'
import type { BenchmarkTheme } from './benchmark-theme'
import type { KeyEntry } from './plot'
import { t } from '@/i18n'

export interface PublishedMark {
  readonly x: number
  readonly y: number
  /** Of its measured counterpart. */
  readonly look: PointLook
}

/** CSS pixels. */
const radius = 5
const rim = 1.8

/** Two layers of filled points, which every painter has: the mark, and the ground within its rim. */
export function publishedLayers(
  marks: readonly PublishedMark[],
  theme: BenchmarkTheme,
): readonly FigureLayer[] {
  if (marks.length === 0) return []
  const layer = (looks: readonly PointLook[], size: number): FigureLayer => ({
    kind: 'points',
    xs: marks.map(({ x }) => x),
    ys: marks.map(({ y }) => y),
    look: marks.map((_, at) => at),
    looks,
    radius: size,
  })
  const inner = marks.map(({ look }) => ({ shape: look.shape, colour: theme.ground }))
  const outer = marks.map(({ look }) => look)
  return [layer(outer, radius), layer(inner, radius - rim)]
}

/** The one entry for all of them; none without any. */
export function publishedKey(marks: readonly PublishedMark[], theme: BenchmarkTheme): readonly KeyEntry[] {
  return marks.length === 0
    ? []
    : [{ label: t('benchmark.published'), colour: theme.ink, shape: 'circle', hollow: true }]
}
