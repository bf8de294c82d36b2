/** Counts, durations and sizes in words: in English on the command line and in files, in the language of the window there. */
import { localNumber, t } from './locale/translate'
import type units from './locales/en/units'

/** What `plural` counts; another word goes to `units.ts` of each language. */
export type Unit = keyof typeof units

/** Digits in groups of three, parted by narrow no-break spaces. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, '\u202f')
}

/** A whole number such as `1 204`. */
export function formatCount(value: number): string {
  const sign = value < 0 ? '-' : ''
  return sign + grouped(String(Math.abs(Math.round(value))))
}

/** `1 row`, `1 204 rows`. */
export function plural(count: number, word: Unit): string {
  return t(`units.${word}`, [formatCount(count)], count)
}

/** A duration given in milliseconds, in the unit that reads best. */
export function formatDuration(ms: number): string {
  return localNumber(plainDuration(ms))
}

function plainDuration(ms: number): string {
  if (ms > 0 && ms < 0.1) return `${(ms * 1000).toPrecision(2)} µs`
  if (ms < 1) return `${ms.toPrecision(2)} ms`
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`
}

/** A duration that was predicted, which has two digits at best: `34 ms`, `3 min 20 s`, `2 h 5 min`. */
export function roughDuration(ms: number): string {
  return localNumber(plainRoughDuration(ms))
}

function plainRoughDuration(ms: number): string {
  if (ms < 1000) return ms < 1 ? '< 1 ms' : `${Number(ms.toPrecision(2))} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return plainDuration(Math.round(ms / 1000) * 1000).replace(/\.0 s$/u, ' s')
  const minutes = Math.round(ms / 60_000)
  return `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** Bytes in binary units, as memory is counted. */
export function formatBytes(bytes: number): string {
  if (bytes < 1023.5) return `${Math.round(bytes)} B`
  const binary = ['KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(binary.length - 1, Math.floor(Math.log2(bytes) / 10) - 1)
  const size = bytes / 1024 ** (step + 1)
  return localNumber(`${size >= 99.5 ? size.toFixed(0) : size.toPrecision(2)} ${binary[step] ?? ''}`)
}
