/** Silhouettes as in Rousseeuw 1987: a block for each cluster, its points from the best to the worst, as wide as their number. */
import { t } from '@/i18n'
import { formatFixed, formatCount, formatNumber, formatShare } from '@/text/numbers'
import type { BenchmarkPlot, PlotBody, PlotTip } from '../benchmark/plot'
import type { FigureAxis, FigureLayer, FigureText } from '../figure/figure'
import { exactAxis } from '../figure/ticks'
import { leftRoom } from '../figure/layout'
import type { Palette } from '../palette'
import type { PlotTheme } from '../theme'

export interface SilhouetteBlock {
  readonly cluster: number
  readonly size: number
  readonly mean: number
  /** Of the points drawn, descending: quantiles of all of them where there are many. */
  readonly values: ArrayLike<number>
  /** Share of the points below 0: nearer to another cluster. */
  readonly negative: number
}

export interface SilhouetteParts {
  readonly mean: number
  readonly blocks: readonly SilhouetteBlock[]
  /** `exact, every pair of 150 rows`, `sample of 20 000 rows ± 0.001`. */
  readonly how: string
}

const maxHeight = 420
const minBlock = 18
/** Pixels between two blocks. */
const gap = 6
const right = 56

interface LaidOutBlock extends SilhouetteBlock {
  /** In CSS pixels, which are the units of the vertical axis; top above bottom. */
  readonly top: number
  readonly bottom: number
}

/** Blocks as high as they have points, none too low for its name. */
function layOut(blocks: readonly SilhouetteBlock[]): {
  readonly laidOut: readonly LaidOutBlock[]
  readonly height: number
} {
  const points = blocks.reduce((sum, { size }) => sum + size, 0)
  const room = Math.min(maxHeight, Math.max(180, blocks.length * 56))
  const heights = blocks.map(({ size }) => Math.max(minBlock, (room * size) / Math.max(1, points)))
  const height = heights.reduce((sum, one) => sum + one + gap, gap)
  let top = height - gap
  const laidOut = blocks.map((block, at) => {
    const bottom = top - (heights[at] ?? 0)
    const one = { ...block, top, bottom }
    top = bottom - gap
    return one
  })
  return { laidOut, height }
}

function blockLayer({ cluster, values, top, bottom }: LaidOutBlock, palette: Palette): FigureLayer {
  const all = Array.from(values)
  const step = (top - bottom) / Math.max(1, all.length)
  // Both edges of each point, so that few points show as steps and many as a curve.
  const xs = all.flatMap((_, at) => [top - at * step, top - (at + 1) * step])
  const high = all.flatMap((value) => [value, value])
  const look = { colour: palette.css(cluster), opacity: 0.85 }
  return { kind: 'band', turned: true, xs, low: xs.map(() => 0), high, ...look }
}

function bodyOf(
  laidOut: readonly LaidOutBlock[],
  height: number,
  { mean }: SilhouetteParts,
  palette: Palette,
  width: number,
  theme: PlotTheme,
): PlotBody {
  const ticks = laidOut.map(({ cluster, top, bottom }) => ({
    value: (top + bottom) / 2,
    label: palette.name(cluster),
  }))
  const y: FigureAxis = { label: t('profiles.cluster2'), min: 0, max: height, log: false, ticks }
  const least = Math.min(0, ...laidOut.map(({ values }) => values[values.length - 1] ?? 0))
  const min = Math.max(-1, Math.floor(least * 10) / 10)
  const most = Math.max(mean, ...laidOut.map(({ values }) => values[0] ?? 0))
  const max = Math.min(1, Math.ceil(most * 10 + 0.1) / 10)
  const parts = Math.max(2, Math.floor((width - leftRoom(y) - right) / 70))
  const x = exactAxis({ label: t('profiles.silhouette'), min, max, parts })
  const words = laidOut.map(({ mean: own, top, bottom }): FigureText => ({
    ...{
      x: max,
      y: (top + bottom) / 2,
      dx: 6,
      dy: 0,
      anchor: 'start',
      colour: theme.ink,
      text: formatFixed(own, 3),
    },
  }))
  const layers: readonly FigureLayer[] = [
    ...laidOut.map((block) => blockLayer(block, palette)),
    { kind: 'marker', axis: 'x', at: 0, colour: theme.quietInk },
    { kind: 'marker', axis: 'x', at: mean, colour: theme.ink },
    { kind: 'texts', texts: words },
  ]
  return { x, y, right, layers, key: [] }
}

/** The silhouette plot; blocks in the order given. */
export function silhouettePlot(parts: SilhouetteParts, palette: Palette): BenchmarkPlot {
  const { laidOut, height } = layOut(parts.blocks)
  const worst = parts.blocks.reduce<SilhouetteBlock | null>(
    (low, block) => (low && low.mean <= block.mean ? low : block),
    null,
  )
  const weakest = worst
    ? t('profiles.clusterIsLeastApart', [palette.name(worst.cluster), formatFixed(worst.mean, 3)])
    : ''
  return {
    name: 'profile-silhouette',
    title: t('profiles.silhouettesOnAverage', [formatFixed(parts.mean, 3)]),
    note: t('profiles.n1FarFromOtherClusters0'),
    summary: `${parts.how}.${weakest}`,
    remarks: [],
    tips: laidOut.map(({ cluster, size, mean, negative, top, bottom }): PlotTip => ({
      ...{ x: mean, y: (top + bottom) / 2, title: t('profiles.cluster3', [palette.name(cluster)]) },
      lines: [
        t('profiles.meanSilhouette', [formatNumber(mean)]),
        t('profiles.rowsBelow0', [formatCount(size), formatShare(negative)]),
      ],
    })),
    tipAxis: 'y',
    height: () => height,
    body: ({ width }, theme) => bodyOf(laidOut, height, parts, palette, width, theme),
  }
}
