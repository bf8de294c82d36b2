import { localizedSentence } from '../locale/localized-sentence'
import { counts } from './counted'
import type { BenchmarkDocument } from './document'
import { limitNotes } from './cell-limit'
import { fromMade, markedScaled } from './scaled'
import { gapWords } from './gap-words'
import { computedSpeedups, type ComputedSpeedup } from './published-speedups'
import { publishedMatches, standInMark, standInNote, type PublishedMatch } from './published-match'
import { speedupsOf, type Speedup } from './speedups'
import { medianOf } from './statistics'
import type { PublishedTime } from './suite'
import { intervalRange, speedupGap } from './speedup-table'
import {
  countCell,
  countColumn,
  gapCell,
  markedCell,
  numberCell,
  textCell,
  textColumn,
  unitColumn,
} from './table'
import type { Table, TableCell } from './table'
import { notPrinted, publishedNotes } from './table-notes'
import { t } from '../locale/translate'

/** Figures of the study beside those measured here; null where the suite names no publication. */
export function publishedTable(
  document: BenchmarkDocument,
  baseline: string = document.suite.baseline,
): Table | null {
  const { publication } = document.suite
  if (publication === null) return null
  const found: Found = {
    ...{ document, baseline, computed: computedSpeedups(publication, baseline) },
    speedups: new Map(speedupsOf(document, baseline).map((one) => [one.row, one])),
    // A suite can be scaled: the study's own number stands in the name of its dataset.
    points: new Map(document.plan.map(({ dataset, n }) => [dataset, n])),
  }
  const hasGap = publication.times.some((time) => publishedSpeedup(found, time).value === null)
  return {
    title: t('benchmark-tables.publishedBesideMeasured', [publication.title]),
    columns: [
      textColumn('dataset'),
      countColumn(t('benchmark-tables.nHere')),
      countColumn('k'),
      textColumn(t('benchmark-tables.systemOfTheStudy')),
      textColumn(t('benchmark-tables.contenderHere')),
      unitColumn('published', 'ms'),
      unitColumn('measured', 'ms'),
      unitColumn(t('benchmark-tables.publishedSpeedUp'), '×'),
      unitColumn(t('benchmark-tables.measuredOver', [baseline]), '×'),
    ],
    rows: publication.times.flatMap((time) => publishedRows(found, time)),
    notes: [
      t('benchmark-tables.publishedOn', [localizedSentence(publication.hardware)]),
      ...publishedNotes(document.suite),
      ...(found.computed === null ? [] : [found.computed.note]),
      ...(hasGap ? [notPrinted()] : []),
      ...standInNotes(document, publication.times),
      ...limitNotes(document),
      localizedSentence(publication.note),
    ].filter((note) => note !== ''),
  }
}

/** What the rows of the table are made from. */
interface Found {
  readonly document: BenchmarkDocument
  readonly baseline: string
  readonly computed: ComputedSpeedup | null
  readonly speedups: ReadonlyMap<PublishedMatch['row'], Speedup>
  readonly points: ReadonlyMap<string, number>
}

function standInNotes(document: BenchmarkDocument, times: readonly PublishedTime[]): readonly string[] {
  const some = times.some((time) => publishedMatches(document, time).some(({ standsIn }) => standsIn))
  return some ? [standInNote()] : []
}

/** One for each contender that stands for the study's system: its engine may run on some devices. */
function publishedRows(found: Found, time: PublishedTime): readonly (readonly TableCell[])[] {
  const matches = publishedMatches(found.document, time)
  return matches.length === 0
    ? [publishedRow(found, time, undefined)]
    : matches.map((match) => publishedRow(found, time, match))
}

function publishedRow(
  found: Found,
  time: PublishedTime,
  match: PublishedMatch | undefined,
): readonly TableCell[] {
  const { dataset, k, system, ms } = time
  const points = found.points.get(dataset)
  const contender = match?.row.contender ?? time.contender
  const mark = match?.standsIn === true ? `, ${standInMark()}` : ''
  return [
    textCell(dataset),
    points === undefined ? textCell('') : countCell(points),
    countCell(k),
    textCell(system),
    textCell(`${contender}${mark}`, { state: match?.row.state ?? null }),
    numberCell(ms),
    measuredCell(found, { ...time, contender }, match?.row),
    publishedSpeedup(found, time),
    speedupCell(found, { ...time, contender }, match?.row),
  ]
}

type Row = PublishedMatch['row'] | undefined

function measuredCell({ document }: Found, key: PublishedTime, row: Row): TableCell {
  if (row === undefined || !counts(row))
    return gapCell(gapWords(document, key), row, row?.reason ? localizedSentence(row.reason) : null)
  return markedScaled(numberCell(medianOf(row.totalsMs), { state: row.state }), fromMade(row))
}

/** As printed; else the ratio of the printed times, said to be computed. */
function publishedSpeedup({ computed }: Found, time: PublishedTime): TableCell {
  if (time.speedup !== null) return numberCell(time.speedup)
  const ratio = computed?.of(time) ?? null
  return ratio === null ? numberCell(null) : markedCell(numberCell(ratio), '', ' computed')
}

function speedupCell({ document, baseline, speedups }: Found, key: PublishedTime, row: Row): TableCell {
  const found = row && speedups.get(row)
  if (found === undefined || found.speedup === null) return speedupGap(document, baseline, key, found)
  const cell = numberCell(found.speedup, { state: found.row.state, range: intervalRange(found.interval) })
  return markedScaled(cell, found.scaled)
}
