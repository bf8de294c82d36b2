/** The patterns by which the window says the engine's sentences in other languages are what the engine says, and all that it says. */
import { expect, it } from 'vitest'
import { matchingMessage } from '@shared/locale/localized-sentence'
import english from '@shared/locales/en'
import { textsOf, type SourceText } from './sentences-in-source'

const texts = textsOf(['src/engine/**/*.ts', 'src/shared/**/*.ts', 'src/main/**/*.ts', 'kernels/**/*.ts'])

const areas = [
  english.sentences,
  english['sentences-benchmark'],
  english['sentences-data'],
  english['sentences-engine'],
  english['sentences-published'],
  english['sentences-regimes'],
]

/** Made of parts, each of which stands in the engine: a sentence with or without what follows it. */
const assembled = new Set([
  '{0} cells are numbers{1}{2}.',
  '{0} cells are numbers{1}{2}. {3}',
  'One line was taken for a title above it. {0}',
  '{0} lines were taken for a title above it. {1}',
  // Of a cell of a comparison that is not run, in its place of the table.
  '{0} predicted {1}',
  'the limit of a cell is {0}',
  'Row {0}: {1}.',
  'Row {0}: {1}. {2}',
  'The column {0} of {1} has no classes to count{2}: choose a column of texts that repeat, or give it the type categorical.',
  "Column {0} is called '{1}', because an earlier one is named '{2}' too. {3}",
])

it('every pattern is a sentence of the engine, word for word', () => {
  const said = new Set(texts.map(({ message }) => message))
  const unknown = areas
    .flatMap((area) => Object.values<string>(area))
    .filter((message) => !said.has(message) && !assembled.has(message))
  expect(unknown).toEqual([])
})

/** Texts in these files are read by no person in the window, or have a language by another way. */
const others: readonly (readonly [RegExp, why: string])[] = [
  [
    /^src\/engine\/(export\/(python-script|models)|session\/session-file)/,
    'code and notes in files, which are English',
  ],
  [/^src\/engine\/run-file\/run-schema\.ts/, 'the JSON schema, which is a file'],
  [
    /^src\/engine\/export\/(page|report|benchmark\/report)\//,
    'mark-up; its words come from the report messages',
  ],
  [/^src\/engine\/export\/benchmark\//, 'the workbook'],
  [
    /^src\/engine\/formats\/(arrow|npy|parquet)\/|formats\/read-at/,
    'details of a damaged file, for whoever looks into it',
  ],
  [/^src\/engine\/host\/framing\.ts/, 'details of a fault between two processes'],
  [/^src\/shared\/row-filter\/filter-text\.ts/, 'the language of filters'],
  [/^src\/shared\/quantity-words\.ts/, 'units of time and size, which have no language'],
  [/^src\/main\/(app-scheme|security|state-files)\.ts/, 'headers, code and logs'],
  [/^src\/engine\/csv\/names\.ts/, 'names that columns without a name get'],
]

/** Code, keys and names of works, and what no person can bring about. */
const noSentences = new Set([
  'Di Dio; MineBench in Dhanasekaran & Rubin',
  'all studies',
  'Sort and reduce',
  'Expected an outside system but received {0}',
  'Expected every case of {0} to be handled but received {1}',
  'Expected the parts of a comparison but received none',
  'WebGPU (Dawn, npm webgpu)',
  'const {0} = {1}u;',
  'did not self-register',
  'join of conditions',
  'key of a table',
  'rank {0} of {1} values',
  'while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf -- "$2"',
  '{ [native code] }',
  'dataset {0}',
  // Names of generated data, by which results are found, and of the systems of a study.
  'GPU only over hybrid',
  'GPU only over MineBench',
  '{0} million words, d {1}',
  '{0} points',
  '{0} points, d {1}',
  'three blobs of 4 points',
  '100 points (fewer than 512 workers)',
  '513 points (one more than the workers)',
  'a line of 1000 points (not a multiple of 512)',
  '60 points, most of them repeated (empty clusters)',
  'Ratio data',
])

/** Names of variants are those of the studies, in every language; names of units are keys of messages. */
const isName = ({ path, message }: SourceText): boolean =>
  (path.endsWith('/variant.ts') && !message.endsWith('.')) || message in english.units

const isWords = (text: string): boolean =>
  !text.startsWith('\n') && /[a-z]{2,} [a-z]{2,}|[a-z]{3,} \{|\} [a-z]{3,}|[.:] [a-z]/.test(text)

/** Is all of a sentence said by messages, what is put into another included? */
function isSaid(text: string): boolean {
  const found = matchingMessage(text)
  return found !== null && found.args.every(({ text: arg }) => !/[a-z]{2,}/.test(arg) || isSaid(arg))
}

it('every sentence of the engine, of the system and of kernels is a pattern', () => {
  const unsaid = texts
    .filter(({ path }) => !others.some(([files]) => files.test(path)))
    .filter((text) => isWords(text.message) && !noSentences.has(text.message) && !isName(text))
    .filter(({ message }) => !isSaid(message))
  expect(unsaid.map(({ path, message }) => `${path}: ${message}`)).toEqual([])
})
