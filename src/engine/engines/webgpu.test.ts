import { afterEach, describe, expect, it } from 'vitest'
import { variants } from '@kernels/variants'
import { webgpuVariants } from '@kernels/variants/webgpu'
import { pointsOf } from '@tests/parity/fixtures'
import { sessionConfig } from '@tests/parity/session-config'
import type { Coordinates, Points, Session, SessionConfig } from './engine'
import { webgpuEngine } from './webgpu'
import { adapterOf } from './webgpu/adapters'
import { leaseDevice } from './webgpu/device-pool'
import type { GpuDevice } from './webgpu/gpu-device'
import { factsOf } from './webgpu/facts'
import { openRegime, questionFor } from './webgpu/open-session'
import { plannedFor } from './webgpu/planned-for'

const names = webgpuEngine.variants().map(({ id }) => id)
const never = new AbortController().signal
const all = { iterations: 1000, milliseconds: 60_000 }
const open: Session[] = []

const closeAll = async () => {
  for (const session of open.splice(0)) await session.close()
}

afterEach(closeAll)

/** Deterministic clustered points in [-1, 1). */
function blobs(n: number, d: number, centres: number, seed = 1): Points {
  let state = seed
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
  const middle = Float64Array.from({ length: centres * d }, () => 1.6 * next() - 0.8)
  const x = Float32Array.from({ length: n * d }, (_, at) => {
    const centre = Math.floor(at / d) % centres
    return middle[centre * d + (at % d)] + 0.1 * (next() - 0.5)
  })
  return pointsOf(x, n, d)
}

const firstRows = ({ x, d }: Points, k: number) => x.slice(0, k * d)

function configOf(variant: string, k: number, more: Partial<SessionConfig> = {}): SessionConfig {
  return sessionConfig(variant, { k, ...more })
}

/** A session at its start. Earlier ones are closed, so that it finds their device and its compiled kernels. */
async function started(points: Points, config: SessionConfig, centroids: Coordinates): Promise<Session> {
  await closeAll()
  const session = await webgpuEngine.open(points, config, null)
  open.push(session)
  await session.start(centroids)
  return session
}

/** By the plan, on a device that is given. */
async function openOn(gpu: GpuDevice, points: Points, config: SessionConfig, limitBytes?: number) {
  const facts = await factsOf(await adapterOf(null))
  const { regime } = plannedFor(config, questionFor(points, config, facts))
  return openRegime(gpu, points, config, regime, facts, limitBytes)
}

/** One iteration in float64: what the device must agree with. */
function reference({ x, n, d }: Points, centroids: Coordinates, k: number) {
  const labels = new Int32Array(n)
  const sums = new Float64Array(k * d)
  const counts = new Float64Array(k)
  let inertia = 0
  const smallest = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const distances = Float64Array.from({ length: k }, (_, c) => distance(x, i, centroids, c, d))
    labels[i] = distances.indexOf(distances.reduce((a, b) => Math.min(a, b)))
    smallest[i] = distances[labels[i]]
    inertia += smallest[i]
    counts[labels[i]]++
    for (let j = 0; j < d; j++) sums[labels[i] * d + j] += x[i * d + j]
  }
  const means = Float32Array.from(centroids, (old, at) => {
    const members = counts[Math.floor(at / d)]
    return members === 0 ? old : sums[at] / members
  })
  return { labels, means, inertia, smallest }
}

function distance(x: Coordinates, i: number, centroids: Coordinates, c: number, d: number): number {
  let sum = 0
  for (let j = 0; j < d; j++) sum += (x[i * d + j] - centroids[c * d + j]) ** 2
  return sum
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]))
  return largest
}

describe('the WebGPU engine', () => {
  it('finds an adapter and names it', async () => {
    expect(await webgpuEngine.availability()).toEqual({ available: true })
    const [device] = await webgpuEngine.devices()
    expect(device.id).toBe('webgpu:0')
    expect(device.name).not.toBe('')
  })

  it('offers the variants that have a kernel', () => {
    expect(names).toEqual(variants.filter(({ engines }) => engines.webgpu !== undefined).map(({ id }) => id))
  })

  it('refuses an unknown device and a variant without a kernel in one sentence', async () => {
    const points = blobs(10, 2, 2)
    await expect(webgpuEngine.open(points, configOf('fused', 2), 'webgpu:9')).rejects.toThrow(/webgpu:9/)
    await expect(webgpuEngine.open(points, configOf('openmp', 2), null)).rejects.toThrow(/'openmp'/)
  })

  it('opens the regime that is named, or says why it cannot', async () => {
    const points = blobs(200, 2, 3)
    const open = async (variant: string, regime: string, more: Partial<SessionConfig> = {}) => {
      const session = await webgpuEngine.open(points, configOf(variant, 3, { regime, ...more }), null)
      await session.close()
      return session.plan
    }
    expect(await open('fused', 'staged-points')).toEqual({
      regime: 'staged-points',
      reason: 'It was asked for by name.',
    })
    expect((await open('fused', 'plane-cells', { trackChanged: false }))?.regime).toBe('plane-cells')
    await expect(open('fused', 'plane-cells')).rejects.toThrow(/cannot run on .*: It writes no labels/)
    await expect(open('fused', 'matrix-filter')).rejects.toThrow(/'matrix-filter' of 'fused' cannot run/)
    await expect(open('fused', 'grid')).rejects.toThrow(
      /one of .*staged-points for the regime .* received 'grid'/,
    )
    await expect(open('hybrid', 'staged-points')).rejects.toThrow(
      /one of as-studied for the regime of hybrid on webgpu/,
    )
  })

  it('tells what plans depend on', async () => {
    const [{ id, name, software }] = await webgpuEngine.devices()
    expect(await webgpuEngine.facts?.(id)).toMatchObject({ engine: 'webgpu', name, software })
  })

  it('refuses sums beyond one buffer, naming need and limit', async () => {
    const points: Points = { x: new Float32Array(60_000), n: 1, d: 60_000, maxAbs: new Float32Array(60_000) }
    const opening = webgpuEngine.open(points, configOf('fused', 5000), null)
    await expect(opening).rejects.toThrow(/cluster sums would need 3600000000 bytes of the \d+/)
  })
})

describe.each(names)('%s on WebGPU', (variant) => {
  // Beside those of parity: eight features and hundreds of clusters, and a row larger than workgroup memory.
  it.each([
    [700, 8, 600],
    [3, 8300, 2],
  ])('agrees with float64 step by step at n %i, d %i, k %i', async (n, d, k) => {
    const points = blobs(n, d, Math.min(n, 6))
    const session = await started(points, configOf(variant, k), firstRows(points, k))
    let centroids: Coordinates = firstRows(points, k)
    for (let iteration = 1; iteration <= 2; iteration++) {
      const expected = reference(points, centroids, k)
      const { labels, inertia } = await session.read()
      for (let i = 0; i < n; i++) {
        const excess = distance(points.x, i, centroids, labels[i], d) - expected.smallest[i]
        expect(excess).toBeLessThanOrEqual((d + 4) * 2 ** -22 * expected.smallest[i] + d * 2 ** -120)
      }
      expect(inertia).toBeNull()
      const [stats] = await session.advance({ iterations: 1, milliseconds: 60_000 }, never)
      expect(stats.iteration).toBe(iteration)
      expect(largestDifference(stats.centroids ?? [], expected.means)).toBeLessThanOrEqual(2e-7)
      expect(Math.abs((stats.inertia ?? 0) - expected.inertia)).toBeLessThanOrEqual(1e-6 * n * d)
      centroids = stats.centroids ?? centroids
    }
  })

  it('gives exact labels and ties to the lowest index on integers', async () => {
    const x = Float32Array.from({ length: 2000 }, (_, at) => (((at * 7919) % 17) - 8) / 16)
    const points = pointsOf(x, x.length / 2, 2)
    const centroids = Float32Array.of(0.5, 0.5, -0.5, -0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.5)
    const session = await started(points, configOf(variant, 5), centroids)
    expect((await session.read()).labels).toEqual(reference(points, centroids, 5).labels)
    const [stats] = await session.advance({ iterations: 1, milliseconds: 60_000 }, never)
    expect(stats.centroids).toEqual(reference(points, centroids, 5).means)
    expect(stats.emptyClusters).toBe(1)
  })

  it('gives the same bytes whatever the budgets, and when run again', async () => {
    const points = blobs(3000, 2, 9)
    const config = configOf(variant, 12, { stop: 'labels' })
    const session = await started(points, config, firstRows(points, 12))
    const whole = await session.advance(all, never)
    const result = await session.read()
    await session.start(firstRows(points, 12))
    const single = []
    while (single.at(-1)?.stop !== true) {
      single.push(...(await session.advance({ iterations: 1, milliseconds: 0 }, never)))
    }
    expect(single).toEqual(whole)
    expect({ ...(await session.read()), downloadMs: 0 }).toEqual({ ...result, downloadMs: 0 })
    expect(whole.at(-1)?.changed).toBe(0)
    expect(whole[0].changed).toBe(3000)
  })

  it.each(['relative-shift', 'coordinate-shift', 'inertia'] as const)('stops by %s', async (stop) => {
    const points = blobs(2000, 2, 5)
    const plain = { trackInertia: false, trackChanged: false, trackCentroids: false }
    const session = await started(
      points,
      configOf(variant, 8, { stop, threshold: 1e-5, ...plain }),
      firstRows(points, 8),
    )
    const rows = await session.advance(all, never)
    const last = rows.at(-1)
    expect(last?.stop).toBe(true)
    expect(rows.slice(0, -1).some((row) => row.stop)).toBe(false)
    expect(last?.changed).toBeNull()
    expect(last?.centroids).toBeNull()
    const met = {
      'relative-shift': (last?.shiftSquared ?? 1) <= 1e-5,
      'coordinate-shift': (last?.maxCoordinateShift ?? 1) <= 1e-5,
      inertia: rows.length > 1 && (rows.at(-2)?.inertia ?? 1) - (last?.inertia ?? 0) < 1e-5,
    }
    expect(met[stop] || last?.maxCoordinateShift === 0).toBe(true)
  })

  it('keeps an empty cluster, moves it to the farthest point, or drops it', async () => {
    const points = pointsOf(Float32Array.of(-0.5, -0.5, -0.25, 0.5, 0.5, 0.75), 6, 1)
    const centroids = Float32Array.of(-0.5, -0.5, 0.5)
    const once = { iterations: 1, milliseconds: 60_000 }
    const keep = await started(points, configOf(variant, 3), centroids)
    expect((await keep.advance(once, never))[0].centroids?.[1]).toBe(-0.5)
    const farthest = await started(points, configOf(variant, 3, { empty: 'farthest' }), centroids)
    // -0.25 and 0.75 are equally far; the lower index moves, and leaves its donor's mean.
    expect((await farthest.advance(once, never))[0].centroids).toEqual(
      Float32Array.of(-0.5, -0.25, Math.fround(1.75 / 3)),
    )
    const drop = await started(points, configOf(variant, 3, { empty: 'drop', stop: 'labels' }), centroids)
    const rows = await drop.advance(all, never)
    expect(rows[0].centroids?.[1]).toBeNaN()
    expect(rows[0].emptyClusters).toBe(1)
    expect(rows[1].changed).toBe(0)
    const result = await drop.read()
    expect([...result.labels]).toEqual([0, 0, 0, 2, 2, 2])
    expect(result.centroids[1]).toBeNaN()
  })

  it('gives the same bytes when the points do not fit one buffer', async () => {
    const points = blobs(3000, 2, 9)
    const config = configOf(variant, 12)
    const budget = { iterations: 6, milliseconds: 60_000 }
    const whole = await started(points, config, firstRows(points, 12))
    const expected = { stats: await whole.advance(budget, never), ...(await whole.read()), downloadMs: 0 }
    await closeAll()
    const split = await openOn(await leaseDevice(await adapterOf(null)), points, config, 4096)
    open.push(split)
    await split.start(firstRows(points, 12))
    const found = { stats: await split.advance(budget, never), ...(await split.read()), downloadMs: 0 }
    expect(found).toEqual(expected)
  })

  it('times phases on the device where it can', async () => {
    const points = blobs(2000, 2, 5)
    const session = await started(points, configOf(variant, 8, { timing: 'phases' }), firstRows(points, 8))
    const rows = await session.advance({ iterations: 3, milliseconds: 60_000 }, never)
    for (const row of rows) {
      expect(row.totalMs).toBeGreaterThan(0)
      expect(row.convergeMs).toBeGreaterThanOrEqual(0)
      const inOneKernel = variant === 'fused' || variant === 'irregular-reduction'
      expect(row.iterateMs === null).toBe(!inOneKernel)
      expect(row.assignMs === null).toBe(inOneKernel)
    }
  })

  it.runIf(webgpuVariants[variant].hostUpdate === undefined)(
    'says how many bytes an iteration moves',
    async () => {
      const [k, d] = [8, 2]
      const points = blobs(200, d, 5)
      const bytesOf = async (more: Partial<SessionConfig>) =>
        (await started(points, configOf(variant, k, more), firstRows(points, k))).hostDeviceBytesPerIteration
      const back = 4 * (k + 3) + 4 * k * d
      expect(await bytesOf({ trackInertia: false })).toBe(back)
      expect(await bytesOf({ trackInertia: true })).toBe(back + 12 * k * d)
      expect(await bytesOf({ trackInertia: false, timing: 'phases' })).toBe(back + 4 * k * d)
    },
  )

  it('says so when the device is lost, and works again on a fresh one', async () => {
    const points = blobs(3000, 2, 9)
    const config = configOf(variant, 12)
    const gpu = await leaseDevice(await adapterOf(null))
    const doomed = await openOn(gpu, points, config)
    await doomed.start(firstRows(points, 12))
    gpu.destroy()
    const failed = doomed.advance({ iterations: 1, milliseconds: 1000 }, never)
    await expect(failed).rejects.toMatchObject({ kind: 'engine-lost', message: /WebGPU device failed while/ })
    const fresh = await started(points, config, firstRows(points, 12))
    expect(await fresh.advance({ iterations: 1, milliseconds: 1000 }, never)).toHaveLength(1)
  })
})
