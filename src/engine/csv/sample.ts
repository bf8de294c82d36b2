import type { Dialect } from '@shared/dataset'
import { tableReader } from './reader'
import { isBlank, type CsvRecord } from './records'
import type { QuoteDoubt, RecordForm, TableReader } from './table-reader'
import type { DecodedText } from './text-decoder'

export type Records = readonly (readonly string[])[]

const sampledRecords = 200

/** Fewer records than this are too few to go by: then the text behind an open quote is read too. */
const fewRecords = 8

/** Records of the first block, with what else was met among them. */
export interface Sample {
  /** Blank lines are left out, and counted in the numbers. */
  readonly records: readonly CsvRecord[]
  readonly blank: readonly number[]
  readonly doubts: readonly { readonly doubt: QuoteDoubt; readonly record: number }[]
  /** Records with bytes that are not valid in the encoding, once an occurrence. */
  readonly damaged: readonly number[]
  /** The block ends within a quoted cell, and there are few records before it. */
  readonly isOpen: boolean
}

/** Records of the first block. The last, perhaps cut off, counts only when the file ends with it. */
export function readSample({ text, damaged }: DecodedText, whole: boolean, form: RecordForm): Sample {
  const doubts: Sample['doubts'][number][] = []
  const damage: number[] = []
  const reader = tableReader({
    form,
    onDoubt: (doubt, record) => doubts.push({ doubt, record }),
    onDamage: (record) => damage.push(record),
  })
  const complete = whole ? text : text.slice(0, endOfLines(text))
  const first = firstRecords(reader, { text: complete, damaged }, whole)
  const behind = whole || first.length >= fewRecords ? [] : reader.push('', true)
  const read = [...first, ...behind]
  const numbered = read.map((cells, i) => ({ record: form.leadingLines + 1 + i, cells }))
  const records = numbered.filter(({ cells }) => !isBlank(cells)).slice(0, sampledRecords)
  const end = records.at(-1)?.record ?? 0
  return {
    records,
    blank: numbered.filter(({ cells, record }) => isBlank(cells) && record < end).map(({ record }) => record),
    doubts: doubts.filter(({ record }) => record <= end),
    damaged: damage.filter((record) => record <= end),
    isOpen: behind.length > 0,
  }
}

/** Characters read at a time: most samples are in the first few thousand. */
const pieceLength = 1 << 14

/** Records of a text, enough of them for a sample where it has as many. */
function firstRecords(
  reader: TableReader,
  { text, damaged }: DecodedText,
  whole: boolean,
): readonly (readonly string[])[] {
  const records: (readonly string[])[] = []
  let filled = 0
  for (let at = 0; filled < sampledRecords; at += pieceLength) {
    const end = Math.min(at + pieceLength, text.length)
    const damagedHere = damaged.filter((offset) => offset >= at && offset < end).map((offset) => offset - at)
    const isLast = end === text.length
    for (const cells of reader.push(text.slice(at, end), whole && isLast, damagedHere)) {
      records.push(cells)
      if (!isBlank(cells)) filled++
    }
    if (isLast) break
  }
  return records
}

/** Cells of the records of a text under a dialect, as far as nothing else is known. */
export function sampleRecords(text: string, whole: boolean, dialect: Dialect): Records {
  const form: RecordForm = { dialect, leadingLines: 0, shape: null }
  return readSample({ text, damaged: [] }, whole, form).records.map(({ cells }) => cells)
}

/** Behind the last line end, or the end of a text that has none. */
function endOfLines(text: string): number {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  return end === 0 ? text.length : end
}

/** The commonest number of cells, the larger one of two as common, and the share of records that have it. */
export function commonWidth(records: Records): { readonly width: number; readonly share: number } {
  const counts = new Map<number, number>()
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width, count] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]).at(0) ?? [1, 0]
  return { width, share: count / Math.max(1, records.length) }
}
