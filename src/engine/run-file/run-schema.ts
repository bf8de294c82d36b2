import * as v from 'valibot'
import {
  columnScalings,
  columnarFormats,
  delimiters,
  encodings,
  formats,
  givenTypes,
  missingPolicies,
  scalings,
} from '@shared/dataset'
import { grades } from '@shared/approximate'
import { precisions } from '@shared/precision'
import { emptyPolicies, initMethods, stopRules, timingLevels } from '@shared/run-config'
import { reusedParts } from '@shared/run-record'
import { engineIds } from '@shared/variant'
import { runFormat, type RunDocument } from '../export/run-document'

/** Every key that a part of run.json has, also those that are not always there. */
type Entries<T> = { readonly [K in keyof Required<T>]: v.GenericSchema }
type Results = RunDocument['results']

const number = v.number()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const text = v.string()
const texts = v.array(text)
const sha256 = v.pipe(text, v.regex(/^[0-9a-f]{64}$/))
const engine = v.picklist(engineIds)
const milliseconds = v.nullable(number)
const table = v.array(v.nullable(v.array(number)))

function about<const S extends v.GenericSchema>(schema: S, says: string) {
  return v.pipe(schema, v.description(says))
}

const file = v.strictObject({
  name: text,
  bytes: count,
  sha256: v.nullable(sha256),
  modified_at: about(text, 'ISO 8601, UTC'),
} satisfies Entries<RunDocument['file']>)

const overrides = v.strictObject({
  format: v.optional(v.picklist(formats)),
  encoding: v.optional(v.picklist(encodings)),
  delimiter: v.optional(v.picklist(delimiters)),
  quote: v.optional(v.picklist(['"', "'", ''])),
  header: v.optional(v.boolean()),
  titleRows: v.optional(count),
  decimal: v.optional(v.picklist(['.', ','])),
  column_types: v.array(v.strictObject({ index: count, name: text, type: v.picklist(givenTypes) })),
} satisfies Entries<RunDocument['import']['overrides']>)

const reader = v.strictObject({ kind: v.picklist(['native', 'text']), because: v.nullable(text) })

const importReceipt = v.strictObject({
  columnar: about(v.nullable(v.picklist(columnarFormats)), 'null for a file of text'),
  format: v.picklist(formats),
  encoding: v.picklist(encodings),
  bom: v.boolean(),
  delimiter: about(v.picklist(delimiters), 'a blank stands for any run of blanks and tabs'),
  quote: about(v.picklist(['"', "'", '']), 'empty for a file without quoting'),
  header: v.boolean(),
  decimal: v.picklist(['.', ',']),
  records: about(count, 'records that are data'),
  rows: about(count, 'records that became rows'),
  too_long: count,
  too_short: count,
  blank_lines: count,
  infinite_cells: about(count, 'counted as missing'),
  doubtful_rows: about(count, 'with a quote that neither opens nor closes a cell'),
  warnings: about(texts, 'what was read otherwise than the format has it, a sentence each'),
  notes: about(texts, 'up to 20 sentences about rows and cells that were left out'),
  reader: v.nullable(reader),
  overrides: about(overrides, 'what was set by hand; the rest was detected'),
} satisfies Entries<RunDocument['import']>)

const feature = v.strictObject({
  index: about(count, 'of the column in the file, from 0'),
  name: text,
  category: about(v.optional(text), 'the feature is 1 where its column has this text, else 0'),
  column: about(v.optional(text), 'name of the column of a category'),
  unit: about(v.optional(text), 'of dates, such as days since 1970-01-01'),
  offset: about(number, 'point = (value - offset) / step'),
  step: number,
  fill: about(v.nullable(number), 'what stands in for a missing cell; null: the row has no cluster'),
  range: about(v.nullable(v.pipe(v.array(number), v.length(2))), 'of the whole column, units of the file'),
  scaling: v.picklist([...scalings, 'one-hot']),
} satisfies Entries<RunDocument['features'][number]>)

const preparation = v.strictObject({
  missing: v.picklist(missingPolicies),
  scaling: v.picklist(scalings),
  exponent: about(v.pipe(number, v.integer()), 'scaled data = engine units times 2^exponent'),
  mean_variance: about(number, 'unit of the stop rule relative-shift'),
  total_sum_of_squares: number,
  dropped_rows: about(count, 'left out for missing cells'),
  filtered_rows: about(count, 'left out by the filter'),
  filled_cells: count,
} satisfies Entries<RunDocument['preparation']>)

const configuration = v.strictObject({
  features: about(v.nullable(texts), 'null: those that are proposed'),
  missing: v.picklist(missingPolicies),
  scaling: v.picklist(scalings),
  one_hot: v.optional(texts),
  column_scalings: v.optional(v.array(v.strictObject({ column: text, scaling: v.picklist(columnScalings) }))),
  filter: about(v.optional(text), 'as --filter takes it'),
  k: count,
  init: v.picklist(initMethods),
  centroids_file: v.nullable(text),
  seed: count,
  stop: v.picklist(stopRules),
  tolerance: about(number, 'the one that held, in the unit of the rule'),
  max_iterations: count,
  n_init: count,
  empty: v.picklist(emptyPolicies),
  engine: v.picklist(['auto', ...engineIds]),
  device: v.nullable(text),
  variant: text,
  regime: v.nullable(text),
  workers: v.optional(count),
  precision: v.picklist(precisions),
  timing: v.picklist(timingLevels),
  history: v.boolean(),
  centroid_history: v.boolean(),
} satisfies Entries<RunDocument['configuration']>)

const machine = v.strictObject({
  cpu: text,
  cores: count,
  memory_bytes: count,
  os: text,
  devices: texts,
  versions: v.record(text, text),
} satisfies Entries<RunDocument['machine']>)

const timings = v.strictObject({
  ...{ load_ms: number, upload_ms: number, init_ms: number },
  ...{ assign_ms: milliseconds, update_ms: milliseconds, converge_ms: milliseconds },
  iterate_ms: about(milliseconds, 'assignment and update in one kernel'),
  download_ms: number,
  other_ms: about(number, 'what no phase covers'),
  total_ms: about(number, 'wall time with transfers, without load'),
} satisfies Entries<Results['timings']>)

const position = v.strictObject({ run: count, iteration: count })

const segment = v.strictObject({
  ...{ engine, device: text, device_name: text, variant: text },
  regime: v.optional(v.nullable(text)),
  ...{ from: position, to: position },
} satisfies Entries<NonNullable<Results['engine_segments']>[number]>)

const stopped = v.picklist([...stopRules, 'max-iterations'])

const restart = v.strictObject({
  ...{ run: count, seed: count, iterations: count, stopped, inertia: number },
} satisfies Entries<Results['restarts'][number]>)

const cluster = v.strictObject({
  ...{ cluster: count, size: count, inertia: number },
} satisfies Entries<Results['clusters'][number]>)

const results = v.strictObject({
  ...{ n: count, d: count, k: count },
  filtered_rows: v.optional(count),
  ...{ engine, device: text, device_name: text, variant: text },
  regime: v.nullable(text),
  reason: about(v.nullable(text), 'why this regime, one sentence'),
  workers: about(v.optional(count), 'of partial-sums only'),
  deterministic: v.boolean(),
  grade: v.picklist(grades),
  precision: v.picklist(precisions),
  engine_segments: about(
    v.optional(v.array(segment)),
    'where a device was lost and another went on; both ends of each are of it',
  ),
  reused: about(
    v.optional(v.array(v.picklist(reusedParts))),
    'what a live run took over from runs before it; its times leave that out',
  ),
  seed: about(count, 'of the best restart'),
  iterations: count,
  stopped,
  converged: v.boolean(),
  result_sha256: about(v.nullable(sha256), 'of labels, centroids and inertia in engine units'),
  inertia: about(number, 'units of the scaled data'),
  sizes: v.array(count),
  timings,
  warnings: texts,
  clusters: v.array(cluster),
  restarts: v.array(restart),
  best_run: count,
} satisfies Entries<Results>)

/**
 * The whole of run.json as this version writes it, and nothing else: a key that is written and not described is an error of
 * the compiler here, and of the test that holds written files against `docs/run.schema.json`.
 */
export const runSchema = v.strictObject({
  format: v.literal(runFormat.format),
  version: v.literal(runFormat.version),
  started_at: about(text, 'ISO 8601, UTC'),
  command_line: about(texts, 'the arguments that repeat the run, one an entry'),
  file: about(file, 'the file that was clustered'),
  import: about(importReceipt, 'how it was read'),
  features: about(v.array(feature), 'in order'),
  preparation: about(preparation, 'how rows became points'),
  configuration: about(configuration, 'as asked for'),
  machine: about(machine, 'where it was computed'),
  results: about(results, 'as carried out'),
  centroids: about(table, '(k, d) units of the file; null for a dropped cluster'),
  engine_centroids: about(table, '(k, d) the same in engine units, exactly'),
  initial_centroids: about(table, '(k, d) engine units: where the best restart began'),
} satisfies Entries<RunDocument> & Record<string, v.GenericSchema>)
