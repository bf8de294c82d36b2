/** Sentences of a comparison: where it stands, what a plan comes to, what a row says of itself. */
import { afterColon } from '@shared/benchmark/after-colon'
import { endedWords, notRunWords } from '@shared/benchmark/cell-limit'
import { contenderName } from '@shared/benchmark/contender-look'
import type {
  BenchmarkDocument,
  BenchmarkState,
  BenchmarkSummary,
  PlannedCell,
} from '@shared/benchmark/document'
import type { BenchmarkEvent, Plan } from '@shared/benchmark/requests'
import { formatCount, plural, roughDuration } from '@shared/quantity-words'
import type { TimesRow } from './times-rows'

type Progress = Extract<BenchmarkEvent, { kind: 'progress' }>

const stageWords: Readonly<Record<Progress['stage'], string>> = {
  preparing: 'Preparing',
  verifying: 'Checking the result of',
  'warming-up': 'Warming up',
  measuring: 'Measuring',
}

/** `Measuring cpu/fused on iris.csv, k = 5: run 3 of 12`. */
export function progressSentence(progress: Progress): string {
  const { cell, stage, runsDone, runs } = progress
  const where = `${stageWords[stage]} ${contenderName(cell.contender)} on ${cell.dataset}, k = ${formatCount(cell.k)}`
  return runs > 0
    ? `${where}: run ${formatCount(Math.min(runsDone + 1, runs))} of ${formatCount(runs)}`
    : where
}

/** Where the comparison under way stands, in few words: `Comparing execution times, 23 %`. */
export function comparisonWords({
  pending,
  share,
}: {
  pending: string | null
  share: number | null
}): string {
  if (pending === 'pausing') return 'Pausing the comparison…'
  if (pending === 'cancelling') return 'Cancelling the comparison…'
  if (share === null) return 'Starting the comparison…'
  return `Comparing execution times, ${Math.floor(share * 100)} %`
}

/** Why what the person asked for does not begin. */
export const waitingSentence = 'A run is being timed: your request starts after it.'

/** Why the comparison does not go on. */
export const restingSentence = 'Waiting for other work in this window to end…'

export const stateWords: Readonly<Record<BenchmarkState, string>> = {
  running: 'running',
  paused: 'paused',
  done: 'done',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
}

/** What a document that does not run came to. */
export function outcomeSentence({ state, rows, plan }: BenchmarkDocument): string {
  const count = (wanted: string): number => rows.filter((row) => row.state === wanted).length
  const parts = [
    `${formatCount(count('measured'))} of ${plural(plan.length, 'row')} measured`,
    count('approximate') > 0 ? `${formatCount(count('approximate'))} approximate` : '',
    count('disagrees') > 0 ? `${formatCount(count('disagrees'))} without agreement` : '',
    count('skipped') > 0 ? `${formatCount(count('skipped'))} skipped` : '',
    count('failed') > 0 ? `${formatCount(count('failed'))} failed` : '',
  ]
  const what: Readonly<Record<BenchmarkState, string>> = {
    running: 'Starting',
    paused: 'Paused',
    done: 'Done',
    cancelled: 'Cancelled; finished rows were kept',
    interrupted: 'Interrupted; finished rows were kept',
  }
  return `${what[state]}: ${parts.filter(Boolean).join(', ')}.`
}

export function summarySentence({ rows, cells, state }: BenchmarkSummary): string {
  return state === 'done' ? plural(cells, 'row') : `${formatCount(rows)} of ${plural(cells, 'row')}`
}

/** What all of a plan would take. */
export function planSentence({ cells, predictedMs }: Plan): string {
  const skipped = cells.filter((cell) => cell.skipped !== null).length
  const running = cells.length - skipped
  const left = skipped === 0 ? '' : `, ${formatCount(skipped)} skipped`
  const takes = predictedMs === null ? knownPart(cells) : `about ${roughDuration(predictedMs)}`
  return `${plural(running, 'row')}${left}: ${takes}`
}

/** Where nothing is known of some, what the others take is the least. */
function knownPart(cells: Plan['cells']): string {
  const runs = cells.filter(({ skipped }) => skipped === null)
  const known = runs.flatMap(({ predictedMs }) => predictedMs ?? [])
  if (known.length === 0) return 'duration not known'
  const sum = known.reduce((all, ms) => all + ms, 0)
  return `more than ${roughDuration(sum)}, ${formatCount(runs.length - known.length)} not known`
}

/** What stands in the place of the times of a row that has none. */
export function emptyRowWords({ state, cell, row }: TimesRow): string {
  if (state === 'waiting') return predictedWords(cell)
  if (state === 'running') return 'Running…'
  if (state === 'missing') return 'Not measured yet'
  const reason = row?.reason ?? cell.skipped ?? ''
  if (notRunWords(reason) !== null || endedWords(reason) !== null) return reason
  return state === 'skipped' ? `Skipped: ${reason}` : `Failed: ${reason}`
}

function predictedWords({ predictedMs }: PlannedCell): string {
  return predictedMs === null ? 'Waiting' : `Waiting; about ${roughDuration(predictedMs)}`
}

/** Why a row that has times has no speed-up; null where nothing is amiss. */
export function remarkOf({ state, row, speedup }: TimesRow): string | null {
  if (state === 'disagrees' || state === 'approximate')
    return `No speed-up: ${afterColon(row?.reason ?? row?.verification?.reason ?? 'its result does not agree.')}`
  return state === 'measured' ? (speedup?.reason ?? null) : null
}
