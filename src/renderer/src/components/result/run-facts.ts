/** A run in facts: as the panel lists them, as two runs are set side by side, as they are copied. */
import { isApproximate } from '@shared/approximate'
import { precisionOf } from '@shared/precision'
import type { ReusedPart, RunRecord } from '@shared/run-record'
import { workersThatRan } from '@shared/workers'
import { localizedSentence } from '@shared/locale/localized-sentence'
import { dateFormat, t } from '@/i18n'
import { formatCount, formatDuration, formatNumber } from '@/text/numbers'
import { filterInWords } from '@/text/preparation'
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
  dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(iso))

const reusedKeys = {
  points: 'results.points',
  seeding: 'results.seeding',
  clusters: 'results.clusters2',
} as const

const reusedWords = (parts: readonly ReusedPart[]): string =>
  parts.map((part) => t(reusedKeys[part])).join(', ')

/** What each fact says of a run; closed by its type. */
const sayings: Readonly<Record<FactId, (record: RunRecord) => Written>> = {
  file: ({ file }) => [t('results.file'), file.name],
  inertia: ({ inertia }) => [t('results.inertia2'), formatNumber(inertia), String(inertia)],
  stopped: ({ stopped }) => [t('results.stoppedBy'), stoppedWords[stopped]],
  k: ({ k }) => ['k', formatCount(k), String(k)],
  iterations: ({ iterations }) => [t('results.iterations'), formatCount(iterations), String(iterations)],
  points: ({ n, d }) => [t('results.pointsFeatures'), `${formatCount(n)} × ${d}`, `${n} × ${d}`],
  features: ({ features }) => [t('results.features'), features.map(({ name }) => name).join(', ')],
  scaling: ({ config }) => [t('results.scaling'), scalingsInWords(config)],
  missing: ({ config }) => [t('results.missingValues'), missingWords[config.missing]],
  filter: ({ config }) => [t('results.filter'), config.filter ? filterInWords(config.filter) : ''],
  filtered: ({ filteredRows = 0 }) => [
    t('results.rowsFilteredOut'),
    formatCount(filteredRows),
    String(filteredRows),
  ],
  'left-out': ({ droppedRows }) => [t('results.rowsLeftOut'), formatCount(droppedRows), String(droppedRows)],
  filled: ({ filledCells }) => [t('results.cellsFilled'), formatCount(filledCells), String(filledCells)],
  init: ({ config, reused = [] }) => [
    t('results.initialCentroids'),
    reused.includes('clusters') ? t('results.theClustersBefore') : initWords[config.init],
  ],
  rule: (record) => [t('results.stopRule'), ruleOf(record)],
  limit: ({ config }) => [
    t('results.iterationLimit'),
    formatCount(config.maxIterations),
    String(config.maxIterations),
  ],
  empty: ({ config }) => [t('results.emptyClusters'), emptyWords[config.empty]],
  seed: ({ seed }) => [t('results.seed'), String(seed)],
  restarts: ({ bestRun, restarts }) => [
    t('results.bestRestart'),
    t('results.of', [bestRun + 1, restarts.length]),
  ],
  engine: ({ engine }) => [t('results.engine'), engineWords[engine]],
  variant: (record) => [t('results.variant'), variantWords(record)],
  grade: () => [
    t('results.grade'),
    t('results.approximate'),
    t('results.approximateCentroidsAreMeansOfSamples'),
  ],
  reason: ({ reason }) => [t('results.whyThisRegime'), localizedSentence(reason ?? '')],
  workers: ({ config, variant, n }) => {
    const workers = workersThatRan(config, variant, n) ?? 0
    return [t('results.workers'), formatCount(workers), String(workers)]
  },
  precision: (record) => [t('results.precision'), precisionOf(record)],
  device: ({ device, deviceName }) => [t('results.device'), deviceName, `${deviceName} (${device})`],
  repeatable: ({ deterministic }) => [
    t('results.repeatable'),
    deterministic ? t('results.toTheLastBit') : t('results.upToTheOrderOfSums'),
  ],
  hash: ({ resultSha256 = '' }) => [t('results.resultSha256'), `${resultSha256.slice(0, 12)}…`, resultSha256],
  timing: ({ config }) => [t('results.timing'), timingWords[config.timing]],
  time: ({ timings }) => [t('results.time'), formatDuration(timings.totalMs), `${timings.totalMs} ms`],
  reused: ({ reused = [] }) => [
    t('results.takenOver'),
    reusedWords(reused),
    t('results.ofEarlierRuns', [reusedWords(reused)]),
  ],
  started: ({ startedAt: iso }) => [t('results.started'), startedAt(iso), iso],
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
    [...facts, ...phases, ...record.warnings.map((text) => [t('results.warning'), localizedSentence(text)])],
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
