import { invalidArgument, LabError } from '@shared/errors'
import {
  defaultSpecOf,
  generatorFormats,
  generatorNumbers,
  generatorShapes,
  heeds,
  type GeneratorFormat,
  type GeneratorNumber,
  type GeneratorShape,
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
  const format = oneOf(values.get('format') ?? 'csv', '--format', generatorFormats)
  const given = givenFields(values)
  for (const field of generatorNumbers) {
    if (given[field] !== undefined && !heeds(field, shape, format)) throw withoutEffect(field, shape)
  }
  const spec = { ...defaultSpecOf(shape), ...given }
  validateGeneratorSpec(spec)
  const output = values.get('output')
  if (output === undefined) throw invalidArgument('a file', '-o', null)
  return {
    spec,
    format,
    output: someText(output, '-o', 'a file'),
    force: values.has('force'),
    json: values.has('json'),
  }
}

function withoutEffect(field: GeneratorNumber, shape: GeneratorShape): LabError {
  const others = generatorShapes.filter((other) => heeds(field, other, 'csv')).join(', ')
  const elsewhere = field === 'k' ? `${others} or --format headed` : others
  const option = field.length === 1 ? `-${field}` : `--${field}`
  const message = `${option} has no effect on ${shape}: leave it out, or choose ${elsewhere}.`
  return new LabError('input', 'generate.no-effect', message)
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
} satisfies Record<GeneratorNumber, (text: string) => number>

function givenFields(values: Tokens['values']): Partial<GeneratorSpec> {
  const given = Object.entries(readers).flatMap(([field, read]) => {
    const text = values.get(field)
    return text === undefined ? [] : [[field, read(text)] as const]
  })
  return Object.fromEntries(given)
}
