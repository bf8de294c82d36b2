/**
 * Parallel coordinates, turned so that names can be read: a row for each feature, a line of means for each cluster, its quartiles a
 * band. All features on one scale, standard deviations from the mean of all rows.
 */
import { t } from '@/i18n'
import { formatNumber } from '@/text/numbers'
import { rowAxis } from '../benchmark/axes'
import type { BenchmarkPlot, KeyEntry, PlotBody, PlotTip } from '../benchmark/plot'
import type { FigureLayer } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { exactAxis } from '../figure/ticks'
import type { Palette } from '../palette'
import type { PlotTheme } from '../theme'
import { standardised, type Profile, type Spread } from './profile'

const rowHeight = 34
const right = 16

interface Line {
  readonly cluster: number
  /** By feature, in standard deviations. */
  readonly spreads: readonly Spread[]
}

function linesOf({ clusters, whole }: Profile, features: readonly number[]): readonly Line[] {
  return clusters.map(({ cluster, spreads }) => ({
    cluster,
    spreads: features.flatMap((feature) => {
      const [own, all] = [spreads[feature], whole[feature]]
      return own && all ? [standardised(own, all)] : []
    }),
  }))
}

/** Where many bands lie on one another they let through what is below. */
const bandOpacity = (count: number): number => Math.min(0.18, 0.6 / count)

function layersOf(
  lines: readonly Line[],
  rows: readonly number[],
  palette: Palette,
  theme: PlotTheme,
): readonly FigureLayer[] {
  const bands = lines.map(({ cluster, spreads }): FigureLayer => ({
    ...{
      kind: 'band',
      turned: true,
      xs: rows,
      colour: palette.css(cluster),
      opacity: bandOpacity(lines.length),
    },
    ...{ low: spreads.map(({ q25 }) => q25), high: spreads.map(({ q75 }) => q75) },
  }))
  const means = lines.flatMap(({ cluster, spreads }): readonly FigureLayer[] => {
    const xs = spreads.map(({ mean }) => mean)
    const look = { shape: palette.shape(cluster), colour: palette.css(cluster) }
    return [
      {
        ...{
          kind: 'line',
          name: t('profiles.cluster3', [palette.name(cluster)]),
          colour: look.colour,
          xs,
          ys: rows,
        },
        ...{ width: 1.5, opacity: 1, dots: 0 },
      },
      { kind: 'points', xs, ys: rows, look: rows.map(() => 0), looks: [look], radius: 3.5 },
    ]
  })
  return [{ kind: 'marker', axis: 'x', at: 0, colour: theme.quietInk }, ...bands, ...means]
}

function bodyOf(
  names: readonly string[],
  lines: readonly Line[],
  palette: Palette,
  width: number,
  theme: PlotTheme,
): PlotBody {
  const y = rowAxis(names)
  const rows = names.map((_, at) => names.length - at - 0.5)
  const ends = lines.flatMap(({ spreads }) => spreads.flatMap(({ q25, q75, mean }) => [q25, q75, mean]))
  const reach = Math.max(1, ...ends.map(Math.abs)) * 1.06
  const parts = Math.max(2, Math.floor((width - leftRoom(y) - right) / 70))
  const label = t('profiles.standardDeviationsFromTheMeanOf')
  const x = exactAxis({ label, min: -reach, max: reach, parts })
  const key = lines.map(({ cluster }): KeyEntry => ({
    ...{
      shape: palette.shape(cluster),
      colour: palette.css(cluster),
      label: t('profiles.cluster4', [palette.name(cluster)]),
    },
  }))
  return { x, y, right, layers: layersOf(lines, rows, palette, theme), key }
}

/** @param features positions of those that are shown, from top to bottom */
export function parallelPlot(profile: Profile, features: readonly number[], palette: Palette): BenchmarkPlot {
  const lines = linesOf(profile, features)
  const names = features.map((feature) => profile.features[feature] ?? '')
  const tips = lines.flatMap(({ cluster, spreads }) =>
    spreads.map(({ mean, q25, q75 }, at): PlotTip => {
      const own = profile.clusters.find((one) => one.cluster === cluster)?.spreads[features[at] ?? 0]
      return {
        ...{
          x: mean,
          y: names.length - at - 0.5,
          title: t('profiles.cluster5', [palette.name(cluster), names[at] ?? '']),
        },
        lines: [
          t('profiles.meanSd2', [formatNumber(own?.mean ?? null), formatNumber(mean)]),
          t('profiles.quartilesToSd', [formatNumber(q25), formatNumber(q75)]),
        ],
      }
    }),
  )
  return {
    name: 'profile-parallel',
    title: t('profiles.clustersOverTheChosenFeatures'),
    note: t('profiles.lineMeansBandQuartiles'),
    summary: t('profiles.featuresInRowsALineFor', [names.length, lines.length]),
    remarks: [],
    tips,
    tipAxis: 'xy',
    height: () => Math.max(2, names.length) * rowHeight,
    body: ({ width }, theme) => bodyOf(names, lines, palette, width, theme),
  }
}
