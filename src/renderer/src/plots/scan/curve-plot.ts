/** An index over k: a line through the best restart of each k, every restart a dot, what a rule says marked. */
import { t } from '@/i18n'
import { formatNumber, plural } from '@/text/numbers'
import type { BenchmarkPlot, PlotBody, PlotTip } from '../benchmark/plot'
import type { FigureLayer, FigureText } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { exactAxis, roundAxis } from '../figure/ticks'
import type { PlotTheme } from '../theme'
import { rangeOf, type CurvePoint, type IndexCurve } from './index-curve'

const right = 12
/** Frame: wide enough to see a bend, low enough that five fit in sight. */
const heightOf = (width: number): number => Math.round(Math.min(200, Math.max(116, width * 0.46)))
/** Words of a mark keep this far from the dots, CSS pixels. */
const wordsAway = 13

const drawn = (points: readonly CurvePoint[]): readonly (CurvePoint & { readonly best: number })[] =>
  points.flatMap((point) => (point.best === null ? [] : [{ ...point, best: point.best }]))

/** Every restart, quiet: where they lie on one another the line covers them. */
function restartDots(points: readonly CurvePoint[], theme: PlotTheme): FigureLayer {
  const dots = points.flatMap(({ k, restarts }) => restarts.map((y) => ({ k, y })))
  return {
    kind: 'points',
    xs: dots.map(({ k }) => k),
    ys: dots.map(({ y }) => y),
    look: dots.map(() => 0),
    looks: [{ shape: 'circle', colour: theme.neutralPoint }],
    radius: 2,
    opacity: 0.75,
  }
}

/** Standard errors as upright strokes. */
function errorStrokes(points: readonly CurvePoint[], theme: PlotTheme): FigureLayer {
  const strokes = drawn(points).flatMap(({ k, best, error }) =>
    error === null ? [] : [[k, best - error] as const, [k, best + error] as const, [NaN, NaN] as const],
  )
  const [xs, ys] = [strokes.map(([x]) => x), strokes.map(([, y]) => y)]
  return {
    kind: 'line',
    name: t('scan.standardError'),
    colour: theme.ink,
    xs,
    ys,
    width: 1,
    opacity: 1,
    dots: 0,
  }
}

function bestLine({ title, points }: IndexCurve, theme: PlotTheme): FigureLayer {
  return {
    kind: 'line',
    name: t('scan.ofTheBestRestart2', [title]),
    colour: theme.accent,
    xs: points.map(({ k }) => k),
    ys: points.map(({ best }) => best ?? NaN),
    width: 1.5,
    opacity: 1,
    dots: 2.5,
  }
}

/** A larger dot and a word where a rule points; the word stays within the frame. */
function markLayers(curve: IndexCurve, theme: PlotTheme): readonly FigureLayer[] {
  const { mark, points, kMin, kMax } = curve
  const at = mark && drawn(points).find(({ k }) => k === mark.k)
  if (!at) return []
  const share = kMax > kMin ? (at.k - kMin) / (kMax - kMin) : 0.5
  // Right of a knee, and above it, nothing is drawn.
  const isKnee = curve.name === 'inertia'
  const anchor = share > 0.85 ? 'end' : isKnee || share < 0.15 ? 'start' : 'middle'
  const text: FigureText = {
    ...{
      x: at.k,
      y: at.best,
      dx: isKnee && anchor === 'start' ? 4 : anchor === 'start' ? -4 : anchor === 'end' ? 4 : 0,
      dy: mark.below ? wordsAway : -wordsAway,
    },
    ...{ text: `${mark.word}: ${at.k}`, colour: theme.ink, anchor, rim: true },
  }
  const look = { shape: 'circle', colour: theme.accent } as const
  return [
    { kind: 'points', xs: [at.k], ys: [at.best], look: [0], looks: [look], radius: 5 },
    { kind: 'texts', texts: [text] },
  ]
}

/** Room above for the word of a mark. */
function verticalAxis(curve: IndexCurve, height: number) {
  const { min, max } = rangeOf(curve) ?? { min: 0, max: 1 }
  const room = (max - min) * 0.12
  // Below, the word stands under its dot, and under both runs the axis.
  const below = curve.mark?.below === true ? 2 * room : 0
  const parts = Math.max(2, Math.floor(height / 36))
  // No room below zero for what is never less.
  const least = min >= 0 ? Math.max(0, min - below) : min - below
  return roundAxis({ label: '', min: least, max: max + room, parts })
}

function bodyOf(
  curve: IndexCurve,
  width: number,
  height: number,
  chosen: number | null,
  theme: PlotTheme,
): PlotBody {
  const { kMin, kMax, points } = curve
  const y = verticalAxis(curve, height)
  const room = width - leftRoom(y) - right
  const side = kMax > kMin ? 0.35 : 1
  const axis = { label: 'k', min: kMin - side, max: kMax + side }
  const x = exactAxis({ ...axis, parts: Math.max(2, Math.floor(room / 28)), whole: true })
  const chosenLine: readonly FigureLayer[] =
    chosen === null ? [] : [{ kind: 'marker', axis: 'x', at: chosen, colour: theme.accent }]
  const layers = [
    ...chosenLine,
    restartDots(points, theme),
    errorStrokes(points, theme),
    bestLine(curve, theme),
    ...markLayers(curve, theme),
  ]
  return { x, y, right, layers, key: [] }
}

function tipOf(point: CurvePoint & { readonly best: number }): PlotTip {
  const { k, best, restarts, error } = point
  const said = error === null ? String(best) : `${String(best)} ± ${formatNumber(error)}`
  const spread =
    restarts.length > 1
      ? [
          t('scan.to2', [
            plural(restarts.length, 'restart'),
            formatNumber(Math.min(...restarts)),
            formatNumber(Math.max(...restarts)),
          ]),
        ]
      : []
  return { x: k, y: best, title: `k = ${k}`, lines: [said, ...spread] }
}

/** What a person who cannot see it is told. */
function summaryOf({ title, reading, points, mark }: IndexCurve): string {
  const values = drawn(points)
  const [first, last] = [values[0], values.at(-1)]
  if (!first || !last) return t('scan.isNotKnownYet', [title])
  const ends = t('scan.atKAtK', [formatNumber(first.best), first.k, formatNumber(last.best), last.k])
  return `${reading}. ${ends}${mark ? t('scan.atK', [mark.word, mark.k]) : ''}.`
}

/** @param chosen the k that is looked at in all curves; null marks none */
export function curvePlot(curve: IndexCurve, chosen: number | null): BenchmarkPlot {
  return {
    name: `scan-${curve.name}`,
    title: curve.title,
    note: t('scan.lineBestRestartDotsEveryRestart'),
    summary: summaryOf(curve),
    remarks: [],
    tips: drawn(curve.points).map(tipOf),
    tipAxis: 'x',
    height: heightOf,
    body: ({ width, height }, theme) => bodyOf(curve, width, height, chosen, theme),
  }
}
