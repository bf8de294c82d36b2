const unitsOfSecond = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n } as const
export type TimeUnit = keyof typeof unitsOfSecond

const digitsOfUnit: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 }
const secondsOfDay = 86_400n

/** As `Date` can hold them. */
const maxSeconds = 8_640_000_000_000n

/** `2026-11-23`; the number itself where that is no date of our calendar. @param days since 1970-01-01 */
export function isoDate(days: number): string {
  const seconds = BigInt(days) * secondsOfDay
  return isDate(seconds) ? dayOf(seconds) : String(days)
}

/** `2026-11-23T08:30:00.25`, with `Z` where it is of a known time zone. @param time since 1970-01-01 */
export function isoTime(time: bigint, unit: TimeUnit, isUtc: boolean): string {
  const perSecond = unitsOfSecond[unit]
  const rest = ((time % perSecond) + perSecond) % perSecond
  const seconds = (time - rest) / perSecond
  if (!isDate(seconds)) return String(time)
  const clock = new Date(Number(seconds) * 1000).toISOString().slice(-14, -5)
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(digitsOfUnit[unit], '0').replace(/0+$/, '')}`
  return `${dayOf(seconds)}${clock}${fraction}${isUtc ? 'Z' : ''}`
}

function isDate(seconds: bigint): boolean {
  return seconds <= maxSeconds && seconds >= -maxSeconds
}

function dayOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, -14)
}
