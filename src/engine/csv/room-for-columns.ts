import type { Dialect } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { pointBytes } from '../dataset/room-for-points'
import { maxCategories } from '../dataset/category-blocks'
import { freeBytes, makeRoom, sizeOf } from '../memory'
import { inMemory, roomFor, type Room } from '../scratch/room'
import { dateCell } from './date-cell'
import type { Inspection } from './inspect'
import { parseNumber } from './number'
import { looksLikeNumber } from './number-like'

/** As NumberBlocks holds them: up to nine digits, and more. */
const bytesOfShort = 4
const bytesOfLong = 8
const maxShortDigits = 9

type Judged = Pick<Inspection, 'file' | 'dialect' | 'sample' | 'names'> &
  Partial<Pick<Inspection, 'columnar'>>

/**
 * Where the columns of a file will lie, judged by its first records before it is read: a system that lends more memory than it has
 * would end the process in the middle.
 * @param free bytes this process could still take
 * @param late columns of numbers that the first records do not show to be such
 * @param parts of the rows, one of which is held
 * @throws LabError `csv.memory` when they fit nowhere
 */
export function roomForColumns(
  { file, dialect, sample, names, columnar }: Judged,
  free = freeBytes(),
  late: ReadonlySet<number> = new Set(),
  parts = 1,
): Room {
  const all = columnar?.rows ?? estimatedRows({ file, dialect, sample })
  if (all === null) return inMemory
  const rows = Math.ceil(all / parts)
  const widths = names.map((_, column) =>
    late.has(column) ? bytesOfLong : bytesOfValue(sample, column, dialect.decimal, columnar?.numberBytes),
  )
  const columns = widths.filter((bytes) => bytes > 0).length
  const codes = widths.map((width, column) => (width > 0 ? 0 : bytesOfCode(sample, column)))
  const bytes = rows * [...widths, ...codes].reduce((sum, width) => sum + width, 0)
  const points = pointBytes(rows, columns, 'float32')
  const room = roomFor({ what: 'The columns', bytes, ...points }, free)
  if (!('refusal' in room)) return room
  throw new LabError(
    'input',
    'csv.memory',
    `${file.path} would need about ${sizeOf(bytes)} for ${columns} columns of numbers, but ${sizeOf(free)} of memory are free and ${room.refusal}: ${makeRoom()}, or open a file with fewer rows or columns.`,
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

/** Of a column of texts as CategoryBlocks holds them: nothing where there are too many. */
function bytesOfCode(sample: Inspection['sample'], column: number): number {
  const texts = new Set(sample.map((cells) => cells[column] ?? '')).size
  // All different: the rest of the file will have others again.
  if (texts > maxCategories || texts === sample.length) return 0
  return texts < 256 ? Uint8Array.BYTES_PER_ELEMENT : Uint16Array.BYTES_PER_ELEMENT
}

/** Of a column; 0 for text. @param all what each number is kept in */
function bytesOfValue(
  sample: Inspection['sample'],
  column: number,
  decimal: Dialect['decimal'],
  all?: number,
): number {
  if (all !== undefined) return all
  let bytes = 0
  for (const cells of sample) {
    const cell = cells[column] ?? ''
    if (dateCell(cell) !== null) {
      // A fraction of a second makes more digits than a short number has.
      if (/[.,]\d+\D*$/.test(cell) && cell.includes(':')) return bytesOfLong
      bytes = bytesOfShort
      continue
    }
    if (parseNumber(cell, decimal) === null && !looksLikeNumber(cell)) continue
    if (cell.length > maxShortDigits && cell.replace(/\D/g, '').length > maxShortDigits) return bytesOfLong
    bytes = bytesOfShort
  }
  return bytes
}
