import type { ColumnInfo, Delimiter, Dialect, GivenType, ImportOverrides, NamedScaling } from './dataset'
import { overridesOf } from './import-overrides'
import { precisionOf } from './precision'
import { filterText } from './row-filter/filter-text'
import { defaultRunConfig, type RunConfig } from './run-config'
import type { RunRecord } from './run-record'
import { workersFor } from './workers'

export const programName = 'centroid-lab'

/** How the delimiters that are awkward to type are named on the command line. */
export const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ',': ',',
  '\t': 'tab',
  ';': ';',
  '|': '|',
  ' ': 'space',
}

/** `--quote` for a file without quoting. */
export const noQuote = 'none'

/** What `--history=...` keeps; both without a word. */
export const historyNames = ['iterations', 'centroids'] as const

/** What `--labels` writes. */
export const labelFiles = ['csv', 'npy', 'both'] as const
export type LabelFile = (typeof labelFiles)[number]

/** What `--report` writes. */
export const reportFiles = ['html', 'markdown', 'both'] as const
export type ReportFile = (typeof reportFiles)[number]

/** What `--models` writes. */
export const modelFiles = ['python', 'pmml', 'onnx'] as const
export type ModelFile = (typeof modelFiles)[number]

/** A column type as the command line has it: there columns go by name. */
export interface NamedColumnType {
  readonly name: string
  readonly type: GivenType
}

type Column = Pick<ColumnInfo, 'index' | 'name'>
/** `true` is a switch, null leaves the option out. */
type Value = string | true | null
type Option<T> = readonly [option: string, value: (of: T) => Value]

/** One option a field of the configuration. Data, so that no field is forgotten. */
const options: readonly Option<RunConfig>[] = [
  ['-k', (config) => String(config.k)],
  ['--engine', (config) => unlessDefault(config, 'engine')],
  ['--device', (config) => config.device],
  ['--variant', (config) => unlessDefault(config, 'variant')],
  ['--regime', (config) => config.regime],
  ['--workers', (config) => (config.workers === null ? null : String(config.workers))],
  ['--precision', (config) => (precisionOf(config) === 'float32' ? null : config.precision)],
  ['--init', (config) => unlessDefault(config, 'init')],
  ['--centroids', (config) => config.centroidsFile],
  ['--seed', (config) => String(config.seed)],
  ['--stop', (config) => unlessDefault(config, 'stop')],
  ['--tolerance', (config) => (config.tolerance === null ? null : String(config.tolerance))],
  ['--max-iterations', (config) => unlessDefault(config, 'maxIterations')],
  ['--n-init', (config) => unlessDefault(config, 'nInit')],
  ['--empty', (config) => unlessDefault(config, 'empty')],
  ['--features', ({ features, oneHot }) => featuresText(features, oneHot)],
  ['--one-hot', ({ oneHot }) => oneHot?.map(listCell).join(',') ?? null],
  ['--scaling', (config) => unlessDefault(config, 'scaling')],
  ['--column-scaling', ({ columnScalings = [] }) => columnScalingsText(columnScalings)],
  ['--filter', ({ filter }) => (filter === undefined ? null : filterText(filter))],
  ['--missing', (config) => unlessDefault(config, 'missing')],
  ['--timing', (config) => unlessDefault(config, 'timing')],
]

/** One option a property of the file that can be set by hand. */
const importOptions: readonly Option<ImportOverrides>[] = [
  ['--format', ({ format }) => format ?? null],
  ['--encoding', ({ encoding }) => encoding ?? null],
  ['--delimiter', ({ delimiter }) => (delimiter === undefined ? null : delimiterNames[delimiter])],
  ['--quote', ({ quote }) => quoteName(quote)],
  ['--decimal', ({ decimal }) => decimal ?? null],
  ['--header', ({ header }) => header === true || null],
  ['--no-header', ({ header }) => header === false || null],
  ['--title-rows', ({ titleRows }) => (titleRows === undefined ? null : String(titleRows))],
]

/**
 * The arguments of `centroid-lab` that repeat a run: k and seed always, the rest where it differs from the
 * defaults. One argument an entry, not quoted for any shell (`shellText` does that).
 * @param columns of the file: the columns whose types were set go by their names here.
 */
export function commandLine(
  config: RunConfig,
  fileName: string,
  overrides: ImportOverrides = {},
  columns: readonly Column[] = [],
): string[] {
  return [
    'cluster',
    fileName.startsWith('-') ? `./${fileName}` : fileName,
    ...options.flatMap(([option, valueOf]) => written(option, valueOf(config))),
    ...importOptions.flatMap(([option, valueOf]) => written(option, valueOf(overrides))),
    ...written('--column-type', columnTypes(overrides, columns)),
    ...historyArguments(config),
  ]
}

/**
 * The arguments that repeat a finished run: what was left to `auto` is named as it was carried out, since another
 * variant may part from it at an open point (spec section 3).
 */
export function runCommandLine(record: RunRecord, fileName: string = record.file.name): string[] {
  const { config, engine, device, variant, receipt } = record
  // What went on where another has no such regime was carried out without.
  const regime = config.regime === record.regime ? config.regime : null
  const carriedOut = { ...config, engine, device, variant, regime, workers: workersFor(config, variant) }
  return commandLine(carriedOut, fileName, overridesOf(receipt), receipt.chosenTypes)
}

/** A value that begins with a dash would be taken for an option, unless it hangs on its own. */
function written(option: string, value: Value): string[] {
  if (value === null) return []
  if (value === true) return [option]
  return value.startsWith('-') ? [`${option}=${value}`] : [option, value]
}

function unlessDefault(config: RunConfig, key: keyof RunConfig): string | null {
  return config[key] === defaultRunConfig[key] ? null : String(config[key])
}

function historyArguments({ history, centroidHistory }: RunConfig): string[] {
  if (history) return [centroidHistory ? '--history' : '--history=iterations']
  return centroidHistory ? ['--history=centroids'] : []
}

function quoteName(quote: Dialect['quote'] | undefined): string | null {
  return quote === '' ? noQuote : (quote ?? null)
}

function columnTypes({ columnTypes = {} }: ImportOverrides, columns: readonly Column[]): string | null {
  const cells = columns.flatMap(({ index, name }) => {
    const type = columnTypes[index]
    return type === undefined ? [] : [`${listCell(name)}=${type}`]
  })
  return cells.length === 0 ? null : cells.join(',')
}

/** No column of numbers is said by naming those of texts. */
function featuresText(features: RunConfig['features'], oneHot: RunConfig['oneHot'] = []): string | null {
  if (features === null) return null
  return (features.length > 0 ? features : oneHot).map(listCell).join(',')
}

function columnScalingsText(scalings: readonly NamedScaling[]): string | null {
  if (scalings.length === 0) return null
  return scalings.map(({ column, scaling }) => `${listCell(column)}=${scaling}`).join(',')
}

/** A name within a list: quoted where a comma, an equals sign or a quote would end it early. */
function listCell(name: string): string {
  return /[",=]|^\s|\s$/.test(name) || name === '' ? `"${name.replaceAll('"', '""')}"` : name
}

/** The whole command, as it is pasted into a POSIX shell. */
export function shellLine(args: readonly string[]): string {
  return shellText([programName, ...args])
}

/** Arguments as text for a POSIX shell. */
export function shellText(args: readonly string[]): string {
  return args
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
