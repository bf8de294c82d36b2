/** Marks of numbers that are scaled from fewer iterations than they stand for. */
import type { Measurement } from './document'
import { gapCell, countCell, markedCell, type TableCell } from './table'
import { t } from '../locale/translate'

type Made = Pick<Measurement, 'iterations' | 'scaledFrom'>

/** Before every number that is scaled. */
export const scaledMark = '≈ '

/** `10 of 50 iterations`; null for a row that is as measured. */
export function madeOf({ iterations, scaledFrom }: Made): string | null {
  return scaledFrom === undefined
    ? null
    : t('benchmark-tables.ofIterations', [scaledFrom.iterations, iterations])
}

/** `from 10 of 50 iterations`; null for a row that is as measured. */
export function fromMade(row: Made): string | null {
  const made = madeOf(row)
  return made === null ? null : t('benchmark-tables.from', [made])
}

/** How the two times of a ratio were scaled: `from 10 of 50 iterations over 5 of 50 iterations`; null where neither was. */
export function ratioFromMade(row: Made, base: Made): string | null {
  if (row === base) return null
  const [made, over] = [fromMade(row), madeOf(base)]
  const parts = [made, over === null ? null : t('benchmark-tables.over', [over])]
  return parts.filter((part) => part !== null).join(' ') || null
}

/** A number with the words that it must not be shown without. @param from of `fromMade` or `ratioFromMade` */
export function markedScaled(cell: TableCell, from: string | null): TableCell {
  return from === null ? cell : markedCell(cell, scaledMark, ` ${from}`)
}

/** `≈ 12.3`, where the row says elsewhere what it is scaled from. */
export function withMark(cell: TableCell, row: Made): TableCell {
  return row.scaledFrom === undefined || cell.value === null ? cell : markedCell(cell, scaledMark)
}

/** `≈ ` for a row that is scaled, else nothing. */
export const markOf = ({ scaledFrom }: Pick<Measurement, 'scaledFrom'>): string =>
  scaledFrom === undefined ? '' : scaledMark

/** Those that were made: `10 of 50`. */
export function iterationsCell(row: Made): TableCell {
  const { iterations, scaledFrom } = row
  if (scaledFrom === undefined) return countCell(iterations)
  return countCell(scaledFrom.iterations, {
    text: t('benchmark-tables.of', [scaledFrom.iterations, iterations]),
    around: { before: '', after: t('benchmark-tables.of2', [iterations]) },
  })
}

/** `not compared: 10 of 50 iterations`: after fewer iterations labels and centroids are others; null for a row as measured. */
export function notCompared(row: Made): string | null {
  const made = madeOf(row)
  return made === null ? null : t('benchmark-tables.notCompared', [made])
}

/** A number of the comparison with the reference, or why there is none. */
export function comparedCell(row: Measurement, cell: TableCell): TableCell {
  const why = cell.value === null ? notCompared(row) : null
  return why === null ? cell : gapCell(why, row, null)
}
