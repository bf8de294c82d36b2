/** A few words in the place of a number that a table does not have: why there is none. */
import { plural } from '../quantity-words'
import { afterColon } from './after-colon'
import { endedWords, notRunWords } from './cell-limit'
import { counts, rowAt, whyNotCounted } from './counted'
import type { BenchmarkDocument, BenchmarkState, CellKey, CellState, PlannedCell } from './document'
import { isRunOf } from './published-match'
import { isLikeWork } from './verdict'
import { localizedSentence } from '../locale/localized-sentence'
import { t } from '../locale/translate'
import { stateWords } from './table'

type Known = Pick<BenchmarkDocument, 'state' | 'plan' | 'rows'>

/** Why a cell has no time that counts: `skipped: k is 9 but iris.csv has only 5 points`, `not yet`. */
export function gapWords(document: Known, key: CellKey): string {
  const row = rowAt(document, key, key.contender)
  if (row !== undefined) return stateWordsOf(row.state, whyNotCounted(row))
  const planned = plannedCell(document.plan, key)
  if (planned === undefined) return t('benchmark-tables.notInThisComparison')
  return planned.skipped === null ? untilThen[document.state] : stateWordsOf('skipped', planned.skipped)
}

/** Why a cell has no speed-up: as `gapWords`, or `6 iterations instead of 300`, `baseline skipped`. */
export function speedupGapWords(document: Known, baseline: string, key: CellKey): string {
  const row = rowAt(document, key, key.contender)
  if (row === undefined || !counts(row)) return gapWords(document, key)
  const base = rowAt(document, key, baseline)
  if (base === undefined)
    return t('benchmark-tables.baseline', [gapWords(document, { ...key, contender: baseline })])
  if (!counts(base))
    return t('benchmark-tables.baseline', [
      limitWordsOf(base.reason) ??
        (base.state === 'measured' ? t('benchmark-tables.notVerified') : stateWords[base.state]),
    ])
  if (!isLikeWork(row, base))
    return t('benchmark-tables.insteadOf', [plural(row.iterations, 'iteration'), base.iterations])
  return t('benchmark-tables.tooShortForTheClock')
}

function plannedCell(
  plan: readonly PlannedCell[],
  { dataset, k, contender }: CellKey,
): PlannedCell | undefined {
  return plan.find((cell) => cell.dataset === dataset && cell.k === k && isRunOf(cell, contender))
}

/** Of a cell that was planned and has no row. */
const untilThen: Readonly<Record<BenchmarkState, string>> = {
  get running() {
    return t('benchmark-tables.notYet')
  },
  get paused() {
    return t('benchmark-tables.notYetPaused')
  },
  get cancelled() {
    return t('benchmark-tables.cancelledBeforeIt')
  },
  get interrupted() {
    return t('benchmark-tables.interruptedBeforeIt')
  },
  get done() {
    return t('benchmark-tables.notMeasured')
  },
}

function stateWordsOf(state: CellState, reason: string | null): string {
  if (state === 'disagrees' || state === 'approximate') return stateWords[state]
  if (reason === null) return state === 'measured' ? '–' : stateWords[state]
  if (state === 'measured') return t('benchmark-tables.notVerified')
  const limited = limitWordsOf(reason)
  if (limited !== null) return limited
  const [, engine] = /^The (\w+) engine cannot be used/u.exec(reason) ?? []
  if (engine !== undefined) return t('benchmark-tables.notRunNoHere', [engineNames[engine] ?? engine])
  return `${stateWords[state]}: ${firstClause(localizedSentence(reason))}`
}

/** Of a cell that would have taken, or took, longer than it may: `not run: 14 h predicted on 16 threads`. */
function limitWordsOf(reason: string | null): string | null {
  return reason === null ? null : (notRunWords(reason) ?? endedWords(reason))
}

const engineNames: Readonly<Record<string, string>> = {
  get cpu() {
    return t('benchmark-tables.cpuAddon')
  },
  cuda: 'CUDA',
  webgpu: 'WebGPU',
}

const maxCharacters = 56

/** What is wrong, without what to do about it. */
function firstClause(sentence: string): string {
  const [clause] = afterColon(sentence).split(/[:;]\s|\.(?:\s|$)/u, 1)
  if (clause.length <= maxCharacters) return clause
  const cut = clause.lastIndexOf(' ', maxCharacters)
  return `${clause.slice(0, cut > 0 ? cut : maxCharacters)}…`
}
