import type { Coordinates, Points } from '@engine/engines/engine'
import { seed } from '@engine/init'
import { chooseKernel } from '@engine/init/choose-kernel'
import { philox4x32 } from '@engine/init/philox'
import type { EmptyPolicy } from '@shared/run-config'
import { check, checkLabels } from './check'
import { checkSteps } from './check-step'
import { withSession, type Contender } from './contenders'
import { pointsOf, randomPoints, unitPoints } from './fixtures'
import type { ParityCheck } from './parity-checks'
import { preparedPoints } from './prepared-points'

interface Case {
  readonly points: Points
  readonly k: number
  readonly empty?: EmptyPolicy
}

const never = new AbortController().signal
const seedValue = 2 ** 40 + 11
const iterations = 12

/** Blobs between columns that hold one value each, at either end and in the middle. */
function withConstants(): Points {
  const { x, n } = randomPoints({ n: 900, d: 2, seed: 41, blobs: 5 })
  const rows = Float32Array.from({ length: n * 5 }, (_, at) => {
    const [i, j] = [Math.floor(at / 5), at % 5]
    return j % 2 === 0 ? [0.375, -0.25, 0][j / 2] : x[2 * i + (j - 1) / 2]
  })
  return pointsOf(rows, n, 5)
}

const cases: Readonly<Record<string, Case>> = {
  'well separated blobs': { points: randomPoints({ n: 3001, d: 3, seed: 5, blobs: 6, scale: 0.2 }), k: 6 },
  'constant columns': { points: withConstants(), k: 5 },
  'nothing but constant columns': { points: unitPoints(new Float64Array(21).fill(7), 7, 3), k: 3 },
  'one row': { points: unitPoints(Float64Array.of(3, -5), 1, 2), k: 1 },
  'k = N': { points: randomPoints({ n: 37, d: 2, seed: 9 }), k: 37 },
  'k = N, farthest': { points: randomPoints({ n: 37, d: 2, seed: 9 }), k: 37, empty: 'farthest' },
  'k = N, drop': { points: randomPoints({ n: 37, d: 2, seed: 9 }), k: 37, empty: 'drop' },
  '1 600 000 000 ± 5': {
    points: randomPoints({ n: 2003, d: 2, seed: 3, blobs: 4, scale: 0.5, offset: 1.6e9 }),
    k: 4,
  },
  '40 features': { points: randomPoints({ n: 700, d: 40, seed: 12, blobs: 8 }), k: 8 },
}

/** That every engine starts at the same bytes, keeps to the contract from there, and ends with the labels of the others. */
export function randomBoxChecks(contender: Contender): ParityCheck[] {
  return Object.entries(cases).map(([name, one]) => ({
    group: 'random coordinates',
    name,
    run: () => checkStartAndRun(contender, name, one),
  }))
}

/** kernels/contract.md, "Random box", in its own words: (k, d). */
function byContract({ x, n, d }: Points, k: number): Float32Array {
  const columns = Array.from({ length: d }, (_, j) =>
    Float64Array.from({ length: n }, (_, i) => x[i * d + j]),
  )
  const words = new Uint32Array(4)
  return Float32Array.from({ length: k * d }, (_, at) => {
    const [c, j] = [Math.floor(at / d), at % d]
    philox4x32([j, 0, c, 10], [seedValue >>> 0, Math.floor(seedValue / 2 ** 32)], words)
    const u = ((words[0] >>> 5) * 2 ** 26 + (words[1] >>> 6)) * 2 ** -53
    const [least, most] = [Math.min(...columns[j]), Math.max(...columns[j])]
    return Math.fround(Math.min(most, least + u * (most - least)))
  })
}

/** What a run on this device starts from. */
function startOf({ engine, device }: Contender, points: Points, k: number): Promise<Coordinates> {
  const prepared = preparedPoints(points)
  const config = { init: 'random-box', k, centroidsFile: null, features: [] } as const
  return seed(prepared, config, seedValue, chooseKernel(engine, device.id, prepared, k), never)
}

function labelsOf(contender: Contender, { points, k, empty }: Case, start: Coordinates) {
  const config = { k, ...(empty && { empty }) }
  return withSession(contender, points, config, async (session) => {
    await session.start(start)
    // A call may end before its budget does.
    for (let done = 0; done < iterations;) {
      const stats = await session.advance({ iterations: iterations - done, milliseconds: 60_000 }, never)
      done += stats.length
      if (stats.at(-1)?.stop) break
    }
    return (await session.read()).labels
  })
}

/** By case: the labels that the first contender ended with, which all others must have. */
const first = new Map<string, { readonly name: string; readonly labels: Int32Array }>()

async function checkStartAndRun(contender: Contender, name: string, one: Case): Promise<void> {
  const { points, k, empty } = one
  const start = await startOf(contender, points, k)
  const same = Buffer.compare(bytes(start), bytes(byContract(points, k))) === 0
  check(same, 'the start has not the bytes of the contract')
  // Dropped clusters are no start of a further step.
  const steps = empty === 'drop' ? 1 : 2
  await checkSteps(contender, { points, k, centroids: start, steps, ...(empty && { empty }) })
  const labels = await labelsOf(contender, one, start)
  const expected = first.get(name) ?? { name: contender.name, labels }
  first.set(name, expected)
  checkLabels(labels, expected.labels, `labels of ${contender.name}, held to ${expected.name}`)
}

function bytes({ buffer, byteOffset, byteLength }: Coordinates): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
