/** A run's record in a .clab: whoever wrote it, nothing of it may break the window that shows it. */
import * as v from 'valibot'
import { precisions } from '@shared/precision'
import { stopRules } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { engineIds } from '@shared/variant'
import { verdicts } from '@shared/verification'
import { runConfigEntries } from '../run/run-config-schema'

const number = v.number()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const text = v.string()
const texts = v.array(v.string())
const times = v.nullable(number)
const stopped = v.picklist([...stopRules, 'max-iterations'])

const iteration = v.object({
  ...{ run: count, iteration: count, inertia: times, maxShift: number, shiftSquared: number },
  ...{ changed: v.nullable(count), emptyClusters: count },
  ...{ assignMs: times, updateMs: times, convergeMs: times, iterateMs: times, totalMs: times },
})

const file = v.object({ path: text, name: text, bytes: count, sha256: v.nullable(text), modifiedMs: number })

const feature = v.looseObject({ index: count, name: text, category: v.exactOptional(text) })

const cluster = v.object({
  cluster: count,
  size: count,
  // JSON has no NaN.
  inertia: v.pipe(
    v.nullable(number),
    v.transform((inertia) => inertia ?? NaN),
  ),
  centroid: v.nullable(v.array(number)),
})

const restart = v.object({ run: count, seed: count, iterations: count, stopped, inertia: number })

const timings = v.object({
  ...{ loadMs: number, uploadMs: number, initMs: number, assignMs: times, updateMs: times },
  ...{ convergeMs: times, iterateMs: times, downloadMs: number, otherMs: number, totalMs: number },
})

const machine = v.object({
  ...{ cpu: text, cores: count, memoryBytes: number, os: text, devices: texts },
  versions: v.record(v.string(), v.string()),
})

const receipt = v.looseObject({
  dialect: v.looseObject({ format: text }),
  evidence: v.looseObject({}),
  ...{ rows: count, warnings: texts, notes: texts, chosenTypes: v.array(v.looseObject({ name: text })) },
})

/** Keys that a later version added are kept as they are. */
export const recordSchema = v.pipe(
  v.looseObject({
    ...{ id: text, startedAt: text, file, receipt, config: v.object(runConfigEntries) },
    ...{ engine: v.picklist(engineIds), device: text, deviceName: text, variant: text },
    ...{ regime: v.nullable(text), reason: v.nullable(text), deterministic: v.boolean() },
    precision: v.exactOptional(v.picklist(precisions)),
    ...{ features: v.array(feature), tolerance: number, n: count, d: count, k: count },
    ...{ droppedRows: count, filledCells: count, seed: count, restarts: v.array(restart) },
    ...{ bestRun: count, iterations: count, stopped, converged: v.boolean(), inertia: number },
    resultSha256: v.exactOptional(text),
    verified: v.exactOptional(v.object({ verdict: v.picklist(verdicts), at: text, resultSha256: text })),
    ...{ clusters: v.array(cluster), history: v.array(iteration), timings, machine },
    ...{ hostDeviceBytesPerIteration: number, warnings: texts },
  }),
  v.check(
    ({ clusters, features, k, d }) =>
      clusters.length === k &&
      features.length === d &&
      clusters.every(({ centroid }) => centroid === null || centroid.length === d),
    'as many clusters and features as it says',
  ),
)

/** Null for what is no record. */
export function recordFrom(value: unknown): RunRecord | null {
  const parsed = v.safeParse(recordSchema, value)
  // What is loose is shown as text or not at all.
  return parsed.success ? (parsed.output as unknown as RunRecord) : null
}
