import { asStudied } from '../plan'
import type { BenchmarkDocument } from './document'

/** Why each contender ran as it did, each reason once: `cpu/fused, tiled: …`. Variants that have one way only say nothing. */
export function regimeNotes({ rows }: Pick<BenchmarkDocument, 'rows'>): readonly string[] {
  const notes = rows.flatMap(({ contender, regime, regimeReason }) =>
    regime === null || regimeReason === null || regime === asStudied
      ? []
      : [`${contender}, ${regime}: ${regimeReason}`],
  )
  return [...new Set(notes)]
}
