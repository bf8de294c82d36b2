import type { AnyPoints } from '../engines/engine'
import { gatheredData } from '../processes/collective'
import { Slices } from '../slices'
import type { SeedingState } from './kernel'
import { Draws, streams } from './philox'
import { fillUp, takeRowsOfAll } from './rows'
import { weightedSeeding } from './weighted-seeding'

const rounds = 5
/** Points drawn together: their distances are copied out of the kernel at once. */
const chunk = 65_536

/**
 * k-means|| (Bahmani, Moseley, Vattani, Kumar and Vassilvitskii, "Scalable k-means++", VLDB 2012): 5 rounds that
 * each take every point on its own with probability min(1, 2k D2 / potential); the roughly 10k candidates,
 * weighted by the points nearest to them, are then seeded by greedy k-means++.
 * Stream `kMeansParallel`: the first row at round 0, index 0; point i of round r (1 to 5) at round r, index i.
 */
export async function kMeansParallel(
  points: Pick<AnyPoints, 'x' | 'n' | 'd' | 'part'>,
  state: SeedingState,
  k: number,
  seed: number,
  signal: AbortSignal,
): Promise<Int32Array> {
  const candidates = await drawCandidates(points, state, k, seed, signal)
  if (candidates.length <= k) return Int32Array.from(fillUp(candidates, k))
  const rows = Int32Array.from(candidates)
  const weights = await state.nearestCounts(rows)
  const chosen = await weightedSeeding(await takeRowsOfAll(points, rows), weights, points.d, k, seed, signal)
  const seeds = chosen.map((position) => rows[position])
  return Int32Array.from(fillUp(seeds, k))
}

async function drawCandidates(
  points: Pick<AnyPoints, 'n' | 'part'>,
  state: SeedingState,
  k: number,
  seed: number,
  signal: AbortSignal,
): Promise<number[]> {
  const draws = new Draws(seed, streams.kMeansParallel)
  const candidates = [draws.below(points.n, 0, 0)]
  let potential = await state.commit(Int32Array.from(candidates))
  for (let round = 1; round <= rounds && potential > 0; round++) {
    const drawn = await drawRound(points, state, draws, round, (2 * k) / potential, signal)
    for (const row of drawn) candidates.push(row)
    if (drawn.length > 0) potential = await state.commit(Int32Array.from(drawn))
  }
  return candidates
}

/** A chosen point has D2 = 0 afterwards and is never drawn again. */
async function drawRound(
  { n, part }: Pick<AnyPoints, 'n' | 'part'>,
  state: SeedingState,
  draws: Draws,
  round: number,
  perDistance: number,
  signal: AbortSignal,
): Promise<number[]> {
  const slices = new Slices(signal)
  const drawn: number[] = []
  const { first, count } = part ?? { first: 0, count: n }
  for (let start = first; start < first + count; start += chunk) {
    const distances = await state.distances(start, Math.min(chunk, first + count - start))
    for (let i = 0; i < distances.length; i++) {
      if (distances[i] > 0 && draws.uniform(round, start + i) < distances[i] * perDistance)
        drawn.push(start + i)
    }
    await slices.next()
  }
  return part === undefined ? drawn : (await gatheredData(part.processes, drawn)).flat()
}
