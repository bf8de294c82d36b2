import {
  historyNames,
  labelFiles,
  modelFiles,
  reportFiles,
  type LabelFile,
  type ModelFile,
  type NamedColumnType,
  type ReportFile,
} from '@shared/command-line'
import { formats, maxTitleRows, missingPolicies, scalings, type ImportOverrides } from '@shared/dataset'
import { invalidArgument } from '@shared/errors'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { precisions } from '@shared/precision'
import { defaultRunConfig, emptyPolicies, stopRules, timingLevels, type RunConfig } from '@shared/run-config'
import type { TextChoice } from '@shared/text-choice'
import { engineIds } from '@shared/variant'
import { Given, givenWorkers, refuseDistances, seeding, textChoice } from './given'
import { lossPolicies, type LossPolicy } from '@shared/device-loss'
import { memoryChoice, type MemoryChoice } from './memory-arguments'
import type { Tokens } from './tokens'
import {
  columnScalingList,
  columnTypeList,
  delimiter,
  encoding,
  nameList,
  oneOf,
  positiveNumber,
  quote,
  someOf,
  someText,
  wholeNumber,
} from './values'

/** `cluster` as asked for. */
export interface ClusterOptions {
  readonly file: string
  /** Column types excepted: they go by name, and only the file tells which column has it. */
  readonly overrides: ImportOverrides
  readonly columnTypes: readonly NamedColumnType[]
  /** Its k holds only when `givesK`. */
  readonly config: RunConfig
  /** -k was given; otherwise a headed file or the centroid file must tell. */
  readonly givesK: boolean
  /** The centroids of every iteration were asked for as a history, not only for the steps. */
  readonly centroidFile: boolean
  /** Folder for the result files. */
  readonly output: string | null
  /** Iterations written as step files; 0 for none. */
  readonly steps: number
  /** Files that hold the label of each row. */
  readonly labels: LabelFile
  readonly models: readonly ModelFile[]
  readonly report: ReportFile | null
  /** profile.csv is written too. */
  readonly profile: boolean
  readonly force: boolean
  /** Folder in which it is kept where the run stands; null keeps it nowhere. */
  readonly checkpoint: string | null
  /** Null: a person at a terminal is asked. */
  readonly onLoss: LossPolicy | null
  readonly memory: MemoryChoice
  readonly text: TextChoice
  readonly json: boolean
}

/** @throws LabError `input` for a value that cannot be, or options that contradict each other. */
export function parseCluster({ values, positionals }: Tokens): ClusterOptions {
  if (positionals.length !== 1) {
    const received = positionals.length === 0 ? null : positionals.join(' ')
    throw invalidArgument('one data file', 'cluster', received)
  }
  const given = new Given(values)
  refuseDistances(given)
  const output = given.value('output', (text) => someText(text, '-o', 'a folder')) ?? null
  const steps = given.value('steps', (text) => wholeNumber(text, '--steps', 1)) ?? 0
  if (steps > 0 && output === null) throw invalidArgument('a folder with --steps', '-o', null)
  const labels = given.word('labels', labelFiles)
  if (values.has('profile') && output === null) throw invalidArgument('a folder with --profile', '-o', null)
  if (labels !== undefined && output === null) throw invalidArgument('a folder with --labels', '-o', null)
  return {
    file: someText(positionals[0], 'cluster', 'one data file'),
    overrides: importOverrides(given),
    columnTypes: given.value('column-type', (text) => columnTypeList(text, '--column-type')) ?? [],
    config: runConfig(given, steps > 0),
    centroidFile: keptHistory(given).centroidHistory,
    givesK: values.has('k'),
    output,
    steps,
    labels: labels ?? 'csv',
    models: modelList(given, output),
    report: reportFile(given, output),
    profile: values.has('profile'),
    force: values.has('force'),
    checkpoint: given.text('checkpoint', 'a folder') ?? null,
    onLoss: given.word('on-device-loss', lossPolicies) ?? null,
    memory: memoryChoice(given),
    text: textChoice(given),
    json: values.has('json'),
  }
}

/** @throws LabError where there is no folder to write them into */
function modelList(given: Given, output: string | null): readonly ModelFile[] {
  const models = given.value('models', (text) => someOf(text, '--models', modelFiles)) ?? []
  if (models.length > 0 && output === null) throw invalidArgument('a folder with --models', '-o', null)
  return models
}

/** @throws LabError where there is no folder to write it into */
function reportFile(given: Given, output: string | null): ReportFile | null {
  const report = given.word('report', reportFiles) ?? null
  if (report !== null && output === null) throw invalidArgument('a folder with --report', '-o', null)
  return report
}

/** How the rows are clustered; `steps` keeps the centroids of every iteration. */
export function runConfig(given: Given, steps: boolean): RunConfig {
  const usual = defaultRunConfig
  const kept = keptHistory(given)
  return {
    features: given.value('features', (text) => nameList(text, '--features')) ?? usual.features,
    missing: given.word('missing', missingPolicies) ?? usual.missing,
    scaling: given.word('scaling', scalings) ?? usual.scaling,
    ...columnChoices(given),
    k: given.whole('k', 1) ?? usual.k,
    ...seeding(given),
    seed: given.whole('seed', 0) ?? usual.seed,
    stop: given.word('stop', stopRules) ?? usual.stop,
    tolerance: given.value('tolerance', (text) => positiveNumber(text, '--tolerance')) ?? usual.tolerance,
    maxIterations: given.whole('max-iterations', 1) ?? usual.maxIterations,
    nInit: given.whole('n-init', 1) ?? usual.nInit,
    empty: given.word('empty', emptyPolicies) ?? usual.empty,
    engine: given.word('engine', ['auto', ...engineIds] as const) ?? usual.engine,
    device: given.text('device', 'a device') ?? usual.device,
    variant: given.text('variant', 'a variant') ?? usual.variant,
    regime: given.text('regime', 'a regime') ?? usual.regime,
    workers: givenWorkers(given) ?? usual.workers,
    precision: given.word('precision', precisions) ?? usual.precision,
    timing: given.word('timing', timingLevels) ?? usual.timing,
    history: kept.history,
    centroidHistory: kept.centroidHistory || steps,
  }
}

/** What is said of single columns; empty where nothing was given. */
export function columnChoices(given: Given): Pick<RunConfig, 'columnScalings' | 'filter' | 'oneHot'> {
  const scaled = given.value('column-scaling', (text) => columnScalingList(text, '--column-scaling'))
  const filter = given.value('filter', parseFilter)
  const oneHot = given.value('one-hot', (text) => nameList(text, '--one-hot'))
  return {
    ...(scaled && { columnScalings: scaled }),
    ...(filter && { filter }),
    ...(oneHot && { oneHot }),
  }
}

/** `--history` keeps both, `--history=...` the one that is named. */
function keptHistory(given: Given): Pick<RunConfig, 'history' | 'centroidHistory'> {
  const word = given.value('history', (text) => (text === '' ? null : oneOf(text, '--history', historyNames)))
  return {
    history: word === null || word === 'iterations',
    centroidHistory: word === null || word === 'centroids',
  }
}

/** How the file is read where that shall not be detected; empty where nothing was given. */
export function importOverrides(given: Given): ImportOverrides {
  const format = given.word('format', formats)
  const read = given.value('encoding', (text) => encoding(text, '--encoding'))
  const separator = given.value('delimiter', (text) => delimiter(text, '--delimiter'))
  const mark = given.value('quote', (text) => quote(text, '--quote'))
  const decimal = given.word('decimal', ['.', ','] as const)
  const titleRows = given.value('title-rows', titleRowsOf)
  return {
    ...(format !== undefined && { format }),
    ...(read !== undefined && { encoding: read }),
    ...(separator !== undefined && { delimiter: separator }),
    ...(mark !== undefined && { quote: mark }),
    ...headerRow(given),
    ...(titleRows !== undefined && { titleRows }),
    ...(decimal !== undefined && { decimal }),
  }
}

function titleRowsOf(text: string): number {
  const count = wholeNumber(text, '--title-rows', 0)
  if (count <= maxTitleRows) return count
  throw invalidArgument(`a whole number from 0 to ${maxTitleRows}`, '--title-rows', text)
}

function headerRow(given: Given): Pick<ImportOverrides, 'header'> {
  const header = given.has('header')
  if (header && given.has('no-header')) {
    throw invalidArgument('either --header or --no-header', 'the header row', 'both')
  }
  return header || given.has('no-header') ? { header } : {}
}
