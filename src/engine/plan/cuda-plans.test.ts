import { expect, it } from 'vitest'
import { regimes as fused } from '@kernels/variants/fused/regimes.cuda'
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

/** Of a short run unless asked otherwise: bounds are kept in long ones only. */
function planned(n: number, d: number, k: number, hints: PlanHints = {}, device = h200): string {
  return regimeChain(fused, ask(n, d, k, { iterations: 5, ...hints }, device)).join(' > ')
}

const near = 'neighbour-boxes > matrix-scores'
const plane = 'neighbour-boxes > staged-points'

it.each([
  [100_000, 2, 5, 'message-passing'],
  [50_000, 2, 512, 'register-resident'],
  [4_000_000, 8, 200, near],
  [1_000_000, 8, 400, near],
  [10_000_000, 2, 10, plane],
  [100_000_000, 2, 10, plane],
  [1_000_000, 64, 1024, 'matrix-filter > tiled'],
  [1_000_000, 128, 1024, 'matrix-filter > tiled'],
  [8_000_000, 128, 1024, 'matrix-filter > tiled'],
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
  [5_000, 4, { 2: 'message-passing', 65: 'register-resident', 4096: 'matrix-scores' }],
  [5_000, 8, { 2: 'staged-points', 65: 'matrix-scores' }],
  [5_000, 32, { 2: 'staged-points', 400: 'matrix-scores', 4096: 'matrix-filter > tiled' }],
  [5_000, 33, { 2: 'staged-points', 65: 'row-pieces', 400: 'matrix-filter > tiled' }],
  [5_000, 128, { 2: 'row-pieces', 400: 'matrix-filter > tiled' }],
  [5_000, 784, { 2: 'row-pieces', 65: 'matrix-filter > tiled' }],
  [100_000, 1, { 2: 'register-resident', 10: 'message-passing', 17: 'register-resident' }],
  [100_000, 2, { 2: 'register-resident' }],
  [100_000, 3, { 2: 'message-passing', 10: 'register-resident' }],
  [100_000, 4, { 2: 'message-passing', 10: 'register-resident', 4096: 'matrix-scores' }],
  [
    100_000,
    8,
    {
      2: 'staged-points',
      65: 'matrix-scores',
      1024: 'neighbour-boxes > matrix-scores',
      4096: 'matrix-scores',
    },
  ],
  [
    100_000,
    32,
    {
      2: 'staged-points',
      400: 'neighbour-boxes > matrix-filter > matrix-scores',
      1024: 'matrix-filter > matrix-scores',
      4096: 'matrix-filter > tiled',
    },
  ],
  [100_000, 33, { 2: 'staged-points', 65: 'row-pieces', 400: 'matrix-filter > tiled' }],
  [100_000, 128, { 2: 'row-pieces', 400: 'matrix-filter > tiled' }],
  [100_000, 784, { 2: 'row-pieces', 65: 'matrix-filter > tiled' }],
  [3_000_000, 1, { 2: 'neighbour-boxes > staged-points', 65: 'neighbour-boxes > matrix-scores' }],
  [3_000_000, 2, { 2: 'neighbour-boxes > staged-points', 65: 'neighbour-boxes > matrix-scores' }],
  [3_000_000, 3, { 2: 'neighbour-boxes > staged-points', 65: 'neighbour-boxes > matrix-scores' }],
  [3_000_000, 4, { 2: 'staged-points', 65: 'neighbour-boxes > matrix-scores', 4096: 'matrix-scores' }],
  [3_000_000, 8, { 2: 'staged-points', 65: 'neighbour-boxes > matrix-scores', 4096: 'matrix-scores' }],
  [
    3_000_000,
    32,
    {
      2: 'staged-points',
      17: 'neighbour-boxes > staged-points',
      400: 'neighbour-boxes > matrix-filter > matrix-scores',
      1024: 'matrix-filter > matrix-scores',
      4096: 'matrix-filter > tiled',
    },
  ],
  [3_000_000, 33, { 2: 'staged-points', 65: 'matrix-filter > row-pieces', 400: 'matrix-filter > tiled' }],
  [3_000_000, 128, { 2: 'row-pieces', 65: 'matrix-filter > row-pieces', 400: 'matrix-filter > tiled' }],
  [3_000_000, 784, { 2: 'row-pieces', 65: 'matrix-filter > tiled' }],
]

it.each(spread)('plans %i points of %i features as ever', (n, d, expected) => {
  let from = ''
  for (const k of [2, 10, 17, 65, 400, 1024, 4096]) {
    from = expected[k] ?? from
    expect(planned(n, d, k), `k ${k}`).toBe(from)
  }
})

it('has no whole runs where iterations are timed', () => {
  expect(planned(50_000, 2, 512, { timed: true })).toBe('matrix-scores')
})

it('keeps nothing of points that pass through the device', () => {
  expect(planned(10_000_000, 2, 10, { streamed: true })).toBe('staged-points')
  expect(planned(1_000_000, 8, 400, { streamed: true })).toBe('matrix-scores')
  expect(planned(1_000_000, 64, 1024, { streamed: true })).toBe('tiled')
})

it('passes over what there is no memory for', () => {
  expect(planned(10_000_000, 2, 10, { freeBytes: 2 ** 29 })).toBe('staged-points')
  expect(planned(10_000_000, 2, 10, { freeBytes: 2 ** 28 })).toBe('staged-points')
  expect(planned(1_000_000, 64, 1024, { freeBytes: 2 ** 28 })).toBe('tiled')
  expect(planned(10_000_000, 2, 10, { memoryShort: true })).toBe('staged-points')
})

it('reads the points of few clusters once, copied ahead, as long as that outweighs what scores cost', () => {
  expect(planned(12_000_000, 5, 3)).toBe('staged-points')
  expect(planned(1_000_000, 64, 32)).toBe('staged-points')
  expect(planned(1_000_000, 64, 64)).toBe('staged-points')
  expect(planned(1_000_000, 64, 65)).toBe('matrix-filter > row-pieces')
  expect(planned(1_000_000, 64, 129)).toBe('matrix-filter > tiled')
  expect(planned(900_000, 8, 64)).toBe('staged-points')
  expect(planned(900_000, 8, 65)).toBe('matrix-scores')
  expect(planned(1_000, 24, 100)).toBe('staged-points')
  expect(planned(1_000_000, 65, 3)).toBe('row-pieces')
  expect(planned(50_000, 1024, 32)).toBe('row-pieces')
  expect(planned(50_000, 1024, 33)).toBe('matrix-filter > tiled')
  expect(planned(1_000_000, 784, 10, { streamed: true })).toBe('row-pieces')
  expect(planned(1_000_000, 16, 10, { streamed: true })).toBe('staged-points')
  expect(planned(1_000_000, 16, 10, {}, turing)).toBe('tiled')
})

it('takes an older card for what it is', () => {
  expect(planned(1_000_000, 8, 400, {}, turing)).toBe('tiled')
  expect(planned(1_000_000, 64, 1024, {}, turing)).toBe('tiled')
  expect(planned(1_000_000, 8, 4096, {}, turing)).toBe('tiled')
})

it('says why, and what the probe of the data found', () => {
  const question = ask(1_000_000, 8, 400, { iterations: 5 })
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
    const question = ask(n, d, k, { iterations: 5 })
    return bestRegime(fused, question).regime?.otherPasses?.(question)
  }
  expect(others(100_000, 2, 5)).toEqual(['staged-points'])
  expect(others(1_000_000, 8, 400)).toEqual(['matrix-scores'])
  expect(others(1_000_000, 64, 1024)).toBeUndefined()
})

const long = { iterations: 300 }

it('keeps bounds of tiles where clusters are many, and names what passes by brute force are made by', () => {
  const question = ask(1_000_000, 8, 400, long)
  expect(regimeChain(fused, question)).toEqual(['tile-bounds'])
  expect(bestRegime(fused, question).regime?.otherPasses?.(question)).toEqual([
    'neighbour-boxes',
    'matrix-scores',
  ])
  expect(regimeChain(fused, ask(1_000_000, 8, 64, long))).not.toContain('tile-bounds')
  expect(regimeChain(fused, ask(20_000, 8, 400, long))).not.toContain('tile-bounds')
})

it('keeps bounds of points only where they are asked for', () => {
  expect(regimeChain(fused, ask(1_000_000, 64, 1024, long))).toEqual(['matrix-filter', 'tiled'])
  expect(regimeChain(fused, ask(10_000, 64, 200, long))).toEqual(['matrix-filter', 'tiled'])
  const byName = fused.find(({ name }) => name === 'point-bounds')
  expect(byName?.refuses(ask(1_000_000, 64, 1024, long))).toBeNull()
  // Visits take more shared memory than this card has in a block.
  const ampere: CudaFacts = { ...h200, computeCapability: [8, 6], sharedBytesPerBlock: 101_376 }
  expect(byName?.refuses({ ...ask(1_000_000, 256, 1024), device: ampere })).toContain('shared memory')
})

it('keeps no bounds where nobody tells that a session lasts', () => {
  expect(planned(1_000_000, 8, 400)).toBe('neighbour-boxes > matrix-scores')
  expect(planned(1_000_000, 64, 1024)).toBe('matrix-filter > tiled')
})

it.each([
  ['tile-bounds', 2000, 8, 50, {}, 'Tiles are made of 2049'],
  ['tile-bounds', 1_000_000, 33, 50, {}, 'up to 32 features'],
  ['point-bounds', 1_000_000, 300, 50, {}, '33 to 256 features'],
  ['point-bounds', 1_000_000, 64, 8, {}, '9 to 4096 clusters'],
  ['point-bounds', 1_000_000, 64, 5000, {}, '9 to 4096 clusters'],
  ['tile-bounds', 1_000_000, 8, 400, { streamed: true }, 'do not fit'],
  ['tile-bounds', 1_000_000, 8, 400, { freeBytes: 2 ** 28 }, 'too little memory'],
])('%s refuses %i points, d %i, k %i and says why', (name, n, d, k, hints, reason) => {
  const regime = fused.find((one) => one.name === name)
  expect(regime?.refuses(ask(n, d, k, hints))).toContain(reason)
  expect(planned(n, d, k, { ...hints, iterations: 300 })).not.toContain(name)
})

it('knows where chunks of the plane beat tiles', () => {
  expect(regimeChain(fused, ask(10_000_000, 2, 200, long))).not.toContain('tile-bounds')
  expect(regimeChain(fused, ask(2_000_000, 2, 500, long))).not.toContain('tile-bounds')
  expect(regimeChain(fused, ask(2_000_000, 2, 700, long))).toEqual(['tile-bounds'])
})

it.each([
  [8, 200, 9, false, near],
  [8, 200, 50, false, 'tile-bounds'],
  [16, 200, 50, false, 'matrix-scores'],
  [16, 200, 50, true, 'matrix-scores'],
])(
  'plans a billion points, d %i, k %i, in the memory that a card has',
  (d, k, iterations, streamed, expected) => {
    const freeBytes = 149e9 - 4e9 * d
    expect(planned(1e9, d, k, { freeBytes, iterations, streamed })).toBe(expected)
  },
)
