import { delimiters, type Delimiter, type Dialect } from '@shared/dataset'
import { found, type Found } from './evidence'
import { classify } from './number'
import { commonWidth, sampleRecords, type Records } from './sample'
import { countTitles } from './titles'

interface Candidate {
  readonly delimiter: Delimiter
  readonly width: number
  /** Share of records that have the commonest width. */
  readonly share: number
  /** The same of the records below a title, which is as wide as it likes. */
  readonly shareBelowTitles: number
  /** The first record, perhaps the header, has that width too. */
  readonly fromFirst: boolean
  /** Share of cells that read as numbers or missing marks. */
  readonly numbers: number
}

/** The delimiter that cuts the sample most regularly into cells that make sense. */
export function detectDelimiter(sample: string, whole: boolean, base: Dialect): Found<Delimiter> {
  const all = delimiters.map((delimiter) => candidate(sample, whole, { ...base, delimiter }))
  const ranked = all.filter(isTable).sort((a, b) => score(b) - score(a))
  const best = ranked.at(0)
  if (!best) return found(',', 'No delimiter splits the rows evenly: the file has one column.')
  const next = ranked.at(1)
  const close = next !== undefined && score(next) > 0.85 * score(best)
  const because = [
    `${percent(best.share)} of the sampled rows have ${best.width} cells with ${shown(best.delimiter)}.`,
    ...(next ? [`Next best: ${next.width} cells with ${shown(next.delimiter)}.`] : []),
  ].join(' ')
  return found(best.delimiter, because, best.shareBelowTitles < 0.9 || close)
}

/** A name of two words above a single column is no table of two columns. */
function isTable({ delimiter, width, share }: Candidate): boolean {
  return width > 1 && (delimiter !== ' ' || share > 0.5)
}

/** Nobody writes a tab by chance, but a comma within a cell and blanks within text are common. */
const weights: Readonly<Record<Delimiter, number>> = { '\t': 1.1, ';': 1.06, '|': 1.02, ',': 1, ' ': 0.75 }

/** Regularity first; a blank inside text cells must not beat a real delimiter. */
function score({ delimiter, share, width, fromFirst, numbers }: Candidate): number {
  const sense = (0.2 + 0.8 * numbers) * (fromFirst ? 1 : 0.5)
  return share * share * weights[delimiter] * sense * (1 + 0.02 * Math.min(width, 10))
}

function candidate(sample: string, whole: boolean, dialect: Dialect): Candidate {
  const records = sampleRecords(sample, whole, dialect)
  const { width, share } = commonWidth(records)
  const { delimiter } = dialect
  const table = records.slice(countTitles(records, dialect.decimal))
  const fromFirst = records.length > 0 && records[0].length === width
  const shareBelowTitles = Math.max(share, commonWidth(table).share)
  return { delimiter, width, share, shareBelowTitles, fromFirst, numbers: numberShare(records, delimiter) }
}

/** Cells of a record that are looked at: what thousands of columns hold, the first of them show. */
const lookedAt = 1000

function numberShare(records: Records, delimiter: Delimiter): number {
  const isNumber = (cell: string) =>
    classify(cell, '.') !== 'other' || (delimiter !== ',' && classify(cell, ',') !== 'other')
  const cells = records.flatMap((record) => record.slice(0, lookedAt))
  return cells.filter(isNumber).length / Math.max(1, cells.length)
}

function shown(delimiter: Delimiter): string {
  const names: Readonly<Record<Delimiter, string>> = {
    ',': 'comma',
    '\t': 'tab',
    ';': 'semicolon',
    '|': 'bar',
    ' ': 'blanks',
  }
  return names[delimiter]
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
