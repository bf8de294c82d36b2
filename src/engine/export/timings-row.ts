import { gradeOf } from '@shared/approximate'
import type { Statistics } from '@shared/benchmark/statistics'
import type { Precision } from '@shared/precision'
import type { PhaseTimings } from '@shared/run-record'
import type { CsvForm } from './csv-text'

/** A line of timings.csv, of a run of the window as of a cell of a comparison. Milliseconds; null: not known. */
export interface TimingsRow {
  readonly dataset: string
  readonly n: number
  readonly d: number
  readonly k: number
  readonly engine: string
  readonly device: string | null
  readonly variant: string
  /** How the variant was carried out. */
  readonly regime: string | null
  readonly iterations: number
  /** `count` is the number of repeats. */
  readonly totals: Statistics
  readonly perIterationMs: number | null
  readonly phases: PhaseTimings | null
  readonly hostDeviceBytesPerIteration: number | null
  /** Of the result (spec section 3). */
  readonly resultSha256: string | null
  /** Null where nothing ran. */
  readonly precision: Precision | null
}

/** Columns of timings.csv (spec section 6), in order, each with its cell. */
const columns: Readonly<Record<string, (row: TimingsRow) => string | number | null>> = {
  dataset: ({ dataset }) => dataset,
  n: ({ n }) => n,
  d: ({ d }) => d,
  k: ({ k }) => k,
  engine: ({ engine }) => engine,
  device: ({ device }) => device,
  variant: ({ variant }) => variant,
  regime: ({ regime }) => regime,
  iterations: ({ iterations }) => iterations,
  repeats: ({ totals }) => totals.count,
  mean_ms: ({ totals }) => totals.mean,
  median_ms: ({ totals }) => totals.median,
  sd_ms: ({ totals }) => totals.deviation,
  min_ms: ({ totals }) => totals.min,
  max_ms: ({ totals }) => totals.max,
  per_iteration_ms: ({ perIterationMs }) => perIterationMs,
  load_ms: ({ phases }) => phases && phases.loadMs,
  upload_ms: ({ phases }) => phases && phases.uploadMs,
  init_ms: ({ phases }) => phases && phases.initMs,
  assign_ms: ({ phases }) => phases && phases.assignMs,
  update_ms: ({ phases }) => phases && phases.updateMs,
  converge_ms: ({ phases }) => phases && phases.convergeMs,
  iterate_ms: ({ phases }) => phases && phases.iterateMs,
  download_ms: ({ phases }) => phases && phases.downloadMs,
  other_ms: ({ phases }) => phases && phases.otherMs,
  host_device_bytes_per_iteration: (row) => row.hostDeviceBytesPerIteration,
  result_sha256: ({ resultSha256 }) => resultSha256,
  precision: ({ precision }) => precision,
  grade: ({ engine, variant, precision }) => (precision === null ? null : gradeOf(variant, engine)),
}

export const timingsColumns: readonly string[] = Object.keys(columns)

/** The cells of a row in the order of the columns; null where nothing is known. */
export function timingsValues(row: TimingsRow): readonly (string | number | null)[] {
  return Object.values(columns).map((cell) => cell(row))
}

/** Values as cells of our CSVs. */
export function csvValues(values: readonly (string | number | null)[], form: CsvForm): string[] {
  return values.map((value) => (typeof value === 'string' ? form.text(value) : form.number(value)))
}
