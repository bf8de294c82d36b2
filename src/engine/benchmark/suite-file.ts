import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import * as v from 'valibot'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { benchmarkFileNames } from '@shared/benchmark/requests'
import type { Suite, SuiteCase } from '@shared/benchmark/suite'
import { withFiles } from '@shared/benchmark/suite-paths'
import { LabError } from '@shared/errors'
import { tablesIn } from '../csv/tables-in-folder'
import { writeAtomically, type AtomicOptions } from '../export/atomic-file'
import { runFormat } from '../export/run-document'
import { documentSchema } from './document-schema'
import { namedByFiles } from './loaded-files'
import { configKeys, suiteSchema } from './suite-schema'
import { withoutDistances } from './suite-distance'

/** What a file of ours asks for: a comparison to begin, or one to go on with. */
export type Comparison =
  | { readonly kind: 'suite'; readonly suite: Suite }
  | { readonly kind: 'document'; readonly document: BenchmarkDocument }

/**
 * Reads a SUITE.json or a benchmark.json. Files are named relative to its folder and answered as full paths; a
 * `file` dataset that is a folder stands for every table in it, each with the same k.
 * @throws LabError `io` when it cannot be read, `input` for what is neither, with the place in the file
 */
export async function readComparison(path: string): Promise<Comparison> {
  const value = parsed(path, await textOf(path))
  if (!isObject(value) || !('suite' in value || 'cases' in value)) throw noComparison(path, value)
  const euclidean = withoutDistances(path, value)
  if (!('suite' in value))
    return { kind: 'suite', suite: await completed(checked(suiteSchema, path, euclidean), path) }
  const document = checked(documentSchema, path, euclidean)
  const named = namedByFiles(document)
  return { kind: 'document', document: { ...named, suite: withFullPaths(named.suite, path) } }
}

/** `readComparison` for who wants a suite; of a benchmark.json its suite. */
export async function readSuiteFile(path: string): Promise<Suite> {
  const comparison = await readComparison(path)
  return comparison.kind === 'suite' ? comparison.suite : comparison.document.suite
}

/**
 * Writes a SUITE.json; files below its folder are named relative to it, so that both can move together.
 * @throws LabError `export.*`, `cancelled`; `input` for a dataset that is loaded and not named by a file
 */
export async function writeSuite(
  suite: Suite,
  path: string,
  options: AtomicOptions,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const loaded = suite.cases.find(({ dataset }) => dataset.kind === 'loaded')
  if (loaded !== undefined) {
    const message = `${loaded.dataset.name} is loaded and has no path in the suite, so ${basename(path)} cannot name it: choose its file as a dataset.`
    throw new LabError('input', 'suite.loaded', message)
  }
  const named = withFiles(suite, (file) => nearName(file, dirname(resolve(path))))
  return writeAtomically(path, options, (sink) => sink.write(`${JSON.stringify(named, null, 2)}\n`))
}

function nearName(file: string, folder: string): string {
  const near = relative(folder, file)
  return near === '' || near.startsWith('..') || isAbsolute(near) ? file : near.split(sep).join('/')
}

function withFullPaths(suite: Suite, path: string): Suite {
  return withFiles(suite, (name) => resolve(dirname(path), name))
}

/** With full paths, and tables in the place of folders. */
async function completed(relativeSuite: Suite, path: string): Promise<Suite> {
  const suite = withFullPaths(relativeSuite, path)
  const cases = (await Promise.all(suite.cases.map(tablesOf))).flat()
  const names = cases.map(({ dataset }) => dataset.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return { ...suite, cases }
  const message = `${path} names the dataset '${twice}' twice: give each another name.`
  throw new LabError('input', 'suite.twice', message)
}

async function tablesOf(one: SuiteCase): Promise<readonly SuiteCase[]> {
  const { dataset } = one
  if (dataset.kind !== 'file') return [one]
  const isFolder = await stat(dataset.path).then(
    (facts) => facts.isDirectory(),
    // What is missing is reported when it is to be read, with what else is known of it.
    () => false,
  )
  if (!isFolder) return [one]
  const tables = await tablesIn(dataset.path)
  return tables.map((table) => ({
    ...one,
    dataset: { ...dataset, path: table, name: `${dataset.name}/${basename(table)}` },
  }))
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error)
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const message = `${path} ${missing ? 'does not exist' : 'cannot be read'}: choose another suite file.`
    throw new LabError('io', 'suite.unreadable', message, details)
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error)
    const [, line, column] = /line (\d+) column (\d+)/.exec(details) ?? []
    const where = line === undefined ? '' : ` (line ${line}, column ${column})`
    const message = `${path} is no JSON document${where}: choose a suite that Centroid Lab wrote.`
    throw new LabError('input', 'suite.no-json', message, details)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Neither begun nor to be begun: most likely another file of ours. */
function noComparison(path: string, value: unknown): LabError {
  const isRun = isObject(value) && 'format' in value && value.format === runFormat.format
  const what = isRun ? 'is the record of one clustering and no comparison' : 'holds no comparison'
  const message = `${path} ${what}: choose a ${benchmarkFileNames.document} or a suite that Centroid Lab wrote.`
  return new LabError('input', 'suite.other-file', message)
}

function checked<T>(schema: v.GenericSchema<unknown, T>, path: string, value: unknown): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const issue = result.issues[0]
  if (issue.expected === 'never') throw unknownKey(path, issue)
  const expected = issue.type === 'check' ? issue.message : (issue.expected ?? 'another value')
  const at = v.getDotPath(issue)
  const where = at === null ? '' : ` at ${at}`
  // A check of several values together names what is wrong itself: the whole suite would say nothing.
  const received =
    isObject(issue.input) && issue.type === 'check' ? '' : ` but received ${shown(issue.input)}`
  const message = `Expected ${expected}${where} in ${path}${received}.`
  throw new LabError('input', 'suite.invalid', message)
}

/** A key that nothing knows where it stands; of a configuration's own it is said where they belong. */
function unknownKey(path: string, issue: v.BaseIssue<unknown>): LabError {
  const keys = v.getDotPath(issue)?.split('.') ?? []
  const key = keys.at(-1) ?? 'of it'
  const above = keys.length > 1 ? ` of ${keys.slice(0, -1).join('.')}` : ''
  const isMisplaced = keys.length === 1 && configKeys.includes(key)
  const todo = isMisplaced ? 'write it below config' : 'take it out, or correct its name'
  const message = `${path} has an unknown key ${key}${above}: ${todo}.`
  return new LabError('input', 'suite.invalid', message)
}

/** A value in few characters. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
