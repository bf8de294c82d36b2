import { createHash } from 'node:crypto'
import type { Dataset } from '@engine/dataset/dataset'
import type { ColumnInfo } from '@shared/dataset'
import { LabError } from '@shared/errors'

/** What makes two datasets the same: their bytes, and how these are read. */
export function dataKey({ file, dialect, columns }: Dataset): readonly unknown[] {
  return [file.sha256, dialect, columns.map(readAs)]
}

/** Dates read in another order are other data. */
function readAs({ type, date }: ColumnInfo): string {
  return date === undefined ? type : `${type}-${date.order}`
}

/** SHA-256 in hexadecimal digits. */
export function digest(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Whether a person ended the work. */
export function isCancel(thrown: unknown): boolean {
  if (thrown instanceof LabError) return thrown.kind === 'cancelled'
  return thrown instanceof Error && thrown.name === 'AbortError'
}
