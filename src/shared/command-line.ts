import type { Delimiter, ImportOverrides } from './dataset'
import { defaultRunConfig, type RunConfig } from './run-config'

/** How the delimiters that are awkward to type are named on the command line. */
export const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ',': ',',
  '\t': 'tab',
  ';': ';',
  '|': '|',
  ' ': 'space',
}

type Option = readonly [option: string, value: (config: RunConfig) => string | null]

/** One option a field of the configuration; null leaves it out. Data, so that no field is forgotten. */
const options: readonly Option[] = [
  ['-k', (config) => String(config.k)],
  ['--engine', (config) => unlessDefault(config, 'engine')],
  ['--device', (config) => config.device],
  ['--variant', (config) => unlessDefault(config, 'variant')],
  ['--init', (config) => unlessDefault(config, 'init')],
  ['--centroids', (config) => config.centroidsFile],
  ['--seed', (config) => String(config.seed)],
  ['--stop', (config) => unlessDefault(config, 'stop')],
  ['--tolerance', (config) => (config.tolerance === null ? null : String(config.tolerance))],
  ['--max-iterations', (config) => unlessDefault(config, 'maxIterations')],
  ['--n-init', (config) => unlessDefault(config, 'nInit')],
  ['--empty', (config) => unlessDefault(config, 'empty')],
  ['--features', (config) => config.features?.map(listCell).join(',') ?? null],
  ['--scaling', (config) => unlessDefault(config, 'scaling')],
  ['--missing', (config) => unlessDefault(config, 'missing')],
]

/**
 * The arguments of `centroid-lab` that repeat a run: k and seed always, the rest where it differs from the
 * defaults. One argument an entry, not quoted for any shell (`shellText` does that).
 */
export function commandLine(config: RunConfig, fileName: string, overrides: ImportOverrides = {}): string[] {
  const args = ['cluster', fileName.startsWith('-') ? `./${fileName}` : fileName]
  for (const [option, valueOf] of options) {
    const value = valueOf(config)
    if (value !== null) args.push(option, value)
  }
  args.push(...importArguments(overrides))
  if (config.history || config.centroidHistory) args.push('--history')
  return args
}

function importArguments({ delimiter, decimal, header, encoding }: ImportOverrides): string[] {
  const args: string[] = []
  if (delimiter !== undefined) args.push('--delimiter', delimiterNames[delimiter])
  if (decimal !== undefined) args.push('--decimal', decimal)
  if (header === false) args.push('--no-header')
  if (encoding !== undefined) args.push('--encoding', encoding)
  return args
}

function unlessDefault(config: RunConfig, key: keyof RunConfig): string | null {
  return config[key] === defaultRunConfig[key] ? null : String(config[key])
}

/** A name within a comma separated list: quoted where a comma or a quote would end it early. */
function listCell(name: string): string {
  return /[",]|^\s|\s$/.test(name) || name === '' ? `"${name.replaceAll('"', '""')}"` : name
}

/** The arguments as one line for a POSIX shell. */
export function shellText(args: readonly string[]): string {
  return args
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
