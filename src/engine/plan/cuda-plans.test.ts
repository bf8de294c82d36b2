import { expect, it } from 'vitest'
import { regimes as fused } from '@kernels/variants/fused/regimes.cuda'
import { hasBetterTable, regimes as pruned } from '@kernels/variants/pruned/regimes.cuda'
import type { CudaFacts, PlanHints, PlanQuestion } from '@shared/plan'
import { readDeviceFacts } from './device-facts-file'
import { bestRegime, regimeChain, withFinding } from '@shared/regimes'

/** The card of docs/performance.md, as its driver describes it. */
const h200 = (await readDeviceFacts('docs/devices/nvidia-h200-cuda.json')) as CudaFacts

/** A card of before matrix units. */
const turing: CudaFacts = {
  ...h200,
  name: 'T4',
  computeCapability: [7, 5],
  multiprocessors: 40,
  sharedBytesPerBlock: 65536,
}

function ask(n: number, d: number, k: number, hints: PlanHints = {}, device = h200): PlanQuestion<CudaFacts> {
  return { shape: { n, d, k }, device, hints }
}

function planned(n: number, d: number, k: number, hints: PlanHints = {}, device = h200): string {
  return regimeChain(fused, ask(n, d, k, hints, device)).join(' > ')
}

const near = 'neighbour-boxes > matrix-scores'
const plane = 'neighbour-boxes > plane-cells > private-sums'

it.each([
  [100_000, 2, 5, 'message-passing'],
  [50_000, 2, 512, 'register-resident'],
  [4_000_000, 8, 200, near],
  [1_000_000, 8, 400, near],
  [10_000_000, 2, 10, plane],
  [100_000_000, 2, 10, plane],
  [1_000_000, 64, 1024, 'matrix-filter > sorted-runs'],
  [1_000_000, 128, 1024, 'matrix-filter > sorted-runs'],
  [8_000_000, 128, 1024, 'matrix-filter > sorted-runs'],
])('plans %i points, d %i, k %i of docs/performance.md', (n, d, k, expected) => {
  expect(planned(n, d, k)).toBe(expected)
})

/**
 * What is planned from some k on, until the next that is named; k of 2, 10, 17, 65, 400, 1024 and 4096 are asked for. The names stand
 * in the order in which probes of the data are asked.
 */
const spread: readonly (readonly [number, number, Readonly<Record<number, string>>])[] = [
  [5_000, 1, { 2: 'message-passing', 65: 'register-resident' }],
  [5_000, 2, { 2: 'message-passing', 65: 'register-resident' }],
  [5_000, 3, { 2: 'message-passing', 65: 'register-resident' }],
  [5_000, 4, { 2: 'message-passing', 65: 'register-resident', 4096: 'staged-centroids' }],
  [5_000, 8, { 2: 'matrix-scores', 4096: 'staged-centroids' }],
  [5_000, 32, { 2: 'matrix-scores', 1024: 'staged-centroids', 4096: 'tiled' }],
  [5_000, 33, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [5_000, 128, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [5_000, 784, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [100_000, 1, { 2: 'register-resident', 10: 'message-passing', 17: 'register-resident' }],
  [100_000, 2, { 2: 'register-resident' }],
  [100_000, 3, { 2: 'message-passing', 10: 'register-resident' }],
  [100_000, 4, { 2: 'message-passing', 10: 'register-resident', 4096: 'staged-centroids' }],
  [100_000, 8, { 2: 'matrix-scores', 4096: 'staged-centroids' }],
  [
    100_000,
    32,
    { 2: 'matrix-scores', 400: 'neighbour-boxes > matrix-scores', 1024: 'staged-centroids', 4096: 'tiled' },
  ],
  [100_000, 33, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [100_000, 128, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [100_000, 784, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [
    3_000_000,
    1,
    { 2: 'neighbour-boxes > private-sums', 17: 'neighbour-boxes > matrix-scores', 4096: 'matrix-scores' },
  ],
  [
    3_000_000,
    2,
    {
      2: 'neighbour-boxes > plane-cells > private-sums',
      17: 'neighbour-boxes > plane-cells > matrix-scores',
      1024: 'neighbour-boxes > matrix-scores',
      4096: 'matrix-scores',
    },
  ],
  [
    3_000_000,
    3,
    { 2: 'neighbour-boxes > private-sums', 17: 'neighbour-boxes > matrix-scores', 4096: 'staged-centroids' },
  ],
  [
    3_000_000,
    4,
    {
      2: 'private-sums',
      10: 'matrix-scores',
      400: 'neighbour-boxes > matrix-scores',
      4096: 'staged-centroids',
    },
  ],
  [3_000_000, 8, { 2: 'matrix-scores', 65: 'neighbour-boxes > matrix-scores', 4096: 'staged-centroids' }],
  [
    3_000_000,
    32,
    { 2: 'matrix-scores', 17: 'neighbour-boxes > matrix-scores', 1024: 'staged-centroids', 4096: 'tiled' },
  ],
  [3_000_000, 33, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [3_000_000, 128, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
  [3_000_000, 784, { 2: 'sorted-runs', 10: 'matrix-filter > sorted-runs' }],
]

it.each(spread)('plans %i points of %i features as ever', (n, d, expected) => {
  let from = ''
  for (const k of [2, 10, 17, 65, 400, 1024, 4096]) {
    from = expected[k] ?? from
    expect(planned(n, d, k), `k ${k}`).toBe(from)
  }
})

it('has no whole runs where iterations are timed, and no table where changes are counted', () => {
  expect(planned(50_000, 2, 512, { timed: true })).toBe('matrix-scores')
  expect(planned(10_000_000, 2, 10, { countsChanges: true })).toBe('neighbour-boxes > private-sums')
  expect(planned(600_000, 2, 10, { countsChanges: true })).toBe('private-sums')
})

it('keeps nothing of points that pass through the device', () => {
  expect(planned(10_000_000, 2, 10, { streamed: true })).toBe('private-sums')
  expect(planned(1_000_000, 8, 400, { streamed: true })).toBe('matrix-scores')
  expect(planned(1_000_000, 64, 1024, { streamed: true })).toBe('tiled')
})

it('passes over what there is no memory for', () => {
  expect(planned(10_000_000, 2, 10, { freeBytes: 2 ** 29 })).toBe('plane-cells > private-sums')
  expect(planned(10_000_000, 2, 10, { freeBytes: 2 ** 28 })).toBe('private-sums')
  expect(planned(1_000_000, 64, 1024, { freeBytes: 2 ** 28 })).toBe('sorted-runs')
  expect(planned(10_000_000, 2, 10, { memoryShort: true })).toBe('private-sums')
})

it('takes an older card for what it is', () => {
  expect(planned(1_000_000, 8, 400, {}, turing)).toBe('staged-centroids')
  expect(planned(1_000_000, 64, 1024, {}, turing)).toBe('sorted-runs')
  expect(planned(1_000_000, 8, 4096, {}, turing)).toBe('tiled')
})

it('says why, and what the probe of the data found', () => {
  const question = ask(1_000_000, 8, 400)
  const first = bestRegime(fused, question)
  expect(first.reason).toContain('which a probe decides')
  expect(first.regime?.probe?.(question)).toEqual({ name: 'neighbours-together', otherwise: 'matrix-scores' })
  const found = bestRegime(fused, withFinding(question, 'neighbours-together', true))
  expect(found.regime?.name).toBe('neighbour-boxes')
  expect(found.reason).not.toContain('probe')
  expect(found.regime?.probe?.(withFinding(question, 'neighbours-together', true))).toBeNull()
})

it('leaves labels to a regime that keeps nothing', () => {
  const others = (n: number, d: number, k: number) => {
    const question = ask(n, d, k)
    return bestRegime(fused, question).regime?.otherPasses?.(question)
  }
  expect(others(100_000, 2, 5)).toEqual(['private-sums'])
  expect(others(1_000_000, 8, 400)).toEqual(['matrix-scores'])
  expect(others(1_000_000, 64, 1024)).toBeUndefined()
})

it('prunes by tiles, and names what passes by brute force are made by', () => {
  const question = ask(1_000_000, 8, 400)
  expect(regimeChain(pruned, question)).toEqual(['tile-bounds', 'brute-then-tile-bounds'])
  expect(bestRegime(pruned, question).regime?.otherPasses?.(question)).toEqual([
    'neighbour-boxes',
    'matrix-scores',
  ])
  const small = ask(5000, 2, 20)
  expect(regimeChain(pruned, small)).toEqual(['brute-then-tile-bounds'])
  // A single pass is no whole run.
  expect(bestRegime(pruned, small).regime?.otherPasses?.(small)).toEqual(['matrix-scores'])
})

it('prunes by bounds of points where features are many', () => {
  expect(regimeChain(pruned, ask(1_000_000, 64, 1024))).toEqual(['point-bounds'])
  expect(regimeChain(pruned, ask(100, 64, 20))).toEqual(['point-bounds'])
})

it.each([
  [2000, 8, 50, {}, 'Tiles are made of 2049'],
  [1_000_000, 300, 50, {}, '33 to 256 features'],
  [1_000_000, 64, 8, {}, '9 to 4096 clusters'],
  [1_000_000, 64, 5000, {}, '9 to 4096 clusters'],
  [1_000_000, 8, 400, { streamed: true }, 'do not fit'],
  [1_000_000, 8, 400, { freeBytes: 2 ** 28 }, 'too little memory'],
])('refuses to prune %i points, d %i, k %i rather than hand them to fused', (n, d, k, hints, reason) => {
  const best = bestRegime(pruned, ask(n, d, k, hints))
  expect(best.regime).toBeNull()
  expect(best.reason).toContain(reason)
})

it('knows where a table of the plane beats tiles', () => {
  expect(hasBetterTable({ n: 1_000_000, d: 2, k: 100 })).toBe(true)
  expect(hasBetterTable({ n: 1_000_000, d: 2, k: 512 })).toBe(false)
  expect(regimeChain(pruned, ask(1_000_000, 2, 100))).toEqual(['brute-then-tile-bounds'])
  expect(regimeChain(pruned, ask(1_000_000, 2, 512))).toEqual(['tile-bounds', 'brute-then-tile-bounds'])
})
