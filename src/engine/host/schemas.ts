import * as v from 'valibot'
import { invalidArgument } from '@shared/errors'
import { bulkChunkBytes, exportKinds, maxRowsAsked } from '@shared/ipc'
import { engineIds } from '@shared/variant'
import { rowFilter } from '../dataset/row-filter-schema'
import { importOverrides } from '../csv/import-overrides-schema'
import { id, path, preparationEntries, runConfigEntries } from '../run/run-config-schema'
import { benchmarkSchemas } from './benchmark-schemas'
import type { HostChannel, HostParams } from './protocol'
import { memoryLimitEntries } from './memory-schema'
import { qualitySchemas } from './quality-schemas'
import { bulkCount, index, nothing, textChoice, type SchemaFor } from './schema-parts'
import { sessionSchemas } from './session-schemas'
import { reuseSchemas } from './reuse-schemas'
import { tableSchemas } from './table-schemas'

export { id, nothing, textChoice, type SchemaFor }

const byteCount = v.pipe(index, v.maxValue(bulkChunkBytes))

export const runConfig = v.strictObject(runConfigEntries)

const someRows = v.pipe(v.array(index), v.maxLength(maxRowsAsked))
const trailAxis = v.variant('kind', [
  v.strictObject({ kind: v.literal('feature'), feature: index }),
  v.strictObject({ kind: v.literal('component'), projectionId: id, component: index }),
])
export const runIds = v.pipe(v.array(id), v.minLength(1), v.maxLength(10_000))

export const hostSchemas: { readonly [K in HostChannel]: SchemaFor<HostParams<K>> } = {
  'dataset.preview': v.strictObject({ path, overrides: importOverrides }),
  'dataset.open': v.strictObject({ path, overrides: importOverrides, datasetId: v.exactOptional(id) }),
  'dataset.sha256': v.strictObject({ datasetId: id }),
  'dataset.cancel-open': v.strictObject({ path }),
  'dataset.close': v.strictObject({ datasetId: id }),
  'dataset.values': v.strictObject({ datasetId: id, column: index, start: index, count: bulkCount }),
  'dataset.histogram': v.strictObject({
    datasetId: id,
    column: index,
    bins: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
  }),
  'dataset.incomplete-rows': v.strictObject({
    datasetId: id,
    features: v.array(index),
    filter: v.nullable(rowFilter),
  }),
  'dataset.filtered-rows': v.strictObject({ datasetId: id, filter: rowFilter }),
  'dataset.categories': v.strictObject({ datasetId: id, column: index }),
  'dataset.category-codes': v.strictObject({ datasetId: id, column: index, start: index, count: bulkCount }),
  'dataset.rows': v.strictObject({ datasetId: id, rows: someRows }),
  'dataset.cells': v.strictObject({ datasetId: id, rows: someRows }),
  'projection.fit': v.strictObject({ datasetId: id, ...preparationEntries }),
  'projection.values': v.strictObject({ projectionId: id, component: index, start: index, count: bulkCount }),
  'projection.close': v.strictObject({ projectionId: id }),
  'engines.list': nothing,
  'run.start': v.strictObject({
    datasetId: id,
    config: runConfig,
    live: v.exactOptional(v.boolean()),
    after: v.exactOptional(id),
  }),
  'run.memory': v.strictObject({ datasetId: id, config: runConfig }),
  'run.resume': v.strictObject({ runId: id, engine: v.picklist(engineIds) }),
  'run.broken': v.strictObject({ datasetId: id }),
  'run.cancel': v.strictObject({ runId: id }),
  'run.labels': v.strictObject({ runId: id, start: index, count: bulkCount }),
  'run.labels-bytes': v.strictObject({ runId: id, start: index, count: byteCount }),
  'run.iteration-labels': v.strictObject({
    runId: id,
    iteration: v.pipe(index, v.minValue(1)),
    start: index,
    count: bulkCount,
  }),
  'run.trail': v.strictObject({
    runId: id,
    start: index,
    count: index,
    axes: v.pipe(v.array(trailAxis), v.minLength(1), v.maxLength(3)),
  }),
  'run.compare': v.strictObject({ a: id, b: id }),
  'run.kept': v.strictObject({ datasetId: id }),
  'run.forget': v.strictObject({ runId: id }),
  'export.write': v.strictObject({
    runId: id,
    kind: v.picklist(exportKinds),
    path,
    replace: v.boolean(),
    ...textChoice,
  }),
  'export.steps': v.strictObject({
    runId: id,
    folder: path,
    steps: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    replace: v.boolean(),
    ...textChoice,
  }),
  'export.timings': v.strictObject({ runIds, path, replace: v.boolean(), ...textChoice }),
  'export.cancel': v.strictObject({ runId: id }),
  'steps.open': v.strictObject({ folder: path }),
  'steps.values': v.strictObject({
    stepsId: id,
    step: index,
    feature: index,
    start: index,
    count: bulkCount,
  }),
  'steps.labels': v.strictObject({ stepsId: id, step: index, start: index, count: bulkCount }),
  'steps.close': v.strictObject({ stepsId: id }),
  'host.memory': v.strictObject({
    ...memoryLimitEntries,
    scratchFolder: v.union([v.literal(''), path]),
  }),
  'host.sleep': v.strictObject({ asleep: v.boolean() }),
  'host.ping': nothing,
  ...benchmarkSchemas,
  ...tableSchemas,
  ...qualitySchemas,
  ...sessionSchemas,
  ...reuseSchemas,
}

/**
 * Checks parameters against a schema.
 * @throws LabError `input`, one sentence that names the parameter.
 */
export function checked<T>(schema: SchemaFor<T>, channel: string, params: unknown): T {
  const parsed = v.safeParse(schema, params)
  if (parsed.success) return parsed.output
  const issue = parsed.issues[0]
  const where = v.getDotPath(issue)
  throw invalidArgument(
    issue.type === 'check' ? issue.message : (issue.expected ?? 'another value'),
    where ? `${where} of ${channel}` : channel,
    issue.input,
  )
}
