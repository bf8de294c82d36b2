import type { DatasetRow } from '@shared/dataset'
import type { Dataset } from '../../dataset/dataset'
import { fileRow } from '../../dataset/file-row'
import type { CsvRecord } from '../records'
import { recordsAgain } from '../records-again'
import { watchSource, type SourceUse } from '../source-guard'

const showingCells: SourceUse = {
  area: 'dataset',
  whenChanged: 'open it again to see its cells',
  whenMissing: 'and its cells are read from there: put it back, or open another file',
}

/**
 * Rows of a dataset with every cell as it stands in the file, in the order asked for. The file is read up to the
 * last of them, and to its end when its time stamp is another, so that its bytes can be compared.
 * @param rows rows of the dataset
 * @throws LabError `dataset.source-changed`, `dataset.source-missing`, `cancelled`
 */
export async function sourceCells(
  dataset: Dataset,
  rows: readonly number[],
  signal: AbortSignal,
): Promise<DatasetRow[]> {
  const guard = await watchSource(dataset, showingCells)
  const numbers = rows.map((row) => fileRow(dataset, row))
  const found = await cellsOf(new Set(numbers), recordsAgain(dataset, guard, signal), guard.untouched)
  if (found.wholeFile) await guard.confirm()
  const answers: DatasetRow[] = []
  for (const [i, row] of rows.entries()) {
    const cells = found.cells.get(numbers[i])
    if (cells === undefined) throw await guard.failure(`there is no record ${numbers[i]}`)
    answers.push({
      row,
      fileRow: numbers[i],
      cells: dataset.columns.map(({ index }) => cells[index] ?? null),
    })
  }
  return answers
}

/** Collects records by their number; stops at the last of them when the file can be believed without its end. */
async function cellsOf(
  wanted: ReadonlySet<number>,
  batches: AsyncIterable<readonly CsvRecord[]>,
  untouched: () => Promise<boolean>,
) {
  const cells = new Map<number, readonly string[]>()
  let asked = false
  for await (const records of batches) {
    for (const record of records) if (wanted.has(record.record)) cells.set(record.record, record.cells)
    if (cells.size < wanted.size || asked) continue
    asked = true
    if (await untouched()) return { cells, wholeFile: false }
  }
  return { cells, wholeFile: true }
}
