import { createHash, randomUUID } from 'node:crypto'
import type { DatasetProgress, FileFacts, ImportOverrides, ImportPreview } from '@shared/dataset'
import type { Dataset } from '../dataset/dataset'
import { inspect } from './inspect'
import { readRecords } from './records'
import { requireRoom } from './room'
import { changedWhileRead } from './source-errors'
import { TableBuilder } from './table-builder'
import { sourceFacts } from './text-source'

/** Progress at most this often. */
const progressMs = 100

/** Rows of cells a preview shows. */
const previewRows = 50

/** What would be done with a file, from its first block. @throws LabError for what cannot be read. */
export async function previewFile(path: string, overrides: ImportOverrides): Promise<ImportPreview> {
  const began = performance.now()
  const inspection = await inspect(path, overrides)
  const table = new TableBuilder(inspection, overrides)
  const first = table.firstRecord
  inspection.sample.forEach((cells, i) => table.add({ record: first + i, cells }))
  const columns = table.columns()
  const receipt = table.receipt(performance.now() - began)
  const doubts = Object.values(receipt.evidence).some(({ doubtful }) => doubtful)
  return {
    file: inspection.file,
    receipt,
    columns: columns.map(({ info }) => info),
    sample: inspection.sample.slice(0, previewRows),
    doubtful:
      doubts || receipt.tooLong + receipt.tooShort > 0 || columns.some(({ info }) => info.notNumeric > 0),
  }
}

/**
 * Reads a whole file into centred float32 columns, in one pass with bounded memory beside the columns.
 * @throws LabError with a `csv.*` code, or `cancelled`.
 */
export async function openDataset(
  path: string,
  overrides: ImportOverrides,
  onProgress: (progress: DatasetProgress) => void,
  signal: AbortSignal,
): Promise<Dataset> {
  const began = performance.now()
  const inspection = await inspect(path, overrides)
  requireRoom(inspection)
  const table = new TableBuilder(inspection, overrides)
  const hash = createHash('sha256')
  let bytes = 0
  let told = -Infinity
  const tell = () => onProgress({ path, rows: table.rows, bytes, totalBytes: inspection.file.bytes })
  const options = {
    hash,
    onBytes: (total: number) => (bytes = total),
    onBlank: (record: number) => table.blank(record),
  }
  for await (const batch of readRecords(path, inspection.dialect, signal, options)) {
    for (const record of batch) table.add(record)
    if (performance.now() - told < progressMs) continue
    told = performance.now()
    tell()
  }
  tell()
  await sameAsBefore(inspection.file)
  const file = { ...inspection.file, sha256: hash.digest('hex') }
  return table.finish(randomUUID(), file, performance.now() - began)
}

/** The path must still lead to the file that was looked at first: not removed, not replaced, not written to. */
async function sameAsBefore({ path, bytes, modifiedMs }: FileFacts): Promise<void> {
  const now = await sourceFacts(path).catch(() => null)
  if (now?.bytes !== bytes || now.modifiedMs !== modifiedMs) throw changedWhileRead(path)
}
