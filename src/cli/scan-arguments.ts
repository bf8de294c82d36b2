import type { ImportOverrides } from '@shared/dataset'
import type { NamedColumnType } from '@shared/command-line'
import { invalidArgument } from '@shared/errors'
import { defaultScanIndices, defaultScanRestarts, scanIndices, type ScanConfig } from '@shared/scan'
import { silhouetteExtents } from '@shared/silhouettes'
import type { TextChoice } from '@shared/text-choice'
import { importOverrides, runConfig } from './cluster-arguments'
import { Given, refuseDistances, textChoice } from './given'
import { memoryChoice, type MemoryChoice } from './memory-arguments'
import { clusterOptions, type OptionSpec } from './options'
import type { Tokens } from './tokens'
import { columnTypeList, someOf, someText } from './values'

const defaultRange = { kMin: 2, kMax: 10 }

/** Of `cluster`, what means nothing for many runs. */
const ofOneRun = [
  'k',
  'output',
  'on-device-loss',
  'centroids',
  'n-init',
  'timing',
  'history',
  'steps',
  'labels',
  'profile',
]

export const silhouetteOption: OptionSpec = {
  name: 'silhouette',
  value: silhouetteExtents.join('|'),
  help: 'exact: over every pair at any size; auto: of a sample of 20000 rows where that takes over two seconds (auto)',
}

/** Every option of `scan`, in the order that help shows them. */
export const scanOptions: readonly OptionSpec[] = [
  { name: 'k-min', value: 'N', help: `smallest number of clusters (${defaultRange.kMin})` },
  { name: 'k-max', value: 'N', help: `largest number of clusters (${defaultRange.kMax})` },
  { name: 'n-init', value: 'N', help: `restarts of each k (${defaultScanRestarts})` },
  {
    name: 'indices',
    value: 'LIST',
    help: `beside the inertia: ${scanIndices.join(', ')}, or all or none (all but gap)`,
  },
  silhouetteOption,
  { name: 'output', short: 'o', value: 'DIR', help: 'write scan.csv into this folder' },
  ...clusterOptions.filter(({ name }) => !ofOneRun.includes(name)),
]

/** `scan` as asked for. */
export interface ScanOptions {
  readonly file: string
  readonly overrides: ImportOverrides
  readonly columnTypes: readonly NamedColumnType[]
  readonly config: ScanConfig
  /** Folder for scan.csv. */
  readonly output: string | null
  /** Folder in which finished restarts are kept while it works. */
  readonly checkpoint: string | null
  readonly force: boolean
  readonly memory: MemoryChoice
  readonly text: TextChoice
  readonly json: boolean
}

/** @throws LabError `input` for a value that cannot be, or options that contradict each other. */
export function parseScan({ values, positionals }: Tokens): ScanOptions {
  if (positionals.length !== 1) {
    throw invalidArgument('one data file', 'scan', positionals.length === 0 ? null : positionals.join(' '))
  }
  const given = new Given(values)
  refuseDistances(given)
  return {
    file: someText(positionals[0], 'scan', 'one data file'),
    overrides: importOverrides(given),
    columnTypes: given.value('column-type', (text) => columnTypeList(text, '--column-type')) ?? [],
    config: scanConfig(given),
    output: given.text('output', 'a folder') ?? null,
    checkpoint: given.text('checkpoint', 'a folder') ?? null,
    force: values.has('force'),
    memory: memoryChoice(given),
    text: textChoice(given),
    json: values.has('json'),
  }
}

function scanConfig(given: Given): ScanConfig {
  const kMin = given.whole('k-min', 1) ?? Math.min(defaultRange.kMin, given.whole('k-max', 1) ?? Infinity)
  const kMax = given.whole('k-max', 1) ?? Math.max(defaultRange.kMax, kMin)
  return {
    run: { ...runConfig(given, false), nInit: 1 },
    ...{ kMin, kMax },
    restarts: given.whole('n-init', 1) ?? defaultScanRestarts,
    indices: given.value('indices', (text) => someOf(text, '--indices', scanIndices)) ?? defaultScanIndices,
    silhouette: given.word('silhouette', silhouetteExtents) ?? 'auto',
  }
}
