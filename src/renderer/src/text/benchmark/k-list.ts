/** Several values of k as typed: `5, 10, 20`. */
import { formatCount } from '../numbers'
import { parseNumber } from '../numbers'
import { t } from '@/i18n'

export type KList = { readonly k: readonly number[] } | { readonly error: string }

/** More than this is a typing error rather than a comparison. */
const maxValues = 64

/** Ascending and distinct; `5-8` and `5..8` are the whole numbers between. */
export function parseKList(text: string): KList {
  const parts = text.split(/[,;\s]+/u).filter(Boolean)
  if (parts.length === 0) return { error: t('benchmark.kIsEmptyGiveOneOr') }
  const found = new Set<number>()
  for (const part of parts) {
    const values = valuesOf(part)
    if (values === null) return { error: t('benchmark.isNotAWholeNumberOf', [part]) }
    for (const value of values) found.add(value)
    if (found.size > maxValues) return { error: t('benchmark.theseAreMoreThanValuesOf', [maxValues]) }
  }
  return { k: [...found].sort((a, b) => a - b) }
}

function valuesOf(part: string): readonly number[] | null {
  const range = /^(\d+)(?:-|–|\.\.)(\d+)$/u.exec(part)
  const first = parseNumber(range?.[1] ?? part)
  const last = range ? parseNumber(range[2] ?? '') : first
  if (first === null || last === null || !Number.isInteger(first) || first < 1 || last < first) return null
  const count = Math.min(last - first, maxValues) + 1
  return Array.from({ length: count }, (_, i) => first + i)
}

export const kListText = (k: readonly number[]): string => k.join(', ')

/** Null where every k fits into `rows` points. */
export function tooManyClusters(k: readonly number[], rows: number | null, name: string): string | null {
  const most = k.at(-1)
  if (rows === null || most === undefined || most <= rows) return null
  return t('benchmark.kIsMoreThanTheRows', [formatCount(most), formatCount(rows), name, formatCount(rows)])
}
