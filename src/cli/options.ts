import { languages } from '@shared/locale/languages'
import { historyNames, labelFiles, modelFiles, noQuote, reportFiles } from '@shared/command-line'
import {
  columnScalings,
  encodings,
  formats,
  givenTypes,
  maxOneHotValues,
  missingPolicies,
  scalings,
} from '@shared/dataset'
import { defaultGeneratorSpec, generatorFormats } from '@shared/generator'
import { exportDialects } from '@shared/text-choice'
import { emptyPolicies, initMethods, stopRules, timingLevels } from '@shared/run-config'
import { float64VariantNames, precisions } from '@shared/precision'
import { engineIds } from '@shared/variant'
import { defaultWorkers, maxWorkers, workersVariant } from '@shared/workers'
import { lossPolicies } from '@shared/device-loss'

/** One option as it is parsed and as help shows it. */
export interface OptionSpec {
  /** Without dashes. */
  readonly name: string
  readonly short?: string
  /** What stands for the value in help; null for a switch. */
  readonly value: string | null
  /** The value may be left out, and hangs on an equals sign where it is not: `--history=iterations`. */
  readonly optional?: true
  readonly help: string
}

/** In words where a bar is part of a value. */
export function choice(values: readonly string[]): string {
  if (!values.some((value) => value.includes('|'))) return values.join('|')
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

export const json: OptionSpec = {
  name: 'json',
  value: null,
  help: 'print one JSON object on standard output, or what failed as one on standard error',
}
export const help: OptionSpec = { name: 'help', short: 'h', value: null, help: 'show this text' }

/** How a data file is read. */
export const importOptions: readonly OptionSpec[] = [
  {
    name: 'format',
    value: choice(formats),
    help: 'instead of the detected one; headed is N, d, k, then points',
  },
  { name: 'delimiter', value: 'C', help: 'one of , ; | tab space instead of the detected one' },
  { name: 'quote', value: `C|${noQuote}`, help: 'quote character, " or \', instead of the detected one' },
  { name: 'decimal', value: 'C', help: 'decimal mark, . or , instead of the detected one' },
  { name: 'header', value: null, help: 'the first row holds the names' },
  { name: 'no-header', value: null, help: 'the first row holds data' },
  {
    name: 'title-rows',
    value: 'N',
    help: 'rows above the header, or the data, that are a title; 0 for none',
  },
  { name: 'encoding', value: choice(encodings), help: 'instead of the detected one' },
]

export const columnTypeOption: OptionSpec = {
  name: 'column-type',
  value: 'NAME=TYPE[,NAME=TYPE...]',
  help: `by name, or as 'column 3': ${givenTypes.join(', ')}`,
}

/** Euclidean is the only one; whoever asks for another is told why. */
export const distanceOptions: readonly OptionSpec[] = [
  { name: 'distance', value: 'euclidean', help: 'the only one whose centres are means; others are refused' },
  { name: 'metric', value: 'euclidean', help: 'the same as --distance' },
]

/** From which start. */
export const startOptions: readonly OptionSpec[] = [
  { name: 'centroids', value: 'FILE', help: 'initial centroids from a CSV; means --init file' },
  { name: 'seed', value: 'N', help: 'seed of the random choices (1)' },
]

/** When a run ends. */
export const limitOptions: readonly OptionSpec[] = [
  { name: 'tolerance', value: 'X', help: "the stop rule's tolerance (1e-4; 0 for labels)" },
  { name: 'max-iterations', value: 'N', help: 'iteration limit (300)' },
]

export const emptyOption: OptionSpec = {
  name: 'empty',
  value: choice(emptyPolicies),
  help: 'what to do with an empty cluster (keep)',
}

export const neutraliseOption: OptionSpec = {
  name: 'neutralise-formulas',
  value: null,
  help: 'with -o: texts that a spreadsheet would take for formulas get an apostrophe',
}

/** What a report is written in; the program itself speaks English there. */
export const languageOption: OptionSpec = {
  name: 'language',
  value: choice(languages),
  help: 'with --report: language of the report (en)',
}

export const dialectOption: OptionSpec = {
  name: 'dialect',
  value: choice(exportDialects),
  help: 'with -o: cell separator of its tables; semicolon also writes decimal commas (comma)',
}

/** What of the rows is clustered. */
export const preparationOptions: readonly OptionSpec[] = [
  { name: 'features', value: 'a,b,c', help: 'columns to cluster on (the numeric ones that are proposed)' },
  {
    name: 'one-hot',
    value: 'a,b',
    help: `columns of texts that become a feature a text, at most ${maxOneHotValues} a column`,
  },
  { name: 'scaling', value: choice(scalings), help: 'scaling of the features (none)' },
  {
    name: 'column-scaling',
    value: 'NAME=SCALING[,NAME=SCALING...]',
    help: `of single features instead of --scaling: ${columnScalings.join(', ')}`,
  },
  {
    name: 'filter',
    value: 'CONDITIONS',
    help: 'rows to cluster, e.g. "height > 1.5 and (class = a or class in (b, c))"; also between, contains, is missing',
  },
  { name: 'missing', value: choice(missingPolicies), help: 'rows with missing cells (drop)' },
]

export const workersOption: OptionSpec = {
  name: 'workers',
  value: 'N',
  help: `workers of the variant ${workersVariant}, 1 to ${maxWorkers} (${defaultWorkers})`,
}

export const precisionOption: OptionSpec = {
  name: 'precision',
  value: choice(precisions),
  help: `of points and centroids; float64 with the variants ${float64VariantNames} (float32)`,
}

/** What a run may take of the machine. */
export const memoryOptions: readonly OptionSpec[] = [
  {
    name: 'memory-limit',
    value: 'SIZE',
    help: 'memory to take at most, such as 512M or 4G; larger data lie in a scratch file (what is free)',
  },
  { name: 'device-memory', value: 'SIZE', help: "of a GPU's memory, what to take at most (what is free)" },
  { name: 'scratch', value: 'DIR', help: 'folder on a disk for scratch files (in the cache folder)' },
]

/** Every option of `cluster` (spec section 7), in the order that help shows them. */
export const clusterOptions: readonly OptionSpec[] = [
  {
    name: 'k',
    short: 'k',
    value: 'N',
    help: 'number of clusters (a headed file or --centroids may give it)',
  },
  {
    name: 'output',
    short: 'o',
    value: 'DIR',
    help: 'write centroids.csv, labels.csv and run.json into this folder',
  },
  {
    name: 'engine',
    value: choice(['auto', ...engineIds]),
    help: 'where to compute; auto picks the fastest here',
  },
  {
    name: 'device',
    value: 'ID',
    help: 'device of the engine (see `centroid-lab engines`); of CUDA several: cuda:0,cuda:1 or all',
  },
  {
    name: 'on-device-loss',
    value: choice(lossPolicies),
    help: 'when a device is lost: stop, or continue with the next best engine (asks; stop without a terminal)',
  },
  {
    name: 'checkpoint',
    value: 'DIR',
    help: 'keep checkpoints of the run in this folder; the same command resumes it',
  },
  { name: 'variant', value: 'NAME', help: 'auto, or a variant that `centroid-lab engines` lists' },
  {
    name: 'regime',
    value: 'NAME',
    help: 'regime of the variant, see `centroid-lab engines --regimes` (planned)',
  },
  workersOption,
  precisionOption,
  ...memoryOptions,
  {
    name: 'init',
    value: choice(initMethods),
    help: 'initial centroids; random-box draws coordinates, the others rows (k-means++)',
  },
  ...startOptions,
  { name: 'stop', value: choice(stopRules), help: 'stop rule (relative-shift)' },
  ...limitOptions,
  { name: 'n-init', value: 'N', help: 'restarts, of which the best is kept (1)' },
  emptyOption,
  ...distanceOptions,
  ...preparationOptions,
  {
    name: 'timing',
    value: choice(timingLevels),
    help: 'how finely to time; finer synchronises more (phases)',
  },
  ...importOptions,
  columnTypeOption,
  {
    name: 'history',
    value: choice(historyNames),
    optional: true,
    help: 'keep every iteration, or one part of it; -o writes history.csv, history-centroids.csv',
  },
  {
    name: 'steps',
    value: 'N',
    help: 'with -o: write points and centroids of the first N iterations as pairs of files',
  },
  {
    name: 'labels',
    value: choice(labelFiles),
    help: 'with -o: labels.csv, labels.npy (int32, -1 for rows left out), or both (csv)',
  },
  {
    name: 'models',
    value: 'LIST',
    help: `with -o: the clustering as a model, of ${modelFiles.join(', ')}, or all`,
  },
  {
    name: 'report',
    value: choice(reportFiles),
    help: 'with -o: write report.html, one page to hand over, report.md, or both',
  },
  languageOption,
  {
    name: 'profile',
    value: null,
    help: 'with -o: write profile.csv, what each cluster is like in each feature',
  },
  dialectOption,
  { ...neutraliseOption, help: `${neutraliseOption.help}; labels.csv keeps its cells` },
  { name: 'force', value: null, help: 'replace files that exist' },
  json,
  help,
]

export const enginesOptions: readonly OptionSpec[] = [json, help]

const made = defaultGeneratorSpec

/** Every option of `generate` (spec section 7). */
export const generateOptions: readonly OptionSpec[] = [
  { name: 'n', short: 'n', value: 'N', help: `points (${made.n})` },
  { name: 'd', short: 'd', value: 'D', help: `features (${made.d})` },
  {
    name: 'k',
    short: 'k',
    value: 'K',
    help: `blobs (${made.k}) or rings (3); what a headed file names as its k`,
  },
  {
    name: 'width',
    value: 'W',
    help: `extent of the first feature, and of all but the second (${made.width})`,
  },
  { name: 'height', value: 'H', help: `extent of the second feature (${made.height})` },
  {
    name: 'spread',
    value: 'X',
    help: `deviation of a blob, thickness of a ring or moon, as a share of the width (${made.spread}; rings 0.015, moons 0.03)`,
  },
  {
    name: 'imbalance',
    value: 'X',
    help: '0 for groups of one size, towards 1 they shrink geometrically (0)',
  },
  { name: 'noise', value: 'X', help: 'share of the points that lie anywhere (0)' },
  { name: 'duplicates', value: 'X', help: 'share of the points that repeat an earlier one exactly (0)' },
  { name: 'seed', value: 'N', help: `seed; the same one gives the same rows everywhere (${made.seed})` },
  {
    name: 'format',
    value: choice(generatorFormats),
    help: 'csv with a header row, or N, d, k and then the points (csv)',
  },
  { name: 'output', short: 'o', value: 'FILE', help: 'the file to write' },
  { name: 'force', value: null, help: 'replace a file that exists' },
  json,
  help,
]

/** Options that stand without a command. */
export const plainOptions: readonly OptionSpec[] = [
  help,
  { name: 'version', value: null, help: 'show the version' },
]

/** `-k` for an option with a short form only, else `--name`. */
export function flagOf({ name, short }: OptionSpec): string {
  return name === short ? `-${name}` : `--${name}`
}
