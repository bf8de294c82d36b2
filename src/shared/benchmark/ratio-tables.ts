/** Ratios that a study prints beside those measured here, and the data behind each of them. */
import { counts, workloadsOf } from './counted'
import type { BenchmarkDocument } from './document'
import { gapWords } from './gap-words'
import { hasCuda, publishedMatches, standInMark, standInNote } from './published-match'
import { ratioComparisons, spreadOf, type MeasuredRatio, type RatioComparison } from './published-ratios'
import { medianOf } from './statistics'
import type { PublishedRatio } from './suite'
import { fromMade, markedScaled, scaledMark } from './scaled'
import { limitNotes } from './cell-limit'
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
import { workloadCells, workloadColumns } from './time-tables'
import { localizedSentence } from '../locale/localized-sentence'
import { t } from '../locale/translate'

/** The ratios of the study beside those measured; null where the suite has none. */
export function ratioTable(document: BenchmarkDocument): Table | null {
  const { publication } = document.suite
  if (publication === null || publication.ratios.length === 0) return null
  const comparisons = ratioComparisons(document)
  const isAlone = publication.times.length === 0
  return {
    title: t('benchmark-tables.publishedRatiosBesideMeasured', [publication.title]),
    columns: [
      textColumn(t('benchmark-tables.systemsOfTheStudy')),
      countColumn('k'),
      ...[t('benchmark-tables.contenderHere'), 'over', 'device'].map(textColumn),
      ...[
        t('benchmark-tables.publishedMin'),
        t('benchmark-tables.publishedMean'),
        t('benchmark-tables.publishedMax'),
      ].map((name) => unitColumn(name, '×')),
      ...[
        t('benchmark-tables.measuredMin'),
        t('benchmark-tables.measuredMean'),
        t('benchmark-tables.measuredMax'),
      ].map((name) => unitColumn(name, '×')),
      countColumn(t('benchmark-tables.dataBehindIt')),
    ],
    rows: comparisons.map((comparison) => ratioRow(document, comparison)),
    notes: [
      t('benchmark-tables.publishedOn', [localizedSentence(publication.hardware)]),
      t('benchmark-tables.measuredRatiosAreOfMediansThe'),
      ...(publication.ratios.some(isPartlyPrinted) ? [notPrinted()] : []),
      ...(comparisons.some(({ standsIn }) => standsIn) && !hasCuda(document) ? [standInNote()] : []),
      ...limitNotes(document),
      // A table of published times above says the rest.
      ...(isAlone ? [...publishedNotes(document.suite), localizedSentence(publication.note)] : []),
    ].filter((note) => note !== ''),
  }
}

function isPartlyPrinted({ min, mean, max }: PublishedRatio): boolean {
  return [min, mean, max].includes(null)
}

function ratioRow(document: BenchmarkDocument, comparison: RatioComparison): readonly TableCell[] {
  const { published, device, measured, standsIn } = comparison
  const { systems, k, min, mean, max } = published
  const [first] = measured
  const mark = standsIn && !hasCuda(document) ? `, ${standInMark()}` : ''
  return [
    textCell(systems),
    countCell(k),
    textCell(`${first?.row.contender ?? published.contender}${mark}`),
    textCell(first?.over.contender ?? published.over),
    textCell(device ?? '–'),
    ...[min, mean, max].map((ratio) => numberCell(ratio)),
    ...measuredSpread(document, comparison),
    countCell(measured.length),
  ]
}

function measuredSpread(
  document: BenchmarkDocument,
  { published, measured }: RatioComparison,
): readonly TableCell[] {
  const spread = spreadOf(measured.map(({ ratio }) => ratio))
  if (spread !== null) {
    const mark = measured.some(({ scaled }) => scaled !== null) ? scaledMark : ''
    return [spread.min, spread.mean, spread.max].map((ratio) => markedCell(numberCell(ratio), mark))
  }
  const words = whyNone(document, published)
  return Array.from({ length: 3 }, () => gapCell(words, undefined, null))
}

/** Why a published ratio has none beside it, in few words. */
function whyNone(document: BenchmarkDocument, { k, contender, over }: PublishedRatio): string {
  const workload = workloadsOf(document).find((one) => one.k === k)
  if (workload === undefined) return t('benchmark-tables.noKInThisComparison', [k])
  for (const key of [contender, over]) {
    const found = publishedMatches(document, { ...workload, contender: key })
    if (found.some(({ row }) => counts(row))) continue
    return gapWords(document, { ...workload, contender: found[0]?.row.contender ?? key })
  }
  return t('benchmark-tables.otherNumbersOfIterations')
}

/** The data behind the ratios, for each of them ordered by words transferred; null where none has several. */
export function ratioDetailsTable(document: BenchmarkDocument): Table | null {
  const comparisons = ratioComparisons(document)
  if (!comparisons.some(({ measured }) => measured.length > 1)) return null
  // Between two systems of the processor, or over one of them, nothing crosses.
  const hasWords = comparisons.some(({ measured }) => measured.some(({ words }) => words !== 0))
  return {
    title: hasWords
      ? t('benchmark-tables.ratiosByWordsTransferredAnIteration')
      : t('benchmark-tables.ratiosOfEachDataset'),
    columns: [
      textColumn(t('benchmark-tables.systemsOfTheStudy')),
      ...workloadColumns(),
      ...(hasWords ? [countColumn(t('benchmark-tables.wordsAnIteration'))] : []),
      ...['contender', 'over'].map(textColumn),
      unitColumn('contender', 'ms'),
      unitColumn('over', 'ms'),
      unitColumn('ratio', '×'),
    ],
    rows: comparisons.flatMap(({ published, measured }) =>
      measured.toSorted(byWords).map((one) => detailsRow(published, one, hasWords)),
    ),
    notes: hasWords ? [t('benchmark-tables.wordsOf4BytesThatCross2')] : [],
  }
}

/** What is not known stands last. */
function byWords(a: MeasuredRatio, b: MeasuredRatio): number {
  return (a.words ?? Infinity) === (b.words ?? Infinity) ? 0 : (a.words ?? Infinity) - (b.words ?? Infinity)
}

function detailsRow(
  { systems }: PublishedRatio,
  { workload, row, over, ratio, scaled, words }: MeasuredRatio,
  hasWords: boolean,
): readonly TableCell[] {
  return [
    textCell(systems),
    ...workloadCells(workload),
    ...(hasWords ? [words === null ? numberCell(null) : countCell(words)] : []),
    textCell(row.contender),
    textCell(over.contender),
    ...[row, over].map((one) => markedScaled(numberCell(medianOf(one.totalsMs)), fromMade(one))),
    markedScaled(numberCell(ratio), scaled),
  ]
}
