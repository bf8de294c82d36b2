/** How many times faster one system of a study is than another, against the words transferred: measured and published. */
import { contenderParts, contenderShapes, type ContenderLook } from './contender-look'
import { limitNotes } from './cell-limit'
import type { BenchmarkDocument } from './document'
import { hexOfRgb, rgbOfOklch } from '../colour'
import { hasCuda, standInMark, standInNote } from './published-match'
import { ratioComparisons, spreadOf, type MeasuredRatio, type RatioComparison } from './published-ratios'
import { scaledMark } from './scaled'
import { countText } from './significant'
import type { PublishedRatio } from './suite'
import { scaleNotes } from './table-notes'
import { t } from '../locale/translate'

export interface RatioPoint extends MeasuredRatio {
  /** The dataset without what scaling added to its name. */
  readonly label: string
  readonly words: number
}

/** Of a ratio in a sentence; the table has more. */
const digits = 2

const statistics = ['min', 'mean', 'max'] as const
type Statistic = (typeof statistics)[number]
const statisticWords: Readonly<Record<Statistic, string>> = {
  get min() {
    return t('benchmark-tables.smallest')
  },
  get mean() {
    return t('benchmark-tables.mean')
  },
  get max() {
    return t('benchmark-tables.largest')
  },
}

/** A number of the study and its measured counterpart, both over all data of a k. */
export interface RatioPair {
  readonly statistic: Statistic
  /** In a word. */
  readonly what: string
  readonly measured: number
  readonly published: number
}

/** One k on one device. */
export interface RatioSeries {
  /** `k = 10`, with the device where there are several; `≈ ` before one with ratios of scaled times. */
  readonly name: string
  /** `k = 10`. */
  readonly ofK: string
  readonly look: ContenderLook
  /** In the order of the words. */
  readonly points: readonly RatioPoint[]
  /** Only what the study prints. */
  readonly pairs: readonly RatioPair[]
}

/** One pair of systems, e.g. GPU only over hybrid; at least one series, each with at least one point. */
export interface RatioPlot {
  readonly title: string
  /** In the study's words. */
  readonly systems: string
  /** What is divided by what, marked where WebGPU stands in. */
  readonly says: string
  /** Whether WebGPU does, on a machine without CUDA. */
  readonly standsIn: boolean
  readonly series: readonly RatioSeries[]
}

/** The plots of a comparison; none where no words cross, as for two systems of the processor. */
export function ratioPlots(document: BenchmarkDocument): readonly RatioPlot[] {
  const plotted = ratioComparisons(document)
    .map((comparison) => ({ comparison, points: pointsOf(comparison) }))
    .filter(({ points }) => points.length > 0)
  const systems = [...new Set(plotted.map(({ comparison }) => comparison.published.systems))]
  return systems.map((name) => {
    const own = plotted.filter(({ comparison }) => comparison.published.systems === name)
    return {
      title: t('benchmark-tables.speedUpAgainstWordsTransferred', [name]),
      systems: name,
      says: contendersText(document, own),
      standsIn: own.some(({ comparison }) => comparison.standsIn) && !hasCuda(document),
      series: seriesOf(own),
    }
  })
}

/** Whether a suite's study prints ratios that such a plot can have: of two systems between which words cross. */
export function hasRatioPlot({ publication }: BenchmarkDocument['suite']): boolean {
  return (publication?.ratios ?? []).some(({ over }) => contenderParts(over).family !== 'cpu')
}

interface Plotted {
  readonly comparison: RatioComparison
  readonly points: readonly RatioPoint[]
}

function pointsOf({ measured }: RatioComparison): readonly RatioPoint[] {
  return measured
    .flatMap((one) => {
      const { words } = one
      const label = one.workload.dataset.replace(/, scale .*$/u, '')
      return words === null || words <= 0 ? [] : [{ ...one, words, label }]
    })
    .sort((a, b) => a.words - b.words)
}

function seriesOf(plotted: readonly Plotted[]): readonly RatioSeries[] {
  const ks = [...new Set(plotted.map(({ comparison }) => comparison.published.k))]
  const devices = [...new Set(plotted.map(({ comparison }) => comparison.device ?? ''))]
  return plotted.map(({ comparison, points }) => {
    const { published, device, measured } = comparison
    const [k, on] = [ks.indexOf(published.k), devices.indexOf(device ?? '')]
    const ofK = `k = ${countText(published.k)}`
    const where = devices.length > 1 ? `, ${device ?? ''}` : ''
    return {
      name: `${points.some(({ scaled }) => scaled !== null) ? scaledMark : ''}${ofK}${where}`,
      ofK,
      look: lookOf(k, on),
      points,
      pairs: pairsOf(published, measured),
    }
  })
}

function pairsOf(published: PublishedRatio, measured: readonly MeasuredRatio[]): readonly RatioPair[] {
  const spread = spreadOf(measured.map(({ ratio }) => ratio))
  if (spread === null) return []
  return statistics.flatMap((name) => {
    const printed = published[name]
    return printed === null
      ? []
      : [{ statistic: name, what: statisticWords[name], measured: spread[name], published: printed }]
  })
}

/** None of them a family of an engine (contender-look.ts), each at least 3:1 on both grounds. */
const shades = [
  { lightness: 0.55, chroma: 0.15, hue: 285 },
  { lightness: 0.59, chroma: 0.16, hue: 15 },
  { lightness: 0.62, chroma: 0.11, hue: 115 },
  { lightness: 0.6, chroma: 0.1, hue: 215 },
] as const

/** A k has a colour, a device within it a shape. */
function lookOf(k: number, device: number): ContenderLook {
  const { lightness, chroma, hue } = shades[k % shades.length] ?? shades[0]
  const shape = contenderShapes[(k + device) % contenderShapes.length] ?? 'circle'
  return { colour: hexOfRgb(rgbOfOklch(lightness, chroma, hue)), shape }
}

/** `irregular-reduction over hybrid-parallel on webgpu:0, stands in for CUDA`. */
function contendersText(document: BenchmarkDocument, plotted: readonly Plotted[]): string {
  const said = plotted.map(({ comparison: { device, measured, standsIn, published } }) => {
    const [one] = measured
    const variants = [one?.row.contender ?? published.contender, one?.over.contender ?? published.over]
    const [fast, slow] = variants.map((key) => contenderParts(key).variant)
    const mark = standsIn && !hasCuda(document) ? `, ${standInMark()}` : ''
    return t('benchmark-tables.overOn', [fast, slow, device ?? '', mark])
  })
  return [...new Set(said)].join('; ')
}

/** `k = 10: 2.1 to 4.4, mean 3.3 (published 2.6 to 3.5, mean 3.2)`; of the study what it prints. */
export function pairsText({ name, pairs }: RatioSeries): string {
  if (pairs.length === 0) return t('benchmark-tables.noPublishedRatio', [name])
  const said = (of: 'measured' | 'published') => spreadText(pairs.map((pair) => [pair.statistic, pair[of]]))
  return t('benchmark-tables.published2', [name, said('measured'), said('published')])
}

function spreadText(values: readonly (readonly [Statistic, number])[]): string {
  const found = new Map(values.map(([name, value]) => [name, Number(value.toPrecision(digits))]))
  const [min, mean, max] = [found.get('min'), found.get('mean'), found.get('max')]
  // Of a single dataset.
  if (found.size === 3 && min === max) return `${min}`
  const range = min !== undefined && max !== undefined ? [t('benchmark-tables.to', [min, max])] : []
  const ends = range.length > 0 ? [] : [...found].filter(([name]) => name !== 'mean')
  return [
    ...range,
    ...ends.map(([name, value]) => `${statisticWords[name]} ${value}`),
    ...(mean === undefined ? [] : [t('benchmark-tables.mean2', [mean])]),
  ].join(', ')
}

/** Every value along the ratios, for an axis. */
export function ratioValues({ series }: RatioPlot): readonly number[] {
  return series.flatMap(({ points, pairs }) => [
    ...points.map(({ ratio }) => ratio),
    ...pairs.flatMap(({ measured, published }) => [measured, published]),
  ])
}

/** What must be said below such a plot. */
export function ratioPlotNotes(document: BenchmarkDocument, { standsIn }: RatioPlot): readonly string[] {
  return [...(standsIn ? [standInNote()] : []), ...scaleNotes(document.suite), ...limitNotes(document)]
}

/** How the plot is read, the same in every format. */
export const ratioPlotNote = (): string => t('benchmark-tables.aMarkForEachDatasetTo')
