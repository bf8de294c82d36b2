import { ReferenceSession } from '@tests/parity/reference-engine'
import type { CellKey } from '@shared/benchmark/document'
import type { Suite } from '@shared/benchmark/suite'
import { plainConfig } from '@shared/benchmark/testing/document'
import { LabError } from '@shared/errors'
import { defaultGeneratorSpec } from '@shared/generator'
import type { Dataset } from '../../dataset/dataset'
import type { Engine, IterationStats, ReadResult, Session } from '../../engines/engine'
import { generateDataset } from '../../generate'
import { newDocument } from '../new-document'
import { runBenchmark } from '../run-benchmark'
import { DatasetCache } from '../dataset-cache'
import type { BenchmarkDependencies, Watch } from '../dependencies'

/** What a variant of the fake engine does besides the reference's work. */
export interface Manner {
  readonly onOpen?: () => Promise<unknown>
  readonly onRead?: (read: ReadResult) => ReadResult | Promise<ReadResult>
  readonly onAdvance?: (done: readonly IterationStats[]) => Promise<readonly IterationStats[]>
}

/** The float64 reference as an engine of several variants, each with its own manner. */
export function fakeEngine(manners: Readonly<Record<string, Manner>>): Engine {
  return {
    id: 'cpu',
    availability: async () => ({ available: true }),
    devices: async () => [{ id: 'cpu', name: 'Reference', memoryBytes: null, software: false }],
    variants: () => Object.keys(manners).map((id) => ({ id, deterministic: true, exact: true })),
    versions: async () => ({}),
    open: async (points, config) => {
      const { onOpen, onRead, onAdvance } = manners[config.variant] ?? {}
      await onOpen?.()
      const session = new ReferenceSession(points, config)
      const changed: Partial<Session> = {
        read: async () => {
          const read = await session.read()
          return onRead === undefined ? read : onRead(read)
        },
        advance: async (budget, signal) => {
          const done = await session.advance(budget, signal)
          return onAdvance === undefined ? done : onAdvance(done)
        },
      }
      return new Proxy<Session>(session, {
        get: (target, name: keyof Session) => {
          const value = changed[name] ?? target[name]
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }
}

/** One that cannot work, so that no test depends on what a machine has. */
function missing(id: 'cuda' | 'webgpu'): Engine {
  const reason = `There is no ${id} in a test.`
  return { ...fakeEngine({}), id, availability: async () => ({ available: false, reason }) }
}

/** @param files what is loaded in the window */
export function dependencies(cpu: Engine, files: readonly Dataset[] = []): BenchmarkDependencies {
  const gone = new LabError('engine-missing', 'outside.missing', 'There is no python3 in a test.')
  const notHere = () => {
    throw new LabError('input', 'dataset.unknown', 'This data file is no longer loaded.')
  }
  const loaded = (datasetId: string) => files.find(({ id }) => id === datasetId) ?? notHere()
  return {
    engines: { cpu, cuda: missing('cuda'), webgpu: missing('webgpu') },
    outside: { reports: async () => [], prepare: () => Promise.reject(gone) },
    datasets: new DatasetCache({ loaded, open: notHere, generate: generateDataset }),
    allLoaded: () => files,
  }
}

export function suiteOf(variants: readonly string[], changes: Partial<Suite> = {}): Suite {
  const spec = { ...defaultGeneratorSpec, n: 300 }
  return {
    format: 1,
    name: 'small',
    description: '',
    scale: 1,
    cases: [{ dataset: { kind: 'generated', spec, name: 'uniform' }, k: [4] }],
    contenders: variants.map((variant) => ({ kind: 'variant', engine: 'cpu', variant, device: null })),
    config: { ...plainConfig, maxIterations: 3 },
    timing: 'total',
    warmup: 1,
    repeats: 3,
    baseline: `cpu/${variants[0]}`,
    publication: null,
    ...changes,
  }
}

/** Watches a comparison; `marks` are the contenders in the order in which they went to work. */
export function watching(onMark: (cell: CellKey, controller: AbortController) => void = () => undefined) {
  const controller = new AbortController()
  const marks: string[] = []
  const watch: Watch = {
    signal: controller.signal,
    turn: async () => undefined,
    exclusive: (run) => run(),
    report: () => undefined,
    keep: async () => undefined,
    mark: (cell) => {
      if (cell === null) return
      marks.push(cell.contender.replace('cpu/', ''))
      onMark(cell, controller)
    },
  }
  return { watch, marks }
}

/** Runs all variants of a fake engine and answers the rows by variant, and who worked when. */
export async function measure(
  manners: Readonly<Record<string, Manner>>,
  changes: Parameters<typeof suiteOf>[1] = {},
) {
  const { watch, marks } = watching()
  const suite = suiteOf(Object.keys(manners), changes)
  const document = await runBenchmark(await newDocument(suite), dependencies(fakeEngine(manners)), watch)
  const rows = Object.fromEntries(document.rows.map((row) => [row.variant, row]))
  return { document, rows, marks }
}
