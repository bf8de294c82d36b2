import { invalidArgument } from '@shared/errors'
import {
  defaultSpecOf,
  generatorFormats,
  generatorShapes,
  type GeneratorFormat,
  type GeneratorSpec,
} from '@shared/generator'
import { validateGeneratorSpec } from '@shared/generator-limits'
import type { Tokens } from './tokens'
import { oneOf, positiveNumber, someText, wholeNumber } from './values'

/** `generate` as asked for. */
export interface GenerateOptions {
  readonly spec: GeneratorSpec
  readonly format: GeneratorFormat
  /** File to write. */
  readonly output: string
  readonly force: boolean
  readonly json: boolean
}

/** @throws LabError `input` for a value that cannot be. */
export function parseGenerate({ values, positionals }: Tokens): GenerateOptions {
  if (positionals.length !== 1) {
    throw invalidArgument('one shape', 'generate', positionals.length === 0 ? null : positionals.join(' '))
  }
  const shape = oneOf(positionals[0], 'the shape', generatorShapes)
  const spec = { ...defaultSpecOf(shape), ...givenFields(values) }
  validateGeneratorSpec(spec)
  const output = values.get('output')
  if (output === undefined) throw invalidArgument('a file', '-o', null)
  return {
    spec,
    format: oneOf(values.get('format') ?? 'csv', '--format', generatorFormats),
    output: someText(output, '-o', 'a file'),
    force: values.has('force'),
    json: values.has('json'),
  }
}

const readers = {
  n: (text) => wholeNumber(text, '-n', 1),
  d: (text) => wholeNumber(text, '-d', 1),
  k: (text) => wholeNumber(text, '-k', 1),
  width: (text) => positiveNumber(text, '--width'),
  height: (text) => positiveNumber(text, '--height'),
  spread: (text) => positiveNumber(text, '--spread'),
  imbalance: (text) => positiveNumber(text, '--imbalance'),
  noise: (text) => positiveNumber(text, '--noise'),
  duplicates: (text) => positiveNumber(text, '--duplicates'),
  seed: (text) => wholeNumber(text, '--seed', 0),
} satisfies Record<Exclude<keyof GeneratorSpec, 'shape'>, (text: string) => number>

function givenFields(values: Tokens['values']): Partial<GeneratorSpec> {
  const given = Object.entries(readers).flatMap(([field, read]) => {
    const text = values.get(field)
    return text === undefined ? [] : [[field, read(text)] as const]
  })
  return Object.fromEntries(given)
}
