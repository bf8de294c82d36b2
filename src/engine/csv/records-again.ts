import { columnarBlocks, type RowBlock } from '../formats/columnar-rows'
import type { RowPart } from '../engines/engine'
import type { Dataset } from '../dataset/dataset'
import { readRecords, type CsvRecord } from './records'
import type { SourceGuard } from './source-guard'

/**
 * The records of the file a dataset was loaded from, a second time. What fails while a file is read that was read
 * before shows that it is not the same file any more.
 * @throws LabError as the guard words it, `cancelled`
 */
export async function* recordsAgain(
  { file, form }: Pick<Dataset, 'file' | 'form'>,
  guard: SourceGuard,
  signal: AbortSignal,
): AsyncGenerator<readonly CsvRecord[]> {
  try {
    yield* readRecords(file.path, form, signal, { hash: guard.hash })
  } catch (thrown) {
    throw await guard.failure(thrown)
  }
}

/** As `recordsAgain`, of a file that has columns of its own. @param part rows that are wanted, which are not hashed; absent: all */
export async function* blocksAgain(
  { file, form }: Pick<Dataset, 'file' | 'form'>,
  guard: SourceGuard,
  signal: AbortSignal,
  part?: RowPart,
): AsyncGenerator<RowBlock> {
  if (form.columnar === undefined) throw new Error(`${file.name} has no columns of its own.`)
  try {
    yield* columnarBlocks(file.path, form.columnar, { signal, hash: guard.hash }, part)
  } catch (thrown) {
    throw await guard.failure(thrown)
  }
}
