import { readFileSync } from 'node:fs'
import { readRecords, type CsvRecord } from '@engine/csv/records'
import { tableReader } from '@engine/csv/reader'
import { BlockDecoder } from '@engine/csv/text-decoder'
import type { Dataset } from '@engine/dataset/dataset'
import type { Chance } from './chance'

const never = new AbortController().signal
const lineEnd = /\r\n|\n|\r/g

/**
 * Checks a loaded table against the text of its file by rules that know nothing of quotes: no line, no record and
 * no character is lost, and none is added. @throws Error with what does not come out
 */
export async function requireAccount(path: string, dataset: Dataset, chance: Chance): Promise<void> {
  const text = new BlockDecoder(dataset.dialect.encoding).decode(readFileSync(path), true).text
  const records: CsvRecord[] = []
  const blank: number[] = []
  const options = { onBlank: (record: number) => blank.push(record) }
  for await (const batch of readRecords(path, dataset.form, never, options)) records.push(...batch)
  requireLines(text, records, blank, dataset)
  requireRecords(records, dataset)
  requireCharacters(text, records, dataset)
  requireSameInBlocks(text, records, dataset, chance)
}

/** Every line of the file is above the table, blank, a record, or within a cell of one. */
function requireLines(
  text: string,
  records: readonly CsvRecord[],
  blank: readonly number[],
  { form }: Dataset,
) {
  const inText = countLines(text)
  const within = records.reduce((sum, { cells }) => sum + (cells.join('').match(lineEnd)?.length ?? 0), 0)
  const accounted = form.leadingLines + blank.length + records.length + within
  // A cell of nothing but line ends, alone in its record, is a blank line of several.
  if (accounted !== inText && !(accounted < inText && blank.length > 0 && hasBareCells(text)))
    throw new Error(`${inText} lines in the file, ${accounted} accounted for`)
}

/** Lines as every editor counts them: what stands behind the last line end is one if it is anything. */
function countLines(text: string): number {
  const ends = [...text.matchAll(lineEnd)]
  const last = ends.at(-1)
  const behind = last === undefined ? text.length : text.length - last.index - last[0].length
  return ends.length + (behind > 0 ? 1 : 0)
}

function hasBareCells(text: string): boolean {
  return /(["'])\s*[\r\n]\s*\1/.test(text)
}

/** Rows, rows that were left out and records above the data are all there are. */
function requireRecords(records: readonly CsvRecord[], { receipt, firstRecord, rows }: Dataset): void {
  const data = records.filter(({ record }) => record >= firstRecord).length
  const accounted = receipt.rows + receipt.tooLong + receipt.tooShort
  if (data !== receipt.records || data !== accounted || rows !== receipt.rows)
    throw new Error(
      `${data} records of data, ${receipt.records} in the receipt, ${accounted} kept or left out`,
    )
}

/** What is neither quote, delimiter, blank nor line end stands in the cells in the order of the file. */
function requireCharacters(text: string, records: readonly CsvRecord[], { form }: Dataset): void {
  const marks = `${form.dialect.quote}${form.dialect.delimiter}`
  const bare = (part: string) => [...part].filter((one) => !marks.includes(one) && one.trim() !== '').join('')
  const table = text.split(/\r\n|\n|\r/).slice(form.leadingLines)
  const inText = bare(table.join('\n'))
  const inCells = bare(records.map(({ cells }) => cells.join('\n')).join('\n'))
  if (inText !== inCells)
    throw new Error(`${inText.length} characters in the file, ${inCells.length} in cells`)
}

/** Cut into blocks anywhere, the text gives the same records. */
function requireSameInBlocks(
  text: string,
  records: readonly CsvRecord[],
  { form }: Dataset,
  chance: Chance,
): void {
  const reader = tableReader({ form })
  const longest = chance.of([3, 50, 4000])
  const read: (readonly string[])[] = []
  for (let at = 0; at < text.length;) {
    const length = 1 + chance.below(longest)
    read.push(...reader.push(text.slice(at, at + length), false))
    at += length
  }
  read.push(...reader.push('', true))
  const kept = read.filter((cells) => cells.length > 1 || cells[0].trim() !== '')
  const same = JSON.stringify(kept) === JSON.stringify(records.map(({ cells }) => cells))
  if (!same) throw new Error(`in blocks of up to ${longest} characters the records are others`)
}
