import type { SuiteChanges } from '@engine/benchmark/change-suite'
import { maxCellSeconds } from '@shared/benchmark/cell-limit'
import { outsideSystems, type SuiteConfig } from '@shared/benchmark/suite'
import { missingPolicies, scalings, type ImportOverrides } from '@shared/dataset'
import { invalidArgument } from '@shared/errors'
import { precisions } from '@shared/precision'
import { emptyPolicies, stopRules, timingLevels } from '@shared/run-config'
import type { TextChoice } from '@shared/text-choice'
import { engineIds } from '@shared/variant'
import { columnChoices, importOverrides } from './cluster-arguments'
import { Given, givenWorkers, refuseDistances, seeding, textChoice } from './given'
import { memoryChoice, type MemoryChoice } from './memory-arguments'
import type { Tokens } from './tokens'
import { nameList, oneOf, positiveNumber, someOf, someText, wholeNumbers } from './values'

/** `bench` as asked for. */
export interface BenchOptions {
  /** A preset, a SUITE.json, a benchmark.json, a data file or a folder of them; null with `list`. */
  readonly source: string | null
  /** The source is a benchmark.json to go on with. */
  readonly resume: boolean
  /** Names of options that change the suite, for what cannot be changed. */
  readonly changed: readonly string[]
  readonly changes: SuiteChanges
  readonly scale: number | null
  readonly list: boolean
  readonly plan: boolean
  readonly output: string | null
  readonly force: boolean
  readonly memory: MemoryChoice
  readonly text: TextChoice
  readonly format: 'text' | 'markdown' | 'json'
}

/** Options that say what is done with a comparison, and not which one it is. */
const handling = new Set([
  'list',
  'plan',
  'output',
  'resume',
  'force',
  'neutralise-formulas',
  'dialect',
  'markdown',
  'json',
  'baseline',
  'distance',
  'metric',
  'memory-limit',
  'device-memory',
  'scratch',
])

/** @throws LabError `input` for a value that cannot be, or options that contradict each other. */
export function parseBench({ values, positionals }: Tokens): BenchOptions {
  const given = new Given(values)
  refuseDistances(given)
  const resumed = given.text('resume', 'a benchmark.json') ?? null
  const list = given.has('list')
  const sources = [...positionals, ...(resumed === null ? [] : [resumed])]
  if (sources.length !== 1 && !(list && sources.length === 0)) {
    const expected = 'one suite, data file or preset (bench --list names the presets)'
    throw invalidArgument(expected, 'bench', sources.length === 0 ? null : sources.join(' '))
  }
  return {
    source: sources.length === 0 ? null : someText(sources[0], 'bench', 'a suite, a data file or a preset'),
    resume: resumed !== null,
    changed: [...values.keys()].filter((name) => !handling.has(name)),
    changes: suiteChanges(given),
    scale: given.value('scale', (text) => positiveNumber(text, '--scale')) ?? null,
    list,
    plan: given.has('plan'),
    output: given.value('output', (text) => someText(text, '-o', 'a folder')) ?? null,
    force: given.has('force'),
    memory: memoryChoice(given),
    text: textChoice(given),
    format: formatOf(given),
  }
}

function formatOf(given: Given): BenchOptions['format'] {
  if (given.has('json') && given.has('markdown')) {
    throw invalidArgument('either --json or --markdown', 'the output', 'both')
  }
  if (given.has('json')) return 'json'
  return given.has('markdown') ? 'markdown' : 'text'
}

function suiteChanges(given: Given): SuiteChanges {
  const variants = given.value('variants', (text) => (text === 'all' ? text : nameList(text, '--variants')))
  return defined<SuiteChanges>({
    k: given.value('k', (text) => wholeNumbers(text, '-k', 1)),
    variants,
    engines: given.value('engines', (text) => someOf(text, '--engines', engineIds)),
    outside: given.value('outside', (text) => someOf(text, '--outside', outsideSystems)),
    baseline: given.text('baseline', 'a variant'),
    repeats: given.whole('repeats', 1),
    warmup: given.whole('warmup', 0),
    maxCellSeconds: given.value('max-cell-seconds', cellSeconds),
    timing: given.value('timing', (text) => oneOf(text, '--timing', timingLevels)),
    overrides: fileOverrides(given),
    config: configChanges(given),
  })
}

function cellSeconds(text: string): number {
  const seconds = positiveNumber(text, '--max-cell-seconds')
  if (seconds > 0 && seconds <= maxCellSeconds) return seconds
  throw invalidArgument(`seconds above 0, at most ${maxCellSeconds}`, '--max-cell-seconds', text)
}

function fileOverrides(given: Given): ImportOverrides | undefined {
  const overrides = importOverrides(given)
  return Object.keys(overrides).length === 0 ? undefined : overrides
}

function configChanges(given: Given): Partial<SuiteConfig> {
  return defined<Partial<SuiteConfig>>({
    ...(given.has('init') || given.has('centroids') ? seeding(given) : {}),
    features: given.value('features', (text) => nameList(text, '--features')),
    missing: given.word('missing', missingPolicies),
    scaling: given.word('scaling', scalings),
    ...columnChoices(given),
    seed: given.whole('seed', 0),
    stop: given.word('stop', stopRules),
    tolerance: given.value('tolerance', (text) => positiveNumber(text, '--tolerance')),
    maxIterations: given.whole('max-iterations', 1),
    empty: given.word('empty', emptyPolicies),
    workers: givenWorkers(given),
    precision: given.word('precision', precisions),
  })
}

/** Without what was not given, so that it changes nothing. */
function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
