import type { NamedColumnType } from '@shared/command-line'
import { missingPolicies, scalings, type ImportOverrides } from '@shared/dataset'
import { invalidArgument } from '@shared/errors'
import { defaultRunConfig, type PreparationChoice } from '@shared/run-config'
import { silhouetteExtents, type SilhouetteExtent } from '@shared/silhouettes'
import { columnChoices, importOverrides } from './cluster-arguments'
import { Given, refuseDistances } from './given'
import {
  columnTypeOption,
  distanceOptions,
  help,
  importOptions,
  json,
  preparationOptions,
  type OptionSpec,
} from './options'
import { silhouetteOption } from './scan-arguments'
import type { Tokens } from './tokens'
import { columnTypeList, nameList, someText } from './values'

/** Every option of `judge`, in the order that help shows them. */
export const judgeOptions: readonly OptionSpec[] = [
  {
    name: 'labels',
    value: 'COLUMN|FILE',
    help: 'the cluster of each row: a column of the data, or a file with a column cluster, such as labels.csv',
  },
  { name: 'truth', value: 'COLUMN', help: 'known classes, to be compared with the clusters' },
  silhouetteOption,
  { name: 'seed', value: 'N', help: 'seed of the sample (1)' },
  ...preparationOptions,
  ...distanceOptions,
  ...importOptions,
  columnTypeOption,
  json,
  help,
]

/** `judge` as asked for. */
export interface JudgeOptions {
  readonly file: string
  readonly overrides: ImportOverrides
  readonly columnTypes: readonly NamedColumnType[]
  /** A column of the data, else a file. */
  readonly labels: string
  readonly truth: string | null
  readonly choice: PreparationChoice
  readonly extent: SilhouetteExtent
  readonly seed: number
  readonly json: boolean
}

/** @throws LabError `input` for a value that cannot be, or where the labels are not named. */
export function parseJudge({ values, positionals }: Tokens): JudgeOptions {
  if (positionals.length !== 1) {
    throw invalidArgument('one data file', 'judge', positionals.length === 0 ? null : positionals.join(' '))
  }
  const given = new Given(values)
  refuseDistances(given)
  const labels = given.text('labels', 'a column or a file')
  if (labels === undefined) throw invalidArgument('a column or a file', '--labels', null)
  const usual = defaultRunConfig
  return {
    file: someText(positionals[0], 'judge', 'one data file'),
    overrides: importOverrides(given),
    columnTypes: given.value('column-type', (text) => columnTypeList(text, '--column-type')) ?? [],
    labels,
    truth: given.text('truth', 'a column') ?? null,
    choice: {
      features: given.value('features', (text) => nameList(text, '--features')) ?? usual.features,
      missing: given.word('missing', missingPolicies) ?? usual.missing,
      scaling: given.word('scaling', scalings) ?? usual.scaling,
      ...columnChoices(given),
    },
    extent: given.word('silhouette', silhouetteExtents) ?? 'auto',
    seed: given.whole('seed', 0) ?? usual.seed,
    json: values.has('json'),
  }
}
