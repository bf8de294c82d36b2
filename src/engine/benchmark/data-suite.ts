import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { variants } from '@kernels/variants'
import {
  defaultRepeats,
  defaultWarmup,
  type Contender,
  type Suite,
  type SuiteCase,
} from '@shared/benchmark/suite'
import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { defaultRunConfig } from '@shared/run-config'
import type { EngineId } from '@shared/variant'
import { headedK } from '../csv/headed-k'
import { tablesIn } from '../csv/tables-in-folder'
import { listEngines } from '../engines/list'

/**
 * The comparison of a data file, or of the tables of a folder: every variant on every engine that works here with
 * more than a software adapter, from one start to the default stop rule.
 * @param path full path
 * @param k null takes the one that each headed file names
 * @param overrides how the files are read where that shall not be detected
 * @throws LabError `input` for a folder without tables, or a file that names no k where none is given; `io`
 */
export async function dataSuite(
  path: string,
  k: readonly number[] | null,
  overrides: ImportOverrides = {},
): Promise<Suite> {
  const { init, centroidsFile, features, missing, scaling, seed, stop, tolerance, maxIterations, empty } =
    defaultRunConfig
  return {
    format: 1,
    name: basename(path),
    description: '',
    scale: 1,
    cases: await Promise.all((await tablesAt(path)).map((table) => caseOf(table, k, overrides))),
    contenders: await contendersHere(),
    config: { init, centroidsFile, features, missing, scaling, seed, stop, tolerance, maxIterations, empty },
    timing: 'total',
    warmup: defaultWarmup,
    repeats: defaultRepeats,
    baseline: 'cpu/sequential',
    publication: null,
  }
}

async function caseOf(
  table: string,
  k: readonly number[] | null,
  overrides: ImportOverrides,
): Promise<SuiteCase> {
  const name = basename(table)
  return { dataset: { kind: 'file', path: table, name }, k: k ?? [await ownK(table, name, overrides)] }
}

async function ownK(table: string, name: string, overrides: ImportOverrides): Promise<number> {
  const own = await headedK(table, overrides)
  if (own !== null) return own
  const message = `${name} names no k, as only headed files do: give one or more numbers of clusters with -k (as in 5,10).`
  throw new LabError('input', 'argument.k', message)
}

async function tablesAt(path: string): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
  return isFolder ? tablesIn(path) : [path]
}

async function contendersHere(): Promise<readonly Contender[]> {
  const reports = await listEngines()
  const hardware = reports.filter(({ devices }) => devices.some(({ software }) => !software))
  return hardware.flatMap(({ id }) => allOn(id))
}

function allOn(engine: EngineId): readonly Contender[] {
  const offered = variants.filter(({ engines }) => engines[engine] !== undefined)
  return offered.map(({ id }) => ({ kind: 'variant', engine, variant: id, device: null }))
}
