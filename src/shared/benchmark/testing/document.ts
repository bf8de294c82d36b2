import { defaultGeneratorSpec } from '../../generator'
import type { MachineFacts, PhaseTimings } from '../../run-record'
import type { EngineId } from '../../variant'
import type { BenchmarkDocument, IterationTime, Measurement, PlannedCell, Verification } from '../document'
import type { Contender, Suite, SuiteCase } from '../suite'
import { contenderKey } from '../suite'

const machine: MachineFacts = {
  cpu: 'Intel(R) Xeon(R) Processor @ 2.50GHz',
  cores: 8,
  memoryBytes: 32 * 2 ** 30,
  os: 'Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x64',
  devices: ['cpu: Intel(R) Xeon(R) Processor @ 2.50GHz', 'cuda:0: NVIDIA H200'],
  versions: {
    app: '0.1.0',
    node: '22.23.3',
    'cpu compiler': 'GNU 12.2.0',
    'cpu compiler flags': '-O3 -fno-math-errno -ffp-contract=off',
    'cpu instruction set': 'avx512',
    'cpu threads': '8',
    'cuda compiler': 'NVIDIA 12.4.131',
    'cuda runtime': '12.4',
    'cuda driver': '550.54.14, CUDA 12.4',
  },
}

const contenders: readonly Contender[] = [
  { kind: 'variant', engine: 'cpu', variant: 'sequential', device: null },
  { kind: 'variant', engine: 'cpu', variant: 'fused', device: null },
  { kind: 'variant', engine: 'cuda', variant: 'global-atomics', device: 'cuda:0' },
  { kind: 'outside', system: 'numpy' },
]

/** A suite's configuration with nothing out of the ordinary. */
export const plainConfig: Suite['config'] = {
  features: null,
  missing: 'drop',
  scaling: 'none',
  init: 'first-k',
  centroidsFile: null,
  seed: 1,
  stop: 'none',
  tolerance: null,
  maxIterations: 20,
  empty: 'keep',
}

/** How the times of a fixture are reported: milliseconds of one cell, or why there are none. */
export type CellStory =
  | number
  | { readonly state: 'disagrees' | 'skipped' | 'failed'; readonly reason: string; readonly ms?: number }

/** Shares of the median, so that median, mean and deviation differ. */
const spread = [1.01, 0.99, 1, 1.04, 0.98]

function generated(name: string, n: number, d: number): SuiteCase['dataset'] {
  return { kind: 'generated', name, spec: { ...defaultGeneratorSpec, shape: 'uniform', n, d } }
}

/** Two datasets, two k, four contenders: one disagrees, one is skipped, one failed. */
export function comparisonDocument(): BenchmarkDocument {
  const cases: readonly SuiteCase[] = [
    { dataset: generated('uniform 100k', 100_000, 2), k: [5, 10] },
    { dataset: { kind: 'file', path: 'iris.csv', name: 'iris.csv' }, k: [3, 6] },
  ]
  const stories: Readonly<Record<string, CellStory>> = {
    'iris.csv 3 cuda:0/global-atomics': {
      state: 'disagrees',
      reason: '12 of 150 labels are not the nearest.',
      ms: 0.4,
    },
    'iris.csv 6 outside/numpy': { state: 'skipped', reason: 'python3 has no numpy here.' },
    'uniform 100k 10 cuda:0/global-atomics': { state: 'failed', reason: 'The device was lost.' },
  }
  const base: Readonly<Record<string, number>> = {
    'cpu/sequential': 120,
    'cpu/fused': 9.5,
    'cuda:0/global-atomics': 1.9,
    'outside/numpy': 310,
  }
  const sizes = { 'uniform 100k': { n: 100_000, d: 2 }, 'iris.csv': { n: 150, d: 4 } } as const
  const suite = suiteOf('Two datasets', cases, {
    title: 'Example 2017',
    hardware: 'a GeForce of 2013',
    note: 'Times read from a plot.',
    times: [
      { dataset: 'uniform 100k', k: 5, contender: 'cpu/sequential', system: 'C++', ms: 412, speedup: 1 },
      {
        dataset: 'uniform 100k',
        k: 5,
        contender: 'cuda/global-atomics',
        system: 'CUDA 1',
        ms: 8.1,
        speedup: 51,
      },
    ],
    ratios: [],
  })
  return documentOf(suite, (dataset, k, contender) => {
    const { n, d } = sizes[dataset as keyof typeof sizes]
    const story = stories[`${dataset} ${k} ${contender}`]
    return { n, d, story: story ?? (base[contender] * n * d * (k + 2)) / (100_000 * 2 * 7) + 0.02 }
  })
}

/**
 * A sweep of N from 1 000 to 1 000 000 with d = 2 and k = 5: `cpu/sequential` takes N / 10 000 ms, `cpu/fused` a tenth of
 * that and 0.1 ms, the device 1 ms and N / 1 000 000; exactly, but for the spread of the repeats.
 */
export function scalingDocument(): BenchmarkDocument {
  const sizes = [1000, 10_000, 100_000, 1_000_000]
  const cases = sizes.map((n) => ({ dataset: generated(`uniform ${n}`, n, 2), k: [5] }))
  const ms: Readonly<Record<string, (n: number) => number>> = {
    'cpu/sequential': (n) => n / 10_000,
    'cpu/fused': (n) => n / 100_000 + 0.1,
    'cuda:0/global-atomics': (n) => 1 + n / 1_000_000,
    'outside/numpy': (n) => 0.3 + n / 4000,
  }
  return documentOf(suiteOf('Sweep of N', cases, null), (dataset, _k, contender) => {
    const n = Number(dataset.split(' ')[1])
    return { n, d: 2, story: ms[contender](n) }
  })
}

function suiteOf(name: string, cases: readonly SuiteCase[], publication: Suite['publication']): Suite {
  return {
    ...{
      format: 1,
      name,
      description: 'Made up for tests.',
      scale: 1,
      cases,
      contenders,
      config: plainConfig,
      publication,
    },
    ...{ timing: 'phases', warmup: 1, repeats: spread.length, baseline: 'cpu/sequential' },
  }
}

function documentOf(
  suite: Suite,
  cellOf: (dataset: string, k: number, contender: string) => { n: number; d: number; story: CellStory },
): BenchmarkDocument {
  const rows = suite.cases.flatMap(({ dataset, k }) =>
    k.flatMap((k) =>
      suite.contenders.map((contender) => {
        const { n, d, story } = cellOf(dataset.name, k, contenderKey(contender))
        return measurementOf(plannedCell(dataset.name, { n, d, k }, contender, story), story)
      }),
    ),
  )
  return {
    ...{ format: 1, id: 'fixture', state: 'done', suite, machine, rows },
    startedAt: '2026-11-21T09:30:00.000Z',
    finishedAt: '2026-11-21T09:34:00.000Z',
    plan: rows.map(plannedPart),
  }
}

function plannedPart(row: Measurement): PlannedCell {
  const { dataset, k, contender, n, d, engine, device, deviceName, variant } = row
  const { predictedMs, memoryBytes, skipped } = row
  return {
    dataset,
    k,
    contender,
    n,
    d,
    engine,
    device,
    deviceName,
    variant,
    predictedMs,
    memoryBytes,
    skipped,
  }
}

function plannedCell(
  dataset: string,
  { n, d, k }: { n: number; d: number; k: number },
  contender: Contender,
  story: CellStory,
): PlannedCell {
  const skipped = typeof story === 'object' && story.state === 'skipped' ? story.reason : null
  const size = {
    dataset,
    n,
    d,
    k,
    contender: contenderKey(contender),
    predictedMs: 100,
    memoryBytes: 4 * n * d,
    skipped,
  }
  if (contender.kind === 'outside') {
    return { ...size, engine: null, device: null, deviceName: null, variant: contender.system }
  }
  const names: Readonly<Record<EngineId, string>> = {
    cpu: machine.cpu,
    cuda: 'NVIDIA H200',
    webgpu: 'SwiftShader',
  }
  const device = contender.device ?? contender.engine
  return {
    ...size,
    engine: contender.engine,
    device,
    deviceName: names[contender.engine],
    variant: contender.variant,
  }
}

function measurementOf(cell: PlannedCell, story: CellStory): Measurement {
  const ms = typeof story === 'number' ? story : (story.ms ?? null)
  const state = typeof story === 'number' ? 'measured' : story.state
  const reason = typeof story === 'number' ? null : story.reason
  const ran = ms !== null
  const totalsMs = ran ? spread.map((share) => ms * share) : []
  return {
    ...cell,
    ...{ state, reason, totalsMs, deterministic: cell.variant !== 'global-atomics' },
    ...(ran && cell.engine !== null ? ranAs(cell.variant) : unknownRegime),
    iterations: ran ? 20 : 0,
    inertia: ran ? cell.n * 1.5 : null,
    perIterationMs: ran ? (0.9 * ms) / 20 : null,
    phases: ran && cell.engine !== null ? phasesOf(ms, cell.variant === 'fused') : null,
    iterationTimes: ran && cell.engine !== null ? iterationsOf(ms) : [],
    hostDeviceBytesPerIteration: cell.engine === null ? null : 0,
    verification: ran ? verificationOf(state === 'measured', reason) : null,
  }
}

const unknownRegime = { regime: null, regimeReason: null, phasesRegime: null }

function ranAs(variant: string): Pick<Measurement, 'regime' | 'regimeReason' | 'phasesRegime'> {
  if (variant !== 'fused') {
    return { regime: 'as-studied', regimeReason: 'It has one way only.', phasesRegime: 'as-studied' }
  }
  return {
    regime: 'tiled',
    regimeReason: 'Few centroids: every distance is computed.',
    phasesRegime: 'tiled',
  }
}

function verificationOf(agrees: boolean, reason: string | null): Verification {
  return {
    ...{ agrees, reason, reference: 'cpu/sequential', labelAgreement: agrees ? 1 : 0.92 },
    ...{ centroidDifference: agrees ? 2.1e-8 : 0.034, referenceIterations: 20, labelsChecked: 20_000 },
  }
}

/** Parts of the total that add up to it; a fused kernel's are not parted. */
function phasesOf(totalMs: number, fused: boolean): PhaseTimings {
  const parted = { assignMs: 0.6 * totalMs, updateMs: 0.25 * totalMs, iterateMs: null }
  const whole = { assignMs: null, updateMs: null, iterateMs: 0.85 * totalMs }
  return {
    ...{ loadMs: 12, uploadMs: 0.04 * totalMs, initMs: 0.01 * totalMs, ...(fused ? whole : parted) },
    ...{ convergeMs: 0.05 * totalMs, downloadMs: 0.03 * totalMs, otherMs: 0.02 * totalMs, totalMs },
  }
}

function iterationsOf(totalMs: number): readonly IterationTime[] {
  return Array.from({ length: 20 }, (_, i) => {
    const ms = (0.9 * totalMs * (1 + 0.1 / (i + 1))) / 20
    const [assignMs, updateMs, convergeMs] = [0.65 * ms, 0.27 * ms, 0.05 * ms]
    return { iteration: i + 1, assignMs, updateMs, convergeMs, iterateMs: null, totalMs: ms }
  })
}
