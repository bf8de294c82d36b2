/** How long a run will still take, as far as anything can honestly be said about it. */
import type { RunConfig } from '@shared/run-config'
import type { IterationRow } from '@shared/run-record'
import { iterationsToThreshold, recentRows } from './convergence'
import { t } from '@/i18n'

/** How far a run was at a moment: iterations of all restarts so far. */
export interface Mark {
  readonly atMs: number
  readonly iterations: number
}

/** What was counted of the rows so far, so that no row is looked at twice. */
export interface Counted {
  /** Newest restart, and its newest iteration. */
  readonly run: number
  readonly iteration: number
  /** Restarts that are over, as far as the rows show them, and their iterations together. */
  readonly finishedRuns: number
  readonly finishedIterations: number
}

export interface RunSoFar {
  readonly config: Pick<RunConfig, 'stop' | 'maxIterations' | 'nInit'>
  /** In order; not necessarily every iteration. */
  readonly rows: readonly IterationRow[]
  readonly counted: Counted
  /** In the units of the rows; null as long as it is not known. */
  readonly threshold: number | null
  /** In order of time, the newest last. */
  readonly marks: readonly Mark[]
}

/** `at-most`: only the iteration limit is known. */
export interface Remaining {
  readonly kind: 'about' | 'at-most'
  readonly ms: number
}

/** An estimate as it is shown, counted down from the moment it was made. */
export interface ShownRemaining extends Remaining {
  readonly atMs: number
  /** Since when nothing better is known. */
  readonly missingSinceMs: number | null
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** Speed is taken from marks not older than this, and from no fewer than `minMarks`. */
const windowMs = 30 * second
const minMarks = 8
/** Less than this says nothing about the speed. */
const minIterations = 3
const minMs = second / 2
/** What would take longer than this is not worth a number. */
const maxMs = 48 * hour
/** Time in which a shown estimate takes over most of a new one. */
const blendMs = 4 * second
/** An estimate whose basis is gone is counted down this long before it is given up. */
const graceMs = 3 * second

/** Marks with a new one, those dropped that say nothing about the speed of today. */
export function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  const all = [...marks, mark]
  return all.filter(({ atMs }, i) => mark.atMs - atMs <= windowMs || all.length - i <= minMarks)
}

export const nothingCounted: Counted = {
  ...{ run: 0, iteration: 0, finishedRuns: 0, finishedIterations: 0 },
}

/** Counts the rows that are new since `before`; older ones may be gone. */
export function countRows(before: Counted, rows: readonly IterationRow[]): Counted {
  let { run, iteration, finishedRuns, finishedIterations } = before
  const isNew = (row: IterationRow): boolean =>
    row.run > before.run || (row.run === before.run && row.iteration > before.iteration)
  for (const row of rows.slice(rows.findLastIndex((row) => !isNew(row)) + 1)) {
    if (row.run !== run) {
      finishedRuns++
      finishedIterations += iteration
    }
    run = row.run
    iteration = row.iteration
  }
  return { run, iteration, finishedRuns, finishedIterations }
}

/** Iterations of all restarts; one that was over between two rows counts as the others did. */
export function iterationsDone({ run, iteration, ...finished }: Counted): number {
  return iteration + run * (usualLength(finished) ?? 0)
}

function usualLength({
  finishedRuns,
  finishedIterations,
}: Pick<Counted, 'finishedRuns' | 'finishedIterations'>): number | null {
  return finishedRuns === 0 ? null : finishedIterations / finishedRuns
}

/** What is left of a run, never below 0; null when there is no basis for a number. */
export function estimateRemaining(run: RunSoFar, nowMs: number): Remaining | null {
  const { config, rows, marks } = run
  const last = rows.at(-1)
  const newest = marks.at(-1)
  const perIteration = msPerIteration(marks)
  if (last === undefined || newest === undefined || perIteration === null) return null
  const later = Math.max(0, config.nInit - last.run - 1)
  const limit = Math.max(0, config.maxIterations - last.iteration) + later * config.maxIterations
  const expected = expectedIterations(run, last, later)
  const left = Math.min(limit, expected ?? limit)
  const ms = Math.max(0, left * perIteration - (nowMs - newest.atMs))
  return ms > maxMs ? null : { kind: expected === null || expected > limit ? 'at-most' : 'about', ms }
}

/** Iterations that will probably follow, those of later restarts included; null where only the limit is known. */
function expectedIterations(run: RunSoFar, last: IterationRow, later: number): number | null {
  const { config, rows, counted, threshold } = run
  // This rule alone never ends before the limit, so that the limit is no bound but the answer.
  if (config.stop === 'none') return config.maxIterations - last.iteration + later * config.maxIterations
  const usual = usualLength(counted)
  const ofThis = rows.slice(-recentRows).filter((row) => row.run === last.run)
  const trend = iterationsToThreshold(ofThis, config.stop, threshold)
  const left = trend ?? (usual !== null && usual > last.iteration ? usual - last.iteration : null)
  return left === null ? null : left + later * (usual ?? last.iteration + left)
}

/** Over the newer half of the marks; null while too little happened. */
function msPerIteration(marks: readonly Mark[]): number | null {
  const [first] = marks
  const newest = marks.at(-1)
  if (newest === undefined) return null
  const middle = (first.atMs + newest.atMs) / 2
  const half = marks.findLast(
    ({ atMs, iterations }) => atMs <= middle && isInformative(newest, atMs, iterations),
  )
  const from = half ?? first
  if (!isInformative(newest, from.atMs, from.iterations)) return null
  return (newest.atMs - from.atMs) / (newest.iterations - from.iterations)
}

const isInformative = (newest: Mark, atMs: number, iterations: number): boolean =>
  newest.atMs - atMs >= minMs && newest.iterations - iterations >= minIterations

/**
 * What to show next, from what is shown and a new estimate: time that passes is counted down, a new estimate is
 * taken over little by little, and for a moment without a basis nothing changes.
 */
export function smoothRemaining(
  shown: ShownRemaining | null,
  next: Remaining | null,
  nowMs: number,
): ShownRemaining | null {
  const fresh = next && { ...next, atMs: nowMs, missingSinceMs: null }
  if (shown === null) return fresh
  const counted = { ...shown, ms: Math.max(0, shown.ms - (nowMs - shown.atMs)), atMs: nowMs }
  const worse = next === null || (next.kind === 'at-most' && shown.kind === 'about')
  if (worse) {
    const missingSinceMs = shown.missingSinceMs ?? nowMs
    return nowMs - missingSinceMs < graceMs ? { ...counted, missingSinceMs } : fresh
  }
  if (next.kind !== shown.kind) return fresh
  const share = 1 - Math.exp(-(nowMs - shown.atMs) / blendMs)
  return { ...counted, ms: blended(counted.ms, next.ms, share), missingSinceMs: null }
}

/** Between two durations by their logarithms: from 10 s to 1000 s in steps that look alike. */
function blended(from: number, to: number, share: number): number {
  const log = (ms: number) => Math.log(ms + second)
  return Math.max(0, Math.exp(log(from) + share * (log(to) - log(from))) - second)
}

/** `about 12 s left`, `at most 2 min 30 s left`. */
export function remainingWords({ kind, ms }: Remaining): string {
  // A bound is rounded up, or it would be none.
  const round = kind === 'at-most' ? Math.ceil : Math.round
  const words = kind === 'at-most' ? t('results.atMost') : t('results.about')
  return t('results.left', [words, roundDuration(ms, round)])
}

function roundDuration(ms: number, round: (value: number) => number): string {
  const to = (step: number) => round(ms / step) * step
  if (to(second) < 20 * second) return `${Math.max(1, to(second) / second)} s`
  if (to(5 * second) < minute) return `${to(5 * second) / second} s`
  if (to(10 * second) < 10 * minute) return parts(to(10 * second), minute, 'min', second, 's')
  return parts(to(minute), hour, 'h', minute, 'min')
}

function parts(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const whole = Math.floor(ms / large)
  const rest = Math.round((ms - whole * large) / small)
  const shown = [whole > 0 ? `${whole} ${largeUnit}` : '', rest > 0 ? `${rest} ${smallUnit}` : '']
  return shown.filter(Boolean).join(' ')
}
