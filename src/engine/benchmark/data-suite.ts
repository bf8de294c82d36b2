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
import { defaultRunConfig } from '@shared/run-config'
import type { EngineId } from '@shared/variant'
import { tablesIn } from '../csv/tables-in-folder'
import { listEngines } from '../engines/list'

/**
 * The comparison of a data file, or of the tables of a folder: every variant on every engine that works here with
 * more than a software adapter, from one start to the default stop rule.
 * @param path full path
 * @throws LabError `input` for a folder without tables, `io`
 */
export async function dataSuite(path: string, k: readonly number[]): Promise<Suite> {
  const { init, centroidsFile, features, missing, scaling, seed, stop, tolerance, maxIterations, empty } =
    defaultRunConfig
  return {
    format: 1,
    name: basename(path),
    description: '',
    scale: 1,
    cases: (await tablesAt(path)).map((table): SuiteCase => {
      return { dataset: { kind: 'file', path: table, name: basename(table) }, k }
    }),
    contenders: await contendersHere(),
    config: { init, centroidsFile, features, missing, scaling, seed, stop, tolerance, maxIterations, empty },
    timing: 'total',
    warmup: defaultWarmup,
    repeats: defaultRepeats,
    baseline: 'cpu/sequential',
    publication: null,
  }
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
