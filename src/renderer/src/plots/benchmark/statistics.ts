/** What takes long to compute of a comparison: intervals by resampling. Pure; `statistics.worker.ts` carries it out. */
import { crossoversOf, type PairCrossings } from '@shared/benchmark/crossover'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { scalingGroups, type ScalingGroup } from '@shared/benchmark/scaling'
import { speedupsOf, type Speedup } from '@shared/benchmark/speedups'

export interface Sweep {
  readonly group: ScalingGroup
  readonly pairs: readonly PairCrossings[]
}

export interface BenchmarkStatistics {
  readonly speedups: readonly Speedup[]
  readonly sweeps: readonly Sweep[]
}

/** Speed-ups to a baseline, and every sweep with its crossovers. */
export function benchmarkStatistics(document: BenchmarkDocument, baseline: string): BenchmarkStatistics {
  return {
    speedups: speedupsOf(document, baseline),
    sweeps: scalingGroups(document).map((group) => ({ group, pairs: crossoversOf(group) })),
  }
}

export interface StatisticsRequest {
  readonly id: number
  readonly document: BenchmarkDocument
  readonly baseline: string
}

export type StatisticsAnswer =
  | { readonly id: number; readonly ok: true; readonly statistics: BenchmarkStatistics }
  | { readonly id: number; readonly ok: false; readonly reason: string }
