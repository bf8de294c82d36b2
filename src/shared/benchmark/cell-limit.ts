/** The limit that a suite sets to each of its cells, in words: what is not run, and what runs shorter than asked for. */
import { formatCount, plural } from '../quantity-words'
import type { BenchmarkDocument, Measurement, PlannedCell } from './document'
import type { Suite } from './suite'
import { localizedSentence } from '../locale/localized-sentence'
import { t } from '../locale/translate'

/** Largest limit: timers of this program and of the page reach twice as far. */
export const maxCellSeconds = 1_000_000

/** Scaled from fewer, a time would say next to nothing. */
export const minIterations = 3

/** Milliseconds; null without a limit. */
export function cellLimitMs({ maxCellSeconds: seconds }: Pick<Suite, 'maxCellSeconds'>): number | null {
  return seconds === undefined ? null : 1000 * seconds
}

/** A duration in the one unit that suits it: `14 h`, `25 min`, `40 s`; rounded up. */
export function inOneUnit(ms: number): string {
  if (ms < 10_000) return `${Number((ms / 1000).toPrecision(2))} s`
  if (ms < 120_000) return `${Math.ceil(ms / 1000)} s`
  if (ms < 7_200_000) return t('benchmark-tables.min', [Math.ceil(ms / 60_000)])
  return `${formatCount(Math.ceil(ms / 3_600_000))} h`
}

/** A time that was set, exactly: `10 min`, `130 s`. */
export function limitText(ms: number): string {
  const seconds = ms / 1000
  if (seconds % 3600 === 0) return `${formatCount(seconds / 3600)} h`
  return seconds % 60 === 0
    ? t('benchmark-tables.min', [formatCount(seconds / 60)])
    : `${Number(seconds.toPrecision(12))} s`
}

/**
 * Why a cell is not run: `Not run: 14 h predicted on 16 threads; ...`.
 * @param minMs what the shortest of its runs would take
 * @param least that run in words
 */
export function notRunReason(
  predictedMs: number,
  where: string,
  minMs: number,
  least: string,
  limitMs: number,
): string {
  const [limit, predicted] = [limitText(limitMs), inOneUnit(predictedMs)]
  return minMs < predictedMs
    ? `Not run: ${predicted} predicted ${where}; ${least} alone would take ${inOneUnit(minMs)}, and the limit of a cell is ${limit}.`
    : `Not run: ${predicted} predicted ${where}; the limit of a cell is ${limit}.`
}

/** What a cell says of itself: `not run: 14 h predicted on 16 threads`; null for another reason. */
export function notRunWords(reason: string): string | null {
  const [, words] = /^Not run: ([^;]*);/u.exec(reason) ?? []
  return words === undefined ? null : t('benchmark-tables.notRun', [localizedSentence(words)])
}

/** The same for many cells, whose durations differ: `not run: too long; the limit of a cell is 10 min.` */
export function sharedNotRunWords(reason: string): string | null {
  const [limit] = /the limit of a cell is [^;]*$/u.exec(reason) ?? []
  return notRunWords(reason) === null || limit === undefined
    ? null
    : t('benchmark-tables.notRunTooLong', [localizedSentence(limit)])
}

/** Why a cell was ended while it ran. @param wasForetold its time was predicted, and it passed that by far */
export function endedReason(limitMs: number, endMs: number, wasForetold: boolean): string {
  const [end, limit] = [limitText(endMs), limitText(limitMs)]
  return wasForetold
    ? `Ended after ${end}: far longer than predicted; the limit of a cell is ${limit}.`
    : `Ended after ${end}: its time could not be predicted; the limit of a cell is ${limit}.`
}

/** `ended after 20 min`; null for another reason. */
export function endedWords(reason: string): string | null {
  const [, ms] = /^Ended after ([^:;]*):/u.exec(reason) ?? []
  return ms === undefined ? null : t('benchmark-tables.endedAfter', [ms])
}

type Asked = Pick<Suite, 'warmup' | 'repeats' | 'config'>

/** What a cell makes of what is asked for: `10 of 50 iterations, 1 of 5 repeats, no warm-up`; null where that is all. */
export function shortenedWords({ shortened }: Pick<PlannedCell, 'shortened'>, asked: Asked): string | null {
  if (shortened === undefined) return null
  const { iterations, repeats, warmup } = shortened
  const { maxIterations } = asked.config
  const parts = [
    iterations < maxIterations
      ? t('benchmark-tables.of', [formatCount(iterations), plural(maxIterations, 'iteration')])
      : '',
    repeats < asked.repeats ? t('benchmark-tables.of', [repeats, plural(asked.repeats, 'repeat')]) : '',
    warmup < asked.warmup
      ? warmup === 0
        ? t('benchmark-tables.noWarmUp')
        : t('benchmark-tables.ofWarmUpRuns', [warmup, asked.warmup])
      : '',
  ]
  return parts.filter((part) => part !== '').join(', ') || null
}

/**
 * What the limit of a cell did to the times of a table, each way once with those whom it met.
 * @param nameOf what a contender is called where the sentence stands
 */
export function limitNotes(
  { suite, rows }: Pick<BenchmarkDocument, 'suite' | 'rows'>,
  nameOf = (contender: string): string => contender,
): readonly string[] {
  const limitMs = cellLimitMs(suite)
  if (limitMs === null) return []
  const shortened = new Map<string, string[]>()
  for (const row of rows) {
    const words = madeWords(row, suite)
    if (words === null) continue
    const where = `${nameOf(row.contender)} (${row.dataset}, k = ${row.k})`
    shortened.set(words, [...(shortened.get(words) ?? []), where])
  }
  const fewer = [...shortened].map(([words, where]) =>
    t('benchmark-tables.withinTheLimitOfACell', [limitText(limitMs), words, where.join('; ')]),
  )
  return [...(rows.some((row) => row.scaledFrom !== undefined) ? [scaledNote()] : []), ...fewer]
}

/** Of a row that has times: what it made, which is less still where it was ended. */
function madeWords(row: Measurement, suite: Suite): string | null {
  const made = row.totalsMs.length
  if (made === 0) return null
  const { warmup, repeats } = row.shortened ?? suite
  const iterations = row.scaledFrom?.iterations ?? suite.config.maxIterations
  const ended = made < repeats ? t('benchmark-tables.thenEnded') : ''
  const words = shortenedWords({ shortened: { iterations, warmup, repeats: made } }, suite)
  return words === null ? null : `${words}${ended}`
}

/** What the sign before a time means. */
export const scaledNote = (): string => t('benchmark-tables.beforeATimeScaledToAll')
