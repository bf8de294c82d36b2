/** Numbers of one feature with as many decimals as its spread gives meaning to: the same for all clusters. */
import { formatNumber } from './numbers'
import { localNumber } from '@shared/locale/translate'

/** Beyond these a number reads better with an exponent. */
const [maxDecimals, large] = [6, 1e7]
/** Digits of the standard deviation of all rows that are shown. */
const digits = 3

const made = new Map<number, Intl.NumberFormat>()

function formatOf(decimals: number): Intl.NumberFormat {
  const known = made.get(decimals)
  if (known) return known
  const next = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  made.set(decimals, next)
  return next
}

/** How the numbers of a feature are shown. @param sd of all rows, in the unit of the numbers */
export function featureFormat(sd: number): (value: number) => string {
  if (!(sd > 0) || !Number.isFinite(sd)) return formatNumber
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(sd)))
  if (decimals > maxDecimals) return formatNumber
  const format = formatOf(decimals)
  return (value) => {
    if (!Number.isFinite(value)) return '–'
    return Math.abs(value) >= large
      ? formatNumber(value)
      : localNumber(format.format(value).replaceAll(',', '\u202f'))
  }
}
