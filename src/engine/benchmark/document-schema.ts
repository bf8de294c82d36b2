import * as v from 'valibot'
import { benchmarkStates, cellStates, type BenchmarkDocument } from '@shared/benchmark/document'
import { precisions } from '@shared/precision'
import { engineIds } from '@shared/variant'
import { importOverrides } from '../csv/import-overrides-schema'
import { suiteSchema } from './suite-schema'

const text = v.string()
const amount = v.pipe(v.number(), v.minValue(0))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const cellKey = { dataset: text, k: count, contender: text }

/** Documents of before it was kept have none. */
const regime = v.optional(v.nullable(text), null)

const plannedCell = {
  ...cellKey,
  n: count,
  d: count,
  engine: v.nullable(v.picklist(engineIds)),
  device: v.nullable(text),
  deviceName: v.nullable(text),
  variant: text,
  predictedMs: v.nullable(amount),
  memoryBytes: v.nullable(amount),
  skipped: v.nullable(text),
  shortened: v.exactOptional(v.object({ iterations: count, warmup: count, repeats: count })),
}

const verification = v.object({
  agrees: v.boolean(),
  reason: v.nullable(text),
  reference: v.nullable(text),
  labelAgreement: v.nullable(amount),
  centroidDifference: v.nullable(amount),
  referenceIterations: v.nullable(count),
  labelsChecked: count,
})

const iterationTime = v.object({
  iteration: count,
  assignMs: v.nullable(amount),
  updateMs: v.nullable(amount),
  convergeMs: v.nullable(amount),
  iterateMs: v.nullable(amount),
  totalMs: v.nullable(amount),
})

const phases = v.object({
  loadMs: v.number(),
  uploadMs: v.number(),
  initMs: v.number(),
  assignMs: v.nullable(v.number()),
  updateMs: v.nullable(v.number()),
  convergeMs: v.nullable(v.number()),
  iterateMs: v.nullable(v.number()),
  downloadMs: v.number(),
  otherMs: v.number(),
  totalMs: v.number(),
})

const measurement = v.object({
  ...plannedCell,
  state: v.picklist(cellStates),
  reason: v.nullable(text),
  deterministic: v.boolean(),
  precision: v.exactOptional(v.picklist(precisions)),
  regime,
  regimeReason: regime,
  phasesRegime: regime,
  iterations: count,
  stillFrom: v.exactOptional(count),
  inertia: v.nullable(v.number()),
  resultSha256: v.exactOptional(text),
  totalsMs: v.array(amount),
  perIterationMs: v.nullable(amount),
  phases: v.nullable(phases),
  iterationTimes: v.array(iterationTime),
  hostDeviceBytesPerIteration: v.nullable(amount),
  verification: v.nullable(verification),
  scaledFrom: v.exactOptional(
    v.object({ iterations: count, totalsMs: v.array(amount), phases: v.nullable(phases) }),
  ),
})

const machine = v.object({
  cpu: text,
  cores: count,
  memoryBytes: amount,
  os: text,
  devices: v.array(text),
  versions: v.record(text, text),
})

const loadedFile = v.object({
  name: text,
  path: v.pipe(text, v.minLength(1)),
  sha256: v.nullable(text),
  overrides: v.exactOptional(importOverrides),
})

/** A benchmark.json as it comes from a disk, so that a document altered by hand is refused with its place. */
export const documentSchema: v.GenericSchema<unknown, BenchmarkDocument> = v.object({
  format: v.literal(1),
  id: v.pipe(text, v.minLength(1), v.maxLength(200)),
  startedAt: v.pipe(text, v.isoTimestamp()),
  finishedAt: v.nullable(v.pipe(text, v.isoTimestamp())),
  state: v.picklist(benchmarkStates),
  suite: suiteSchema,
  machine,
  plan: v.array(v.object(plannedCell)),
  rows: v.array(measurement),
  dataWarnings: v.exactOptional(v.array(v.object({ dataset: text, warnings: v.array(text) }))),
  loadedFiles: v.exactOptional(v.array(loadedFile)),
})
