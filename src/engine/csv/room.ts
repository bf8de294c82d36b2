import { LabError } from '@shared/errors'
import { freeBytes, sizeOf } from '../memory'
import type { Inspection } from './inspect'
import { parseNumber } from './number'

const bytesOfValue = Float32Array.BYTES_PER_ELEMENT

/**
 * Asked before a file is read, from its first records: a system that lends more memory than it has would end the process in the middle.
 * @param free bytes this process could still take
 * @throws LabError `csv.memory` when the columns would not fit
 */
export function requireRoom(
  { file, dialect, sample, names }: Pick<Inspection, 'file' | 'dialect' | 'sample' | 'names'>,
  free = freeBytes(),
): void {
  const rows = estimatedRows({ file, dialect, sample })
  if (rows === null) return
  // Text stays in the file.
  const isNumeric = (column: number) =>
    sample.some((cells) => parseNumber(cells[column] ?? '', dialect.decimal) !== null)
  const columns = names.filter((_, column) => isNumeric(column)).length
  const need = rows * columns * bytesOfValue
  if (need <= free) return
  throw new LabError(
    'input',
    'csv.memory',
    `${file.path} would need about ${sizeOf(need)} of memory for ${columns} columns of numbers, but ${sizeOf(free)} are free: close other programs, or open a file with fewer rows or columns.`,
  )
}

/** Rows that each column has room for at first; more are taken too. */
const mostFirstRoom = 1 << 10

/** A table of thousands of columns often has few rows. */
export function firstRoom(inspection: Pick<Inspection, 'file' | 'dialect' | 'sample'>): number {
  return Math.min(mostFirstRoom, Math.ceil(1.1 * (estimatedRows(inspection) ?? 0)) + 1)
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
