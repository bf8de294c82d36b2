import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { changeSuite } from '@engine/benchmark/change-suite'
import { dataSuite } from '@engine/benchmark/data-suite'
import { presets } from '@engine/benchmark/presets'
import { scaleSuite } from '@engine/benchmark/scale-suite'
import { readComparison } from '@engine/benchmark/suite-file'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { Suite } from '@shared/benchmark/suite'
import { invalidArgument, LabError } from '@shared/errors'
import type { BenchOptions } from './bench-arguments'

/** What `bench` is to do: a suite from the start, or a document from where it stands, kept in its own folder. */
export type Asked =
  | { readonly kind: 'suite'; readonly suite: Suite }
  | { readonly kind: 'document'; readonly document: BenchmarkDocument; readonly folder: string }

/** Finds what was named: a preset, a file of ours, a data file or a folder of them. */
export async function comparisonOf(options: BenchOptions, source: string): Promise<Asked> {
  if (options.resume || source.toLowerCase().endsWith('.json')) return fromFile(options, resolve(source))
  const preset = presets(options.scale ?? 1).find(({ id }) => id === source)
  if (preset !== undefined) return suiteAsked(preset.suite, options)
  return suiteAsked(scaled(await fromData(options, source), options.scale), options)
}

async function fromFile(options: BenchOptions, path: string): Promise<Asked> {
  const comparison = await readComparison(path)
  if (comparison.kind === 'document') {
    const [changed] = options.changed
    if (changed === undefined) return { ...comparison, folder: dirname(path) }
    throw invalidArgument('the comparison as it was begun', path, `--${changed}`)
  }
  if (!options.resume) return suiteAsked(scaled(comparison.suite, options.scale), options)
  throw notBegun(path)
}

function notBegun(path: string): LabError {
  const message = `${path} is a suite that was not begun: name the benchmark.json of a comparison, or leave --resume out to begin.`
  return new LabError('input', 'suite.not-begun', message)
}

async function fromData({ changes }: BenchOptions, source: string): Promise<Suite> {
  const path = resolve(source)
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) throw notThere(source)
  return dataSuite(path, changes.k ?? null, changes.overrides)
}

/** A word without a dot or a folder is a misspelt preset sooner than a file. */
function notThere(source: string): LabError {
  const names = presets(1).map(({ id }) => id)
  if (!/[./\\]/.test(source)) return invalidArgument(`one of ${names.join(', ')}, or a file`, 'bench', source)
  const message = `${source} does not exist: name a suite, a data file, a folder of them or a preset (bench --list).`
  return new LabError('io', 'suite.missing', message)
}

function scaled(suite: Suite, scale: number | null): Suite {
  return scale === null ? suite : scaleSuite(suite, scale)
}

function suiteAsked(suite: Suite, { changes }: BenchOptions): Asked {
  const { centroidsFile } = changes.config
  const config =
    centroidsFile === undefined || centroidsFile === null
      ? changes.config
      : { ...changes.config, centroidsFile: resolve(centroidsFile) }
  return { kind: 'suite', suite: changeSuite(suite, { ...changes, config }) }
}
