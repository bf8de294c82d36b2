import { drawing, element, label, line, quietInk, type SvgFigure } from '@shared/benchmark/figures/svg'
import { clusterColour, cssColour } from '@shared/cluster-colours'
import { formatCount } from '@shared/quantity-words'
import { CentredPoints } from '../../projection/centred-points'
import { principalComponents } from '../../projection/principal-components'
import { dot } from '../../projection/vectors'
import type { RunResult } from '../../run/types'
import type { Slices } from '../../slices'
import { speaking, t } from '@shared/locale/translate'
import type { ReportChoice } from '@shared/text-choice'

/** A page stays small, and its dots apart. */
const maxDots = 3000
const [width, height, margin] = [640, 420, 48]

interface Axes {
  /** In the language that is spoken. */
  readonly names: () => readonly [string, string]
  /** A row about the mean, engine units, as x and y. */
  readonly of: (row: Float64Array) => readonly [number, number]
}

/** The rows in their first two features, or, where there are more, in the two principal components; clusters by colour. */
export async function scatterFigure(
  result: RunResult,
  slices: Slices,
  { language = 'en', clusterNames }: ReportChoice,
): Promise<SvgFigure> {
  const { points, labels, centroids, record } = result
  const centred = await CentredPoints.of(points, slices)
  const axes = await axesOf(result, centred, slices)
  const every = Math.max(1, Math.ceil(points.n / maxDots))
  const dots: { readonly at: readonly [number, number]; readonly cluster: number }[] = []
  await centred.eachBlock(1, slices, ([row], point) => {
    if (point % every === 0) dots.push({ at: axes.of(row), cluster: labels[point] })
  })
  const centres = record.clusters.flatMap(({ cluster, size }) => {
    if (size === 0) return []
    const row = Float64Array.from(centred.mean, (mean, j) => centroids[cluster * record.d + j] - mean)
    return [{ at: axes.of(row), cluster }]
  })
  return speaking(language, () => {
    const shown =
      every === 1 ? '' : t('report.ofRowsEvenly', [formatCount(dots.length), formatCount(points.n)])
    const position = positions([...dots, ...centres].map(({ at }) => at))
    return drawing(t('report.clustersOf2', [record.file.name, shown]), width, height, [
      ...frame(axes.names()),
      ...dots.map(({ at, cluster }) => mark(position(at), cssColour(clusterColour(cluster, record.k)))),
      ...centres.map(({ at, cluster }) =>
        centre(
          position(at),
          clusterNames?.[cluster] ?? String(cluster),
          cssColour(clusterColour(cluster, record.k)),
        ),
      ),
    ])
  })
}

async function axesOf({ record }: RunResult, centred: CentredPoints, slices: Slices): Promise<Axes> {
  const { d, features } = record
  if (d <= 2) {
    const second = d === 2 ? features[1].name : ''
    return { names: () => [features[0].name, second], of: (row) => [row[0], d === 2 ? row[1] : 0] }
  }
  const { directions, variances, totalVariance } = await principalComponents(centred, slices)
  const share = (i: number) => `${((100 * variances[i]) / (totalVariance || 1)).toFixed(0)} %`
  return {
    names: () => [
      t('report.n1stPrincipalComponentOfTheVariance', [share(0)]),
      t('report.n2ndPrincipalComponentOfTheVariance', [share(1)]),
    ],
    of: (row) => [dot(directions[0], row), dot(directions[1], row)],
  }
}

type Position = (at: readonly [number, number]) => readonly [number, number]

/** Into the frame, each axis by its own extent. */
function positions(all: readonly (readonly [number, number])[]): Position {
  const extent = (axis: 0 | 1) => {
    let [low, high] = [Infinity, -Infinity]
    for (const at of all) {
      low = Math.min(low, at[axis])
      high = Math.max(high, at[axis])
    }
    return { low, size: high > low ? high - low : 1 }
  }
  const [x, y] = [extent(0), extent(1)]
  return ([right, up]) => [
    margin + 8 + ((right - x.low) / x.size) * (width - 2 * margin - 16),
    height - margin - 8 - ((up - y.low) / y.size) * (height - 2 * margin - 16),
  ]
}

function frame([x, y]: readonly [string, string]): string[] {
  const corner = [margin, height - margin] as const
  const turned = element(
    'g',
    { transform: `rotate(-90 ${margin - 16} ${height / 2})` },
    label(margin - 16, height / 2, y, { anchor: 'middle', colour: quietInk }),
  )
  return [
    line(corner, [width - margin, height - margin], quietInk),
    line(corner, [margin, margin], quietInk),
    label(width / 2, height - margin + 28, x, { anchor: 'middle', colour: quietInk }),
    turned,
  ]
}

function mark([cx, cy]: readonly [number, number], colour: string): string {
  return element('circle', { cx, cy, r: 2.2, style: `fill:${colour};fill-opacity:.55` })
}

function centre([cx, cy]: readonly [number, number], name: string, colour: string): string {
  const style = `fill:${colour};stroke:var(--ink, #1d2125);stroke-width:1.5`
  return element('circle', { cx, cy, r: 6, style }) + label(cx + 9, cy + 4, name, { bold: true })
}
