/** A run in facts: as the panel lists them, as two runs are set side by side, as they are copied. */
import { isApproximate } from '@shared/approximate'
import { precisionOf } from '@shared/precision'
import { shortFilterText } from '@shared/row-filter/filter-text'
import type { ReusedPart, RunRecord } from '@shared/run-record'
import { workersThatRan } from '@shared/workers'
import { formatCount, formatDuration, formatNumber } from '@/text/numbers'
import {
  emptyWords,
  engineWords,
  initWords,
  missingWords,
  scalingsInWords,
  stoppedWords,
  stopWords,
  timingWords,
  toleranceUnits,
} from '@/text/words'
import { variantWords } from '@/text/running'
import { tsvText } from '@/text/tsv'

export const factIds = [
  'file',
  'inertia',
  'stopped',
  'k',
  'iterations',
  'points',
  'features',
  'scaling',
  'missing',
  'filter',
  'filtered',
  'left-out',
  'filled',
  'init',
  'rule',
  'limit',
  'empty',
  'seed',
  'restarts',
  'engine',
  'variant',
  'grade',
  'reason',
  'workers',
  'precision',
  'device',
  'repeatable',
  'hash',
  'timing',
  'time',
  'reused',
  'started',
] as const
export type FactId = (typeof factIds)[number]

export interface Fact {
  readonly id: FactId
  readonly what: string
  /** As it is shown. */
  readonly value: string
  /** With every digit and every name. */
  readonly full: string
}

/** Under these conditions a fact tells nothing. */
const silent: Partial<Record<FactId, (record: RunRecord) => boolean>> = {
  filter: ({ config }) => !config.filter,
  filtered: ({ filteredRows = 0 }) => filteredRows === 0,
  'left-out': ({ droppedRows }) => droppedRows === 0,
  filled: ({ filledCells }) => filledCells === 0,
  restarts: ({ restarts }) => restarts.length < 2,
  grade: ({ variant }) => !isApproximate(variant),
  hash: ({ resultSha256 }) => resultSha256 === undefined,
  reason: ({ reason }) => reason === null,
  reused: ({ reused = [] }) => reused.length === 0,
  workers: ({ config, variant, n }) => workersThatRan(config, variant, n) === null,
}

type Written = readonly [what: string, value: string, full?: string]

function ruleOf({ config, tolerance }: RunRecord): string {
  if (config.stop === 'none') return stopWords.none
  return `${stopWords[config.stop]}, ${tolerance} ${toleranceUnits(config.stop, config)}`
}

const startedAt = (iso: string): string =>
  new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

const reusedWords = (parts: readonly ReusedPart[]): string => parts.join(' and ')

/** What each fact says of a run; closed by its type. */
const sayings: Readonly<Record<FactId, (record: RunRecord) => Written>> = {
  file: ({ file }) => ['File', file.name],
  inertia: ({ inertia }) => ['Inertia', formatNumber(inertia), String(inertia)],
  stopped: ({ stopped }) => ['Stopped by', stoppedWords[stopped]],
  k: ({ k }) => ['k', formatCount(k), String(k)],
  iterations: ({ iterations }) => ['Iterations', formatCount(iterations), String(iterations)],
  points: ({ n, d }) => ['Points × features', `${formatCount(n)} × ${d}`, `${n} × ${d}`],
  features: ({ features }) => ['Features', features.map(({ name }) => name).join(', ')],
  scaling: ({ config }) => ['Scaling', scalingsInWords(config)],
  missing: ({ config }) => ['Missing values', missingWords[config.missing]],
  filter: ({ config }) => ['Filter', config.filter ? shortFilterText(config.filter) : ''],
  filtered: ({ filteredRows = 0 }) => ['Rows filtered out', formatCount(filteredRows), String(filteredRows)],
  'left-out': ({ droppedRows }) => ['Rows left out', formatCount(droppedRows), String(droppedRows)],
  filled: ({ filledCells }) => ['Cells filled', formatCount(filledCells), String(filledCells)],
  init: ({ config }) => [
    'Initial centroids',
    config.init === 'file' ? 'From a file' : initWords[config.init],
  ],
  rule: (record) => ['Stop rule', ruleOf(record)],
  limit: ({ config }) => ['Iteration limit', formatCount(config.maxIterations), String(config.maxIterations)],
  empty: ({ config }) => ['Empty clusters', emptyWords[config.empty]],
  seed: ({ seed }) => ['Seed', String(seed)],
  restarts: ({ bestRun, restarts }) => ['Best restart', `${bestRun + 1} of ${restarts.length}`],
  engine: ({ engine }) => ['Engine', engineWords[engine]],
  variant: (record) => ['Variant', variantWords(record)],
  grade: () => ['Grade', 'approximate', 'approximate: centroids are means of samples of the points'],
  reason: ({ reason }) => ['Why this regime', reason ?? ''],
  workers: ({ config, variant, n }) => {
    const workers = workersThatRan(config, variant, n) ?? 0
    return ['Workers', formatCount(workers), String(workers)]
  },
  precision: (record) => ['Precision', precisionOf(record)],
  device: ({ device, deviceName }) => ['Device', deviceName, `${deviceName} (${device})`],
  repeatable: ({ deterministic }) => [
    'Repeatable',
    deterministic ? 'to the last bit' : 'up to the order of sums',
  ],
  hash: ({ resultSha256 = '' }) => ['Result SHA-256', `${resultSha256.slice(0, 12)}…`, resultSha256],
  timing: ({ config }) => ['Timing', timingWords[config.timing]],
  time: ({ timings }) => ['Time', formatDuration(timings.totalMs), `${timings.totalMs} ms`],
  reused: ({ reused = [] }) => ['Taken over', reusedWords(reused), `${reusedWords(reused)} of earlier runs`],
  started: ({ startedAt: iso }) => ['Started', startedAt(iso), iso],
}

/** The facts of a run, in their order, without those that tell nothing of it. */
export function runFacts(record: RunRecord): readonly Fact[] {
  return factIds
    .filter((id) => !(silent[id]?.(record) ?? false))
    .map((id) => {
      const [what, value, full = value] = sayings[id](record)
      return { id, what, value, full }
    })
}

/** All facts and the times by phase for the clipboard. */
export function factsAsText(record: RunRecord): string {
  const phases = Object.entries(record.timings).map(([name, ms]) => [name, ms] as const)
  const facts = runFacts(record).map(({ what, full }) => [what, full] as const)
  return tsvText(
    ['fact', 'value'],
    [...facts, ...phases, ...record.warnings.map((text) => ['Warning', text])],
  )
}

export interface FactPair {
  readonly id: FactId
  readonly what: string
  readonly a: Fact | null
  readonly b: Fact | null
  readonly differs: boolean
}

/** Facts of two runs side by side; a fact that tells nothing of one of them is null there. */
export function factPairs(a: RunRecord, b: RunRecord): readonly FactPair[] {
  const [factsA, factsB] = [runFacts(a), runFacts(b)]
  return factIds.flatMap((id) => {
    const factA = factsA.find((fact) => fact.id === id) ?? null
    const factB = factsB.find((fact) => fact.id === id) ?? null
    const what = factA?.what ?? factB?.what
    return what === undefined ? [] : [{ id, what, a: factA, b: factB, differs: factA?.full !== factB?.full }]
  })
}
