import { invalidArgument } from '@shared/errors'
import { parseBench, type BenchOptions } from './bench-arguments'
import { benchOptions } from './bench-options'
import { parseCluster, type ClusterOptions } from './cluster-arguments'
import { parseGenerate, type GenerateOptions } from './generate-arguments'
import { completionsOptions, parseCompletions, type Shell } from './completions-arguments'
import { clusterOptions, enginesOptions, generateOptions, help, plainOptions } from './options'
import { parsePredict, predictOptions, type PredictOptions } from './predict-arguments'
import { judgeOptions, parseJudge, type JudgeOptions } from './judge-arguments'
import { parseRegimes, regimesOptions, type RegimesQuestion } from './regimes-arguments'
import { parseScan, scanOptions, type ScanOptions } from './scan-arguments'
import { tokenise } from './tokens'
import { parseVerify, verifyOptions, type VerifyOptions } from './verify-arguments'

export const commands = [
  'cluster',
  'scan',
  'judge',
  'predict',
  'verify',
  'generate',
  'bench',
  'engines',
  'completions',
  'manual',
] as const
export type CommandName = (typeof commands)[number]

/** What the arguments ask for. */
export type Command =
  | { readonly kind: 'cluster'; readonly options: ClusterOptions }
  | { readonly kind: 'predict'; readonly options: PredictOptions }
  | { readonly kind: 'verify'; readonly options: VerifyOptions }
  | { readonly kind: 'scan'; readonly options: ScanOptions }
  | { readonly kind: 'judge'; readonly options: JudgeOptions }
  | { readonly kind: 'generate'; readonly options: GenerateOptions }
  | { readonly kind: 'bench'; readonly options: BenchOptions }
  | { readonly kind: 'engines'; readonly json: boolean }
  | { readonly kind: 'regimes'; readonly question: RegimesQuestion }
  | { readonly kind: 'completions'; readonly shell: Shell }
  | { readonly kind: 'manual' }
  /** `centroid-lab DATA.csv`: the window with the file loaded; with none (null) where nothing is said at all. */
  | { readonly kind: 'open'; readonly file: string | null }
  | { readonly kind: 'help'; readonly about: CommandName | null }
  | { readonly kind: 'version' }

/** @throws LabError `input` with one sentence for whatever is not understood. */
export function parseArguments(argv: readonly string[]): Command {
  const [first, ...rest] = argv
  if (first === 'cluster') return parseClusterCommand(rest)
  if (first === 'predict') return parsePredictCommand(rest)
  if (first === 'verify') return parseVerifyCommand(rest)
  if (first === 'scan') return parseScanCommand(rest)
  if (first === 'judge') return parseJudgeCommand(rest)
  if (first === 'generate') return parseGenerateCommand(rest)
  if (first === 'bench') return parseBenchCommand(rest)
  if (first === 'engines') return parseEngines(rest)
  if (first === 'completions') return parseCompletionsCommand(rest)
  if (first === 'manual') return parseManual(rest)
  if (first === undefined) return { kind: 'open', file: null }
  if (first.startsWith('-')) return parsePlain(argv)
  return parseOpen(first, rest)
}

function parseClusterCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, clusterOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'cluster' }
  return { kind: 'cluster', options: parseCluster(tokens) }
}

function parsePredictCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, predictOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'predict' }
  return { kind: 'predict', options: parsePredict(tokens) }
}

function parseVerifyCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, verifyOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'verify' }
  return { kind: 'verify', options: parseVerify(tokens) }
}

function parseScanCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, scanOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'scan' }
  return { kind: 'scan', options: parseScan(tokens) }
}

function parseJudgeCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, judgeOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'judge' }
  return { kind: 'judge', options: parseJudge(tokens) }
}

function parseGenerateCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, generateOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'generate' }
  return { kind: 'generate', options: parseGenerate(tokens) }
}

function parseBenchCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, benchOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'bench' }
  return { kind: 'bench', options: parseBench(tokens) }
}

function parseCompletionsCommand(args: readonly string[]): Command {
  const tokens = tokenise(args, completionsOptions)
  if (tokens.values.has('help')) return { kind: 'help', about: 'completions' }
  return { kind: 'completions', shell: parseCompletions(tokens) }
}

function parseManual(args: readonly string[]): Command {
  const { values, positionals } = tokenise(args, [help])
  if (values.has('help')) return { kind: 'help', about: 'manual' }
  if (positionals.length > 0) throw invalidArgument('no argument', 'manual', positionals[0])
  return { kind: 'manual' }
}

function parseEngines(args: readonly string[]): Command {
  const { values, positionals } = tokenise(args, [...enginesOptions, ...regimesOptions])
  if (values.has('help')) return { kind: 'help', about: 'engines' }
  if (positionals.length > 0) throw invalidArgument('no argument', 'engines', positionals[0])
  const question = parseRegimes(values)
  if (question !== null) return { kind: 'regimes', question }
  return { kind: 'engines', json: values.has('json') }
}

function parsePlain(argv: readonly string[]): Command {
  const { values } = tokenise(argv, plainOptions)
  if (values.has('help')) return { kind: 'help', about: null }
  if (values.has('version')) return { kind: 'version' }
  throw invalidArgument(`${commands.join(', ')} or a data file (see --help)`, 'the command', null)
}

/** A word without a dot or a folder is a misspelt command sooner than a file. */
function parseOpen(file: string, rest: readonly string[]): Command {
  if (!/[./\\]/.test(file)) {
    throw invalidArgument(`${commands.join(', ')} or a data file`, 'the command', file)
  }
  const { positionals } = tokenise(rest, [])
  if (positionals.length > 0) {
    throw invalidArgument('one data file', 'the window', `${positionals.length + 1} of them`)
  }
  return { kind: 'open', file }
}
