import { contenderLook, contenderName } from '@shared/benchmark/contender-look'
import { counts, workloadsOf, rowAt, contendersOf } from '@shared/benchmark/counted'
import { groupText } from '@shared/benchmark/crossover-table'
import { sizeSymbols } from '@shared/benchmark/crossover-text'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import {
  frontier,
  phaseGroups,
  workloadText,
  sizeNames,
  speedupGroups,
  timesGroups,
  type DotGroup,
  type PhaseGroup,
} from '@shared/benchmark/figures'
import { iterationMs } from '@shared/benchmark/iteration-ms'
import { phaseColours } from '@shared/benchmark/phase-colours'
import { phaseNames } from '@shared/benchmark/phases-table'
import { publishedSeries, type PublishedSeries } from '@shared/benchmark/published-marks'
import { scalingGroups, seriesMark, type ScalingGroup } from '@shared/benchmark/scaling'
import { countText, significant } from '@shared/benchmark/significant'
import { headWord } from '@shared/benchmark/table'
import { t } from '@shared/locale/translate'
import { ratioCharts } from './ratio-charts'
import { logAxisOf, plainAxis, type Chart, type ChartPoint, type ChartSeries } from './chart'

/** The plots of a comparison, in the order in which the window saves them; of the rows that count alone. */
export function chartsOf(document: BenchmarkDocument, baseline: string): readonly Chart[] {
  const speedup = t('benchmark-tables.timesAsFastAsWithInterval', [contenderName(baseline)])
  return [
    ...speedupGroups(document, baseline).map((group) =>
      dots(group, t('benchmark-tables.speedUpOver', [contenderName(baseline)]), speedup, 1),
    ),
    ...scalingGroups(document).map((group) => sweep(group, publishedSeries(document, group))),
    ...ratioCharts(document),
    ...timesGroups(document).map((group) =>
      dots(group, t('benchmark-tables.executionTimes'), t('benchmark-tables.medianInMsLeastToMost'), null),
    ),
    ...phaseGroups(document).map(phases),
    ...iterations(document),
  ].filter(({ series }) => series.some(({ points }) => points.some(({ value }) => value !== null)))
}

function dots({ heading, rows }: DotGroup, title: string, unit: string, crossedAt: number | null): Chart {
  const points = rows.map(({ name, look, value, range, says }): ChartPoint => {
    const [marks] = /^(?:≈ )?~?/u.exec(says) ?? ['']
    const key = value === null ? `${contenderName(name)}: ${says}` : `${marks}${contenderName(name)}`
    return { key, value, range, look }
  })
  const most = Math.max(0, ...rows.map((row) => row.published.length))
  const published = Array.from({ length: most }, (_, i): ChartSeries => ({
    ...{ name: headWord('published'), look: 'own', marks: 'published' },
    points: points.map((point, at) => ({
      ...{ ...point, range: null },
      value: point.value === null ? null : (rows[at].published[i] ?? null),
    })),
  }))
  return {
    ...{ kind: 'dots', title: `${title}. ${heading}`, of: headWord('statistic') },
    ...{ keys: plainAxis(headWord('contender')), values: logAxisOf(unit, crossedAt) },
    series: [
      { name: headWord(crossedAt === null ? 'median' : 'speed-up'), look: 'own', points },
      ...published,
    ],
  }
}

function sweep(group: ScalingGroup, published: readonly PublishedSeries[]): Chart {
  const symbol = sizeSymbols[group.varies]
  const lines = group.series.map((one): ChartSeries => ({
    name: `${seriesMark(one)}${contenderName(one.contender)}`,
    look: contenderLook(one.contender),
    points: one.points
      .filter(({ medianMs }) => medianMs > 0)
      .map(({ size, medianMs }) => ({ key: size, value: medianMs, range: null })),
  }))
  const theirs = published.map(({ contender, points }): ChartSeries => ({
    ...{ name: t('benchmark-tables.publishedContender', [contenderName(contender)]) },
    ...{ look: contenderLook(contender), marks: 'published' },
    points: points.map(({ size, value }) => ({ key: size, value, range: null })),
  }))
  const crossings = frontier(group).map(({ at, ms, above, interval }): ChartSeries => ({
    name: t('benchmark-tables.fromASizeOn', [symbol, countText(at), contenderName(above)]),
    look: 'crossing',
    points: [{ key: at, value: ms, range: interval && [interval.low, interval.high] }],
  }))
  return {
    ...{ kind: 'lines', title: t('benchmark-tables.executionTimeOver', [symbol, groupText(group)]) },
    of: headWord('contender'),
    ...{ keys: logAxisOf(sizeNames[group.varies]), values: logAxisOf(t('benchmark-tables.medianMs')) },
    series: [...lines, ...theirs, ...crossings],
  }
}

function phases({ heading, rows }: PhaseGroup): Chart {
  const series = phaseNames.map((phase): ChartSeries => ({
    name: phase,
    look: { colour: phaseColours[phase], shape: null },
    points: rows.map(({ name, totalMs, mark, parts }) => ({
      key: `${contenderName(name)}, ${mark}${significant(totalMs)} ms`,
      value: parts.find((part) => part.phase === phase)?.ms ?? null,
      range: null,
    })),
  }))
  return {
    ...{ kind: 'bars', title: `${t('benchmark-tables.phasesOfEachRun')}. ${heading}` },
    of: headWord('phase'),
    keys: plainAxis(t('benchmark-tables.contenderAndItsTotal')),
    values: plainAxis(t('benchmark-tables.shareOfTheTotal')),
    series: series.filter(({ points }) => points.some(({ value }) => value !== null)),
  }
}

/** Beyond this, times of different contenders share no plain axis. */
const widestSpread = 20

function iterations(document: BenchmarkDocument): readonly Chart[] {
  return workloadsOf(document).map((workload): Chart => {
    const series = contendersOf(document).flatMap((contender): readonly ChartSeries[] => {
      const row = rowAt(document, workload, contender)
      if (row === undefined || !counts(row)) return []
      const points = row.iterationTimes.flatMap((time) => {
        const value = iterationMs(time)
        return value === null || value <= 0 ? [] : [{ key: time.iteration, value, range: null }]
      })
      const { colour } = contenderLook(contender)
      return points.length === 0
        ? []
        : [{ name: contenderName(contender), look: { colour, shape: null }, points }]
    })
    const all = series.flatMap(({ points }) => points.flatMap(({ value }) => (value === null ? [] : [value])))
    const least = all.reduce((low, value) => Math.min(low, value), Infinity)
    const isWide = all.some((value) => value > widestSpread * least)
    return {
      ...{ kind: 'lines', title: `${t('benchmark-tables.timeOfEachIteration')}. ${workloadText(workload)}` },
      of: headWord('contender'),
      ...{ keys: plainAxis(headWord('iteration')), values: (isWide ? logAxisOf : plainAxis)('ms') },
      series,
    }
  })
}
