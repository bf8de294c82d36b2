import type { SeedingState } from './kernel'
import { Draws, streams } from './philox'
import { fillUp } from './rows'

/** Candidates tried for each further centroid. */
export function candidatesFor(k: number): number {
  return 2 + Math.floor(Math.log(k))
}

/**
 * Greedy k-means++ (Arthur and Vassilvitskii, SODA 2007, section 4: several candidates drawn by D2 weighting, the
 * one that lowers the potential most is kept; ties to the candidate drawn first). O(n d k log k).
 * Stream `kMeansPlusPlus`: the first row at round 0, index 0; candidate l of centroid c at round c, index l.
 */
export async function kMeansPlusPlus(
  state: SeedingState,
  n: number,
  k: number,
  seed: number,
  check: () => void,
): Promise<Int32Array> {
  const draws = new Draws(seed, streams.kMeansPlusPlus)
  const rows = [draws.below(n, 0, 0)]
  if (state.greedy !== undefined && k > 1) {
    const chosen = await state.greedy(rows[0], allDraws(draws, k), candidatesFor(k))
    return Int32Array.from(fillUp([...chosen], k))
  }
  let potential = await state.commit(Int32Array.from(rows))
  while (rows.length < k && potential > 0) {
    check()
    const best = await bestCandidate(state, draws, rows.length, candidatesFor(k), potential)
    rows.push(best)
    potential = await state.commit(Int32Array.of(best))
  }
  return Int32Array.from(fillUp(rows, k))
}

/** (k - 1, candidates) */
function allDraws(draws: Draws, k: number): Float64Array {
  const count = candidatesFor(k)
  const drawOf = (at: number) => draws.uniform(1 + Math.floor(at / count), at % count)
  return Float64Array.from({ length: (k - 1) * count }, (_, at) => drawOf(at))
}

async function bestCandidate(
  state: SeedingState,
  draws: Draws,
  round: number,
  count: number,
  potential: number,
): Promise<number> {
  const targets = Float64Array.from({ length: count }, (_, l) => draws.uniform(round, l) * potential)
  const candidates = await state.pick(targets)
  const potentials = await state.potentials(candidates)
  let best = 0
  for (let l = 1; l < count; l++) if (potentials[l] < potentials[best]) best = l
  return candidates[best]
}
