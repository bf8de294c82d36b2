import { invalidArgument } from '@shared/errors'
import { engineIds, type EngineId } from '@shared/variant'
import { Given } from './given'
import { choice, help, json, memoryOptions, type OptionSpec } from './options'
import { memoryChoice, type MemoryChoice } from './memory-arguments'
import type { Tokens } from './tokens'
import { someText } from './values'

/** Every option of `verify` (spec section 7). */
export const verifyOptions: readonly OptionSpec[] = [
  {
    name: 'data',
    value: 'FILE',
    help: 'the data file, where it is neither beside run.json nor in this folder',
  },
  {
    name: 'engine',
    value: choice(engineIds),
    help: 'where to compute, instead of where it was computed',
  },
  ...memoryOptions,
  json,
  help,
]

/** `verify` as asked for. */
export interface VerifyOptions {
  /** A run.json. */
  readonly file: string
  readonly data: string | null
  readonly engine: EngineId | null
  readonly memory: MemoryChoice
  readonly json: boolean
}

/** @throws LabError `input` for a value that cannot be. */
export function parseVerify({ values, positionals }: Tokens): VerifyOptions {
  if (positionals.length !== 1) {
    throw invalidArgument('one run.json', 'verify', positionals.length === 0 ? null : positionals.join(' '))
  }
  const given = new Given(values)
  return {
    file: someText(positionals[0], 'verify', 'one run.json'),
    data: given.text('data', 'a file') ?? null,
    engine: given.word('engine', engineIds) ?? null,
    memory: memoryChoice(given),
    json: values.has('json'),
  }
}
