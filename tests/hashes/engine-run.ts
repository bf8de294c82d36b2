import type { PreparedPoints } from '@engine/dataset/prepared'
import type { Engine } from '@engine/engines/engine'
import { cluster } from '@engine/run/clustering'
import { resultHash } from '@engine/run/result-hash'
import type { RunConfig } from '@shared/run-config'
import type { Device } from '@shared/variant'
import { refusalOf } from '../parity/contenders'

/** Where and how a case is carried out. */
export interface Way {
  readonly name: string
  readonly engine: Engine
  readonly device: Device
  /** Absent: the plan's. */
  readonly regime?: string
  /** Of the processor; absent: as many as there are. */
  readonly threads?: number
  /** Of the processor: `baseline`, `avx2` or `avx512`; absent: the best there is. */
  readonly isa?: string
}

const observer = { phase: () => undefined, iterations: () => undefined }

/** `result_sha256` of a whole run, seeding and final pass included; null where the regime refuses the shape. */
export async function hashOn(way: Way, points: PreparedPoints, config: RunConfig): Promise<string | null> {
  const { engine, device, regime = null, threads, isa } = way
  const asked = { ...config, engine: engine.id, device: device.id, variant: 'fused', regime }
  const candidates = [{ engine, device, variant: 'fused' }]
  const before = process.env.CENTROID_LAB_ISA
  if (isa !== undefined) process.env.CENTROID_LAB_ISA = isa
  try {
    const signal = new AbortController().signal
    const job = { points, features: [], config: asked, candidates, loadMs: 0 }
    const { best } = await cluster({ ...job, ...(threads !== undefined && { threads }) }, observer, signal)
    const { labels, centroids, summary, final } = best
    const { n, d } = points
    return await resultHash(
      { n, d, iterations: summary.iterations, labels, centroids, inertia: final.inertia },
      signal,
    )
  } catch (error) {
    if (regime !== null && refusalOf(error) !== null) return null
    throw error
  } finally {
    if (before === undefined) delete process.env.CENTROID_LAB_ISA
    else process.env.CENTROID_LAB_ISA = before
  }
}
