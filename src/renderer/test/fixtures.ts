/** Plain records for tests and for the window without engines. */
import type { ColumnInfo, DatasetSummary, Dialect, Evidence, ImportPreview } from '@shared/dataset'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type { IterationRow, RunRecord } from '@shared/run-record'
import type { EngineReport } from '@shared/variant'

const evidence: Evidence = {
  because: '5 of 5 sampled rows have 5 cells.',
  overridden: false,
  doubtful: false,
}
const dialect: Dialect = {
  format: 'delimited',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  header: true,
  decimal: '.',
}

export function column(index: number, name: string, change: Partial<ColumnInfo> = {}): ColumnInfo {
  return {
    index,
    name,
    type: 'numeric',
    because: 'All cells are numbers.',
    missing: 0,
    notNumeric: 0,
    min: 0.1,
    max: 7.9,
    mean: 3.5,
    integer: false,
    proposed: true,
    ...change,
  }
}

export const irisColumns: readonly ColumnInfo[] = [
  column(0, 'sepal_length', { min: 4.3, max: 7.9 }),
  column(1, 'sepal_width', { min: 2, max: 4.4 }),
  column(2, 'petal_length', { min: 1, max: 6.9 }),
  column(3, 'petal_width', { min: 0.1, max: 2.5 }),
  column(4, 'species', { type: 'categorical', min: null, max: null, mean: null, proposed: false }),
]

export function summary(change: Partial<DatasetSummary> = {}): DatasetSummary {
  const rows = change.rows ?? 150
  return {
    id: 'data-1',
    file: { path: '', name: 'iris.csv', bytes: 4550, sha256: null, modifiedMs: 0 },
    receipt: {
      dialect,
      bom: false,
      evidence: {
        format: evidence,
        encoding: evidence,
        delimiter: evidence,
        quote: evidence,
        header: evidence,
        decimal: evidence,
      },
      chosenTypes: [],
      records: rows + 3,
      rows,
      tooLong: 1,
      tooShort: 2,
      blankLines: 0,
      infiniteCells: 0,
      doubtfulRows: 0,
      warnings: [],
      notes: ['Row 12, column age: ‘n/x’ is not a number. 3 rows like it were left out.'],
      proposedK: null,
      loadMs: 12.3,
    },
    columns: irisColumns,
    rows,
    memoryBytes: rows * 40,
    ...change,
  }
}

/** What is said of a file before it is loaded: nothing doubtful, five rows. */
export function preview(change: Partial<ImportPreview> = {}): ImportPreview {
  const { file, receipt, columns } = summary()
  const sample = Array.from({ length: 5 }, (_, row) => ['5.1', '3.5', '1.4', `0.${row}`, 'setosa'])
  const sampleRows = (change.sample ?? sample).map((_, row) => row + 2)
  return { file, receipt, columns, sample, sampleRows, doubtfulRows: [], doubtful: false, ...change }
}

/** A file as it is read without doubt. */
export function source(token = 'iris', name = 'iris.csv') {
  return { token, name, detected: preview(), preview: preview(), overrides: {} }
}

export function iterationRow(iteration: number, inertia: number | null, run = 0): IterationRow {
  return {
    run,
    iteration,
    inertia,
    maxShift: 1 / iteration,
    shiftSquared: 1 / iteration ** 2,
    changed: 10,
    emptyClusters: 0,
    assignMs: null,
    updateMs: null,
    convergeMs: null,
    iterateMs: 0.02,
    totalMs: 0.03,
  }
}

export function record(change: Partial<RunRecord> = {}): RunRecord {
  const { file, receipt } = summary()
  return {
    id: 'run-1',
    startedAt: '2026-01-01T00:00:00.000Z',
    file,
    receipt,
    config: { ...defaultRunConfig, history: true },
    engine: 'cpu',
    device: 'cpu',
    deviceName: 'AMD EPYC 9454 48-Core Processor',
    variant: 'fused',
    regime: 'tiled',
    reason: 'Few centroids: every distance is computed.',
    deterministic: true,
    features: irisColumns.slice(0, 4).map(({ index, name }) => ({ index, name })),
    tolerance: 1e-4,
    n: 150,
    d: 4,
    k: 3,
    droppedRows: 0,
    filledCells: 0,
    seed: 1,
    restarts: [{ run: 0, seed: 1, iterations: 9, stopped: 'relative-shift', inertia: 78.8557 }],
    bestRun: 0,
    iterations: 9,
    stopped: 'relative-shift',
    converged: true,
    inertia: 78.85566582597731,
    clusters: [
      { cluster: 0, size: 39, inertia: 25.41, centroid: [6.853846, 3.076923, 5.715385, 2.053846] },
      { cluster: 1, size: 61, inertia: 38.29, centroid: [5.883607, 2.740984, 4.388525, 1.434426] },
      { cluster: 2, size: 50, inertia: 15.15, centroid: [5.006, 3.428, 1.462, 0.246] },
    ],
    history: [1, 2, 3].map((iteration) => iterationRow(iteration, 100 - 7 * iteration)),
    timings: {
      loadMs: 12,
      uploadMs: 0.12,
      initMs: 0.31,
      assignMs: null,
      updateMs: null,
      convergeMs: 0.05,
      iterateMs: 1.42,
      downloadMs: 0.02,
      otherMs: 0.2,
      totalMs: 2.12,
    },
    hostDeviceBytesPerIteration: 0,
    machine: { cpu: 'AMD EPYC', cores: 2, memoryBytes: 8e9, os: 'Linux', devices: [], versions: {} },
    warnings: [],
    ...change,
  }
}

const variant = (id: string, title: string, summaryText: string, deterministic = true) => ({
  id,
  title,
  summary: summaryText,
  from: 'ours',
  deterministic,
  exact: true,
})

export const engineReports: readonly EngineReport[] = [
  {
    id: 'cpu',
    available: true,
    reason: null,
    devices: [{ id: 'cpu', name: 'AMD EPYC 9454', memoryBytes: 8e9, software: false }],
    variants: [
      variant('fused', 'Fused', 'Assignment and sums in one pass, eight points at a time.'),
      variant('sequential', 'Sequential', 'One thread, textbook loops.'),
    ],
  },
  {
    id: 'cuda',
    available: false,
    reason: 'No NVIDIA driver was found; install one or choose another engine.',
    devices: [],
    variants: [],
  },
  {
    id: 'webgpu',
    available: true,
    reason: null,
    devices: [{ id: 'webgpu:0', name: 'SwiftShader', memoryBytes: null, software: true }],
    variants: [
      variant('fused', 'Fused', 'Assignment and sums in one pass.'),
      variant('global-atomics', 'Global atomics', 'Atomic sums in global memory.', false),
    ],
  },
]

export const asked = (change: Partial<RunConfig> = {}): RunConfig => ({ ...defaultRunConfig, ...change })
