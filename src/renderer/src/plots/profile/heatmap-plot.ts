/** Clusters across, features down, coloured by how far a cluster's mean lies from that of all rows; what is alike stands together. */
import { t } from '@/i18n'
import { profileFormat } from '@/text/feature-format'
import { formatFixed } from '@/text/numbers'
import { rowAxis } from '../benchmark/axes'
import type { BenchmarkPlot, KeyEntry, PlotBody, PlotTip } from '../benchmark/plot'
import type { FigureAxis, FigureBar, FigureText } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { aboutWidth } from '../figure/svg-text'
import type { Palette } from '../palette'
import type { PlotTheme } from '../theme'
import { deviationColour, fullDeviation } from './diverging'
import { byContrast, type Profile, type ProfileUnits } from './profile'
import { similarityOrder } from './seriation'

/** More features than this are no picture any more; those on which clusters differ least are left out. */
export const maxHeatmapFeatures = 60
const maxHeatmapClusters = 100
const rowHeight = 20
/** Cells beyond this width only carry the eye away from the names. */
const maxCell = 160
/** CSS pixels between cells. */
const seam = 1

interface Cell {
  readonly row: number
  readonly column: number
  readonly cluster: number
  readonly feature: number
  readonly z: number
  readonly mean: number
}

interface Layout {
  readonly features: readonly number[]
  readonly clusters: readonly number[]
  readonly cells: readonly Cell[]
}

function layOut(profile: Profile): Layout {
  const distinctive = byContrast(profile).slice(0, maxHeatmapFeatures)
  const columns = profile.clusters.slice(0, maxHeatmapClusters)
  const z = (feature: number): readonly number[] => columns.map((cluster) => cluster.z[feature] ?? NaN)
  const features = similarityOrder(distinctive.map(z)).map((at) => distinctive[at] ?? 0)
  const order = similarityOrder(
    columns.map((cluster) => features.map((feature) => cluster.z[feature] ?? NaN)),
  )
  const clusters = order.flatMap((at) => columns[at] ?? [])
  const cells = features.flatMap((feature, row) =>
    clusters.map(({ cluster, z: of, spreads }, column): Cell => {
      const [deviation, mean] = [of[feature] ?? NaN, spreads[feature]?.mean ?? NaN]
      return { row, column, cluster, feature, z: deviation, mean }
    }),
  )
  return { features, clusters: clusters.map(({ cluster }) => cluster), cells }
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${formatFixed(Math.abs(value), 1)}`

function clusterAxis(clusters: readonly number[], palette: Palette, cell: number): FigureAxis {
  const widest = Math.max(...clusters.map((cluster) => aboutWidth(palette.name(cluster), 11)), 1)
  const every = Math.max(1, Math.ceil((widest + 6) / cell))
  const ticks = clusters.flatMap((cluster, at) =>
    at % every === 0 ? [{ value: at + 0.5, label: palette.name(cluster) }] : [],
  )
  return { label: t('profiles.cluster2'), min: 0, max: Math.max(1, clusters.length), log: false, ticks }
}

function legend(theme: PlotTheme): readonly KeyEntry[] {
  const entry = (deviation: number, label: string): KeyEntry => ({
    ...{ shape: 'bar', label, colour: deviationColour(deviation, theme) },
  })
  const far = t('profiles.sdOrMore', [fullDeviation])
  return [
    entry(-fullDeviation, t('profiles.belowTheMeanOfAllRows', [far])),
    entry(-fullDeviation / 2, t('profiles.n1SdBelow')),
    entry(fullDeviation / 2, t('profiles.n1SdAbove')),
    entry(fullDeviation, t('profiles.above', [far])),
  ]
}

function bodyOf(
  { features, clusters, cells }: Layout,
  profile: Profile,
  palette: Palette,
  units: ProfileUnits,
  width: number,
  theme: PlotTheme,
): PlotBody {
  const y = rowAxis(features.map((feature) => profile.features[feature] ?? ''))
  const room = Math.max(1, width - leftRoom(y) - 8)
  const cell = Math.min(maxCell, room / Math.max(1, clusters.length))
  const right = 8 + room - cell * clusters.length
  const x = clusterAxis(clusters, palette, cell)
  const top = (row: number): number => features.length - row
  const [gapX, gapY] = [seam / 2 / cell, seam / 2 / rowHeight]
  const bars = cells.map(({ row, column, z }): FigureBar => ({
    ...{ x0: column + gapX, x1: column + 1 - gapX, y0: top(row) - 1 + gapY, y1: top(row) - gapY },
    ...{ colour: deviationColour(z, theme), label: '' },
  }))
  const says = (feature: number, value: number): string => profileFormat(profile, feature, units)(value)
  const words = cells.map(({ row, column, feature, z, mean }): FigureText => ({
    ...{ x: column + 0.5, y: top(row) - 0.5, dx: 0, dy: 0, anchor: 'middle', colour: theme.ink },
    text: units === 'file' ? says(feature, mean) : Number.isFinite(z) ? signed(z) : '–',
  }))
  const readable = words.every(({ text }) => aboutWidth(text, 11) + 4 <= cell)
  const layers = [
    { kind: 'bars', bars } as const,
    ...(readable ? [{ kind: 'texts', texts: words } as const] : []),
  ]
  return { x, y, right, layers, key: legend(theme) }
}

function summaryOf({ cells }: Layout, { features }: Profile, palette: Palette): string {
  const farthest = cells.reduce<Cell | null>((far, cell) => {
    return Number.isFinite(cell.z) && Math.abs(cell.z) > Math.abs(far?.z ?? 0) ? cell : far
  }, null)
  if (!farthest) return t('profiles.allClustersHaveTheMeansOf')
  const where = farthest.z < 0 ? t('profiles.below') : t('profiles.above2')
  const far = t('profiles.standardDeviationsTheMeanOfAll', [formatFixed(Math.abs(farthest.z), 1), where])
  return t('profiles.farthestClusterIn', [
    palette.name(farthest.cluster),
    features[farthest.feature] ?? '',
    far,
  ])
}

/** The heat map of a profile; null where it has no cluster or no feature. */
export function heatmapPlot(profile: Profile, palette: Palette, units: ProfileUnits): BenchmarkPlot | null {
  const layout = layOut(profile)
  if (layout.cells.length === 0) return null
  const { features: names } = profile
  const left = names.length - layout.features.length
  const rows = layout.features.length
  return {
    name: 'profile-heatmap',
    title: t('profiles.meansOfTheClustersAgainstAll'),
    note: t('profiles.colourStandardDeviationsSdFromThe', [
      units === 'file' ? t('profiles.meansInUnitsOfTheFile') : t('profiles.standardDeviations'),
    ]),
    summary: summaryOf(layout, profile, palette),
    remarks: left > 0 ? [t('profiles.featuresOnWhichTheClustersDiffer', [left])] : [],
    tips: layout.cells.map(({ row, column, cluster, feature, z, mean }): PlotTip => ({
      ...{ x: column + 0.5, y: rows - row - 0.5, title: t('profiles.cluster3', [palette.name(cluster)]) },
      lines: [
        t('profiles.mean', [names[feature] ?? '', profileFormat(profile, feature, 'file')(mean)]),
        t('profiles.allRows', [profileFormat(profile, feature, 'file')(profile.whole[feature]?.mean ?? NaN)]),
        ...(Number.isFinite(z) ? [t('profiles.sd', [signed(z)])] : []),
      ],
    })),
    tipAxis: 'xy',
    height: () => rows * rowHeight,
    body: ({ width }, theme) => bodyOf(layout, profile, palette, units, width, theme),
  }
}
