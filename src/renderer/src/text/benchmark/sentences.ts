/** Sentences of a comparison: where it stands, what a plan comes to, what a row says of itself. */
import { localizedSentence } from '@shared/locale/localized-sentence'
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
import { t } from '@/i18n'

type Progress = Extract<BenchmarkEvent, { kind: 'progress' }>

const stageWords: Readonly<Record<Progress['stage'], string>> = {
  get preparing() {
    return t('benchmark.preparing')
  },
  get verifying() {
    return t('benchmark.checkingTheResultOf')
  },
  get 'warming-up'() {
    return t('benchmark.warmingUp')
  },
  get measuring() {
    return t('benchmark.measuring')
  },
}

/** `Measuring cpu/fused on iris.csv, k = 5: run 3 of 12`. */
export function progressSentence(progress: Progress): string {
  const { cell, stage, runsDone, runs } = progress
  const where = t('benchmark.onK', [
    stageWords[stage],
    contenderName(cell.contender),
    cell.dataset,
    formatCount(cell.k),
  ])
  return runs > 0
    ? t('benchmark.runOf', [where, formatCount(Math.min(runsDone + 1, runs)), formatCount(runs)])
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
  if (pending === 'pausing') return t('benchmark.pausingTheComparison')
  if (pending === 'cancelling') return t('benchmark.cancellingTheComparison')
  if (share === null) return t('benchmark.startingTheComparison')
  return t('benchmark.comparingExecutionTimes', [Math.floor(share * 100)])
}

/** Why what the person asked for does not begin. */
export const waitingSentence = (): string => t('benchmark.aRunIsBeingTimedYour')

/** Why the comparison does not go on. */
export const restingSentence = (): string => t('benchmark.waitingForOtherWorkInThis')

export const stateWords: Readonly<Record<BenchmarkState, string>> = {
  get running() {
    return t('benchmark.running')
  },
  get paused() {
    return t('benchmark.paused')
  },
  get done() {
    return t('benchmark.done')
  },
  get cancelled() {
    return t('benchmark.cancelled')
  },
  get interrupted() {
    return t('benchmark.interrupted')
  },
}

/** What a document that does not run came to. */
export function outcomeSentence({ state, rows, plan }: BenchmarkDocument): string {
  const count = (wanted: string): number => rows.filter((row) => row.state === wanted).length
  const parts = [
    t('benchmark.ofMeasured', [formatCount(count('measured')), plural(plan.length, 'row')]),
    count('approximate') > 0 ? t('benchmark.approximate', [formatCount(count('approximate'))]) : '',
    count('disagrees') > 0 ? t('benchmark.withoutAgreement', [formatCount(count('disagrees'))]) : '',
    count('skipped') > 0 ? t('benchmark.skipped', [formatCount(count('skipped'))]) : '',
    count('failed') > 0 ? t('benchmark.failed2', [formatCount(count('failed'))]) : '',
  ]
  const what: Readonly<Record<BenchmarkState, string>> = {
    running: t('benchmark.starting'),
    paused: t('benchmark.paused2'),
    done: t('benchmark.done2'),
    cancelled: t('benchmark.cancelledFinishedRowsWereKept'),
    interrupted: t('benchmark.interruptedFinishedRowsWereKept'),
  }
  return `${what[state]}: ${parts.filter(Boolean).join(', ')}.`
}

export function summarySentence({ rows, cells, state }: BenchmarkSummary): string {
  return state === 'done'
    ? plural(cells, 'row')
    : t('benchmark.of', [formatCount(rows), plural(cells, 'row')])
}

/** What all of a plan would take. */
export function planSentence({ cells, predictedMs }: Plan): string {
  const skipped = cells.filter((cell) => cell.skipped !== null).length
  const running = cells.length - skipped
  const left = skipped === 0 ? '' : t('benchmark.skipped2', [formatCount(skipped)])
  const takes = predictedMs === null ? knownPart(cells) : t('benchmark.about', [roughDuration(predictedMs)])
  return `${plural(running, 'row')}${left}: ${takes}`
}

/** Where nothing is known of some, what the others take is the least. */
function knownPart(cells: Plan['cells']): string {
  const runs = cells.filter(({ skipped }) => skipped === null)
  const known = runs.flatMap(({ predictedMs }) => predictedMs ?? [])
  if (known.length === 0) return t('benchmark.durationNotKnown')
  const sum = known.reduce((all, ms) => all + ms, 0)
  return t('benchmark.moreThanNotKnown', [roughDuration(sum), formatCount(runs.length - known.length)])
}

/** What stands in the place of the times of a row that has none. */
export function emptyRowWords({ state, cell, row }: TimesRow): string {
  if (state === 'waiting') return predictedWords(cell)
  if (state === 'running') return t('benchmark.running2')
  if (state === 'missing') return t('benchmark.notMeasuredYet')
  const given = row?.reason ?? cell.skipped ?? ''
  const reason = localizedSentence(given)
  if (notRunWords(given) !== null || endedWords(given) !== null) return reason
  return state === 'skipped' ? t('benchmark.skipped3', [reason]) : t('benchmark.failed3', [reason])
}

function predictedWords({ predictedMs }: PlannedCell): string {
  return predictedMs === null
    ? t('benchmark.waiting')
    : t('benchmark.waitingAbout', [roughDuration(predictedMs)])
}

/** Why a row that has times has no speed-up; null where nothing is amiss. */
export function remarkOf({ state, row, speedup }: TimesRow): string | null {
  if (state === 'disagrees' || state === 'approximate')
    return t('benchmark.noSpeedUp', [
      afterColon(
        localizedSentence(row?.reason ?? row?.verification?.reason ?? t('benchmark.itsResultDoesNotAgree')),
      ),
    ])
  return state === 'measured' ? (speedup?.reason ? localizedSentence(speedup.reason) : null) : null
}
