import type { NamedColumnType } from '@shared/command-line'
import type { ImportOverrides } from '@shared/dataset'
import { invalidArgument } from '@shared/errors'
import type { TextChoice } from '@shared/text-choice'
import { importOverrides } from './cluster-arguments'
import { Given, textChoice } from './given'
import { memoryChoice, type MemoryChoice } from './memory-arguments'
import {
  columnTypeOption,
  dialectOption,
  help,
  importOptions,
  json,
  memoryOptions,
  type OptionSpec,
} from './options'
import type { Tokens } from './tokens'
import { columnTypeList, someText } from './values'

/** Every option of `predict` (spec section 7). */
export const predictOptions: readonly OptionSpec[] = [
  {
    name: 'model',
    value: 'FILE',
    help: 'the run.json of the clustering whose centroids are kept, or a session (.clab)',
  },
  {
    name: 'run',
    value: 'NAME',
    help: 'of a session with several runs: the number of the run, or its note',
  },
  {
    name: 'output',
    short: 'o',
    value: 'FILE',
    help: 'write the columns of DATA, then cluster and distance, into this file',
  },
  ...importOptions,
  columnTypeOption,
  { ...dialectOption, help: dialectOption.help.replace('its tables', 'the file') },
  ...memoryOptions,
  { name: 'force', value: null, help: 'replace a file that exists' },
  json,
  help,
]

/** `predict` as asked for. */
export interface PredictOptions {
  readonly file: string
  readonly model: string
  /** Which run of a session; null where it has one alone. */
  readonly run: string | null
  readonly overrides: ImportOverrides
  readonly columnTypes: readonly NamedColumnType[]
  readonly output: string | null
  readonly text: TextChoice
  readonly memory: MemoryChoice
  readonly force: boolean
  readonly json: boolean
}

/** @throws LabError `input` for a value that cannot be. */
export function parsePredict({ values, positionals }: Tokens): PredictOptions {
  if (positionals.length !== 1) {
    throw invalidArgument('one data file', 'predict', positionals.length === 0 ? null : positionals.join(' '))
  }
  const given = new Given(values)
  const model = given.text('model', 'a run.json or a session')
  if (model === undefined) throw invalidArgument('a run.json or a session', '--model', null)
  return {
    file: someText(positionals[0], 'predict', 'one data file'),
    model,
    run: given.text('run', 'the number or the note of a run') ?? null,
    overrides: importOverrides(given),
    columnTypes: given.value('column-type', (text) => columnTypeList(text, '--column-type')) ?? [],
    output: given.value('output', (text) => someText(text, '-o', 'a file')) ?? null,
    text: textChoice(given),
    memory: memoryChoice(given),
    force: values.has('force'),
    json: values.has('json'),
  }
}
