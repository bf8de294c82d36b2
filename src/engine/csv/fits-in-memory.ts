import type { Dialect } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { freeBytes, makeRoom, sizeOf } from '../memory'
import type { Inspection } from './inspect'
import { parseNumber } from './number'

/** As NumberBlocks holds them: up to nine digits, and more. */
const bytesOfShort = 4
const bytesOfLong = 8
const maxShortDigits = 9

/**
 * Asked before a file is read, from its first records: a system that lends more memory than it has would end the process in the middle.
 * @param free bytes this process could still take
 * @param late columns of numbers that the first records do not show to be such
 * @throws LabError `csv.memory` when the columns would not fit
 */
export function assertFitsInMemory(
  { file, dialect, sample, names }: Pick<Inspection, 'file' | 'dialect' | 'sample' | 'names'>,
  free = freeBytes(),
  late: ReadonlySet<number> = new Set(),
): void {
  const rows = estimatedRows({ file, dialect, sample })
  if (rows === null) return
  const widths = names.map((_, column) =>
    late.has(column) ? bytesOfLong : bytesOfValue(sample, column, dialect.decimal),
  )
  const columns = widths.filter((bytes) => bytes > 0).length
  const need = rows * widths.reduce((sum, bytes) => sum + bytes, 0)
  if (need <= free) return
  throw new LabError(
    'input',
    'csv.memory',
    `${file.path} would need about ${sizeOf(need)} of memory for ${columns} columns of numbers, but ${sizeOf(free)} are free: ${makeRoom()}, or open a file with fewer rows or columns.`,
  )
}

function estimatedRows({
  file,
  dialect,
  sample,
}: Pick<Inspection, 'file' | 'dialect' | 'sample'>): number | null {
  const characters = sample.reduce((sum, cells) => sum + charactersOf(cells), 0)
  if (characters === 0) return null
  const bytesOfRow = (characters / sample.length) * (dialect.encoding.startsWith('utf-16') ? 2 : 1)
  return file.bytes / bytesOfRow
}

function charactersOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.length + 1, 0)
}

/** Of a column; text stays in the file. */
function bytesOfValue(sample: Inspection['sample'], column: number, decimal: Dialect['decimal']): number {
  let bytes = 0
  for (const cells of sample) {
    const cell = cells[column] ?? ''
    if (parseNumber(cell, decimal) === null) continue
    if (cell.length > maxShortDigits && cell.replace(/\D/g, '').length > maxShortDigits) return bytesOfLong
    bytes = bytesOfShort
  }
  return bytes
}
