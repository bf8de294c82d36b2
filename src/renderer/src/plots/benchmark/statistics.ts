/** What takes long to compute of a comparison: intervals by resampling. Pure; `statistics.worker.ts` carries it out. */
import { cellId } from '@shared/benchmark/cells'
import { crossoversOf, type PairCrossings } from '@shared/benchmark/crossover'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { scalingGroups, type ScalingGroup } from '@shared/benchmark/scaling'
import { speedupsOf, type Speedup } from '@shared/benchmark/speedups'

export interface Sweep {
  readonly group: ScalingGroup
  readonly pairs: readonly PairCrossings[]
}

/** Every sweep with its crossovers. */
export function sweepsOf(document: BenchmarkDocument): readonly Sweep[] {
  return scalingGroups(document).map((group) => ({ group, pairs: crossoversOf(group) }))
}

/** A speed-up as it crosses threads: its row stays where it is. */
export type Ratio = Pick<Speedup, 'speedup' | 'interval' | 'reason' | 'scaled'> & {
  /** See `cellId`. */
  readonly cell: string
}

export type StatisticsRequest =
  /** Rows that were not sent before; those of another document take the place of all. */
  | { readonly kind: 'rows'; readonly documentId: string; readonly rows: readonly Measurement[] }
  /** `document` without rows: those that were sent. */
  | {
      readonly kind: 'speedups'
      readonly id: number
      readonly document: BenchmarkDocument
      readonly baseline: string
    }
  | { readonly kind: 'sweeps'; readonly id: number; readonly document: BenchmarkDocument }

/** Parts of an answer, the last of them empty: no message holds up the thread that reads it. */
export type StatisticsAnswer =
  | { readonly id: number; readonly kind: 'ratios'; readonly ratios: readonly Ratio[] }
  | { readonly id: number; readonly kind: 'sweep'; readonly sweep: Sweep }
  | { readonly id: number; readonly kind: 'end' }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string }

/** Items that fit into one message. */
export const partLength = 100

/** The thread's side: holds the rows of one document. */
export class StatisticsService {
  #documentId = ''
  #rows = new Map<string, Measurement>()

  take(request: StatisticsRequest, answer: (answer: StatisticsAnswer) => void): void {
    if (request.kind === 'rows') return this.#hold(request)
    const { id } = request
    try {
      const document = { ...request.document, rows: [...this.#rows.values()] }
      if (request.kind === 'speedups') answerRatios(id, speedupsOf(document, request.baseline), answer)
      else for (const sweep of sweepsOf(document)) answer({ id, kind: 'sweep', sweep })
      answer({ id, kind: 'end' })
    } catch (thrown) {
      answer({ id, kind: 'failed', reason: String(thrown) })
    }
  }

  #hold({ documentId, rows }: Extract<StatisticsRequest, { kind: 'rows' }>): void {
    if (documentId !== this.#documentId) this.#rows = new Map()
    this.#documentId = documentId
    for (const row of rows) this.#rows.set(cellId(row), row)
  }
}

function answerRatios(
  id: number,
  speedups: readonly Speedup[],
  answer: (answer: StatisticsAnswer) => void,
): void {
  for (let at = 0; at < speedups.length; at += partLength) {
    const part = speedups.slice(at, at + partLength)
    const ratios = part.map(({ row, speedup, interval, reason, scaled }) => ({
      ...{ cell: cellId(row), speedup, interval, reason, scaled },
    }))
    answer({ id, kind: 'ratios', ratios })
  }
}
