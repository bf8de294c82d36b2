/** One feature in all clusters: quartiles as a box, smallest to largest as whiskers, the mean a dot, all rows below. */
import { t } from '@/i18n'
import { formatNumber } from '@/text/numbers'
import { rowAxis } from '../benchmark/axes'
import type { BenchmarkPlot, PlotBody, PlotTip } from '../benchmark/plot'
import type { FigureBar, FigureLayer } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { exactAxis } from '../figure/ticks'
import type { Palette } from '../palette'
import type { PlotTheme } from '../theme'
import { standardised, type Profile, type ProfileUnits, type Spread } from './profile'

const rowHeight = 22
const right = 14
/** Shares of a row. */
const half = 0.3
const whisker = 0.16
/** Of the box: points of the same colour lie on it. */
const boxOpacity = 0.45

interface BoxRow {
  /** Null for all rows. */
  readonly cluster: number | null
  readonly name: string
  readonly spread: Spread
}

function boxRows(
  profile: Profile,
  feature: number,
  palette: Palette,
  units: ProfileUnits,
): readonly BoxRow[] {
  const whole = profile.whole[feature]
  if (!whole) return []
  const shown = (spread: Spread): Spread => (units === 'file' ? spread : standardised(spread, whole))
  const clusters = profile.clusters.flatMap(({ cluster, spreads }): readonly BoxRow[] => {
    const spread = spreads[feature]
    return spread ? [{ cluster, name: palette.name(cluster), spread: shown(spread) }] : []
  })
  return [...clusters, { cluster: null, name: t('profiles.allRows2'), spread: shown(whole) }]
}

const gap = [NaN, NaN] as const

function strokes(
  name: string,
  colour: string,
  width: number,
  points: readonly (readonly [number, number])[],
): FigureLayer {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { kind: 'line', name, colour, xs, ys, width, opacity: 1, dots: 0 }
}

function layersOf(rows: readonly BoxRow[], palette: Palette, theme: PlotTheme): readonly FigureLayer[] {
  const laidOut = rows.map((row, at) => ({ ...row, middle: rows.length - at - 0.5 }))
  const colourOf = (cluster: number | null): string =>
    cluster === null ? theme.neutralPoint : palette.css(cluster)
  const whiskers = laidOut.flatMap(({ spread: { min, q25, q75, max }, middle }) => {
    const end = (x: number) => [[x, middle - whisker], [x, middle + whisker], gap] as const
    return [
      ...end(min),
      ...end(max),
      [min, middle],
      [q25, middle],
      gap,
      [q75, middle],
      [max, middle],
      gap,
    ] as const
  })
  const medians = laidOut.flatMap(
    ({ spread: { median }, middle }) => [[median, middle - half], [median, middle + half], gap] as const,
  )
  const boxes = laidOut.map(({ cluster, spread: { q25, q75 }, middle }) => ({
    ...({
      kind: 'band',
      turned: true,
      xs: [middle - half, middle + half],
      low: [q25, q25],
      high: [q75, q75],
    } as const),
    ...{ colour: colourOf(cluster), opacity: boxOpacity },
  }))
  const outlines: readonly FigureBar[] = laidOut.map(({ cluster, spread: { q25, q75 }, middle }) => ({
    ...{
      x0: q25,
      x1: q75,
      y0: middle - half,
      y1: middle + half,
      colour: colourOf(cluster),
      label: '',
      hollow: true,
    },
  }))
  return [
    ...boxes,
    { kind: 'bars', bars: outlines },
    strokes(t('profiles.smallestToLargest'), theme.quietInk, 1, whiskers),
    strokes('median', theme.ink, 2, medians),
    {
      kind: 'points',
      xs: laidOut.map(({ spread }) => spread.mean),
      ys: laidOut.map(({ middle }) => middle),
      look: laidOut.map((_, at) => at),
      looks: laidOut.map(({ cluster }) => ({
        ...{ shape: cluster === null ? 'circle' : palette.shape(cluster), colour: theme.ink },
      })),
      radius: 3,
    },
  ]
}

function bodyOf(
  rows: readonly BoxRow[],
  palette: Palette,
  label: string,
  width: number,
  theme: PlotTheme,
): PlotBody {
  const y = rowAxis(rows.map(({ name }) => name))
  const room = width - leftRoom(y) - right
  const [least, most] = [
    Math.min(...rows.map(({ spread }) => spread.min)),
    Math.max(...rows.map(({ spread }) => spread.max)),
  ]
  const side = most > least ? (most - least) * 0.03 : 1
  const x = exactAxis({
    label,
    min: least - side,
    max: most + side,
    parts: Math.max(2, Math.floor(room / 52)),
  })
  return { x, y, right, layers: layersOf(rows, palette, theme), key: [] }
}

function tipOf({ cluster, name, spread }: BoxRow, at: number, rows: number): PlotTip {
  const { mean, sd, min, q25, median, q75, max } = spread
  return {
    ...{
      x: median,
      y: rows - at - 0.5,
      title: cluster === null ? t('profiles.allRows3') : t('profiles.cluster3', [name]),
    },
    lines: [
      t('profiles.meanSd', [formatNumber(mean), formatNumber(sd)]),
      t('profiles.quartiles', [formatNumber(q25), formatNumber(median), formatNumber(q75)]),
      t('profiles.smallestLargest', [formatNumber(min), formatNumber(max)]),
    ],
  }
}

/** The box plot of a feature (its position). */
export function boxPlot(
  profile: Profile,
  feature: number,
  palette: Palette,
  units: ProfileUnits,
): BenchmarkPlot {
  const rows = boxRows(profile, feature, palette, units)
  const name = profile.features[feature] ?? ''
  const medians = rows.map(({ name: of, spread }) => `${of} ${formatNumber(spread.median)}`)
  return {
    name: `profile-box-${feature + 1}`,
    title: name,
    note: t('profiles.boxQuartilesWithTheMedianWhiskers'),
    summary: t('profiles.medians', [medians.join(', ')]),
    remarks: [],
    tips: rows.map((row, at) => tipOf(row, at, rows.length)),
    tipAxis: 'y',
    height: () => rows.length * rowHeight,
    body: ({ width }, theme) =>
      bodyOf(
        rows,
        palette,
        units === 'file' ? '' : t('profiles.standardDeviationsFromTheMeanOf'),
        width,
        theme,
      ),
  }
}
