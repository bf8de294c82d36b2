import { describe, expect, it } from 'vitest'
import { silhouetteSample } from '@shared/silhouettes'
import { engines } from '../engines'
import type { Engine, SilhouetteProvider } from '../engines/engine'
import type { LabelledPoints } from './labelled-points'
import { silhouettesOf, SilhouetteSampling } from './silhouettes'

const n = 4 * silhouetteSample
const never = new AbortController().signal
const x = Float32Array.from({ length: n }, (_, i) => (i % 16) / 16)
const points = { x, n, d: 1, maxAbs: Float32Array.of(1) }

const clustered = (k: number): LabelledPoints => ({
  points,
  labels: Int32Array.from({ length: n }, (_, i) => i % k),
  k,
})

/** A device that notes how many points it is asked for, and takes so long that exact silhouettes are refused. */
function slowDevice(sizes: number[]) {
  const provider: SilhouetteProvider = {
    trialWork: 128 ** 2,
    compute: async (_x, _d, labels) => {
      sizes.push(labels.length)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return true
    },
    share: () => 0,
    cancel: () => undefined,
  }
  const engine: Engine = { ...engines.cpu, silhouettes: () => provider }
  return { engine, deviceId: 'slow' }
}

describe('silhouettes of several clusterings of the same points', () => {
  it('try once whether exact ones are quick, and take the same rows', async () => {
    const sizes: number[] = []
    const options = { extent: 'auto', seed: 7, signal: never, on: slowDevice(sizes) } as const
    const sampling = new SilhouetteSampling(points, 7)
    const two = await silhouettesOf(clustered(2), { ...options, sampling })
    const three = await silhouettesOf(clustered(3), { ...options, sampling })
    expect(sizes).toEqual([128, silhouetteSample, silhouetteSample])
    expect(three.sample).toEqual(two.sample)
  })

  it('take the rows that each alone takes', async () => {
    const options = { extent: 'auto', seed: 7, signal: never, on: slowDevice([]) } as const
    const shared = await silhouettesOf(clustered(3), {
      ...options,
      sampling: new SilhouetteSampling(points, 7),
    })
    const alone = await silhouettesOf(clustered(3), options)
    expect(shared.sample).toEqual(alone.sample)
    expect(alone.sample).toHaveLength(silhouetteSample)
  })

  it('count a cluster whose only point comes last', async () => {
    const labels = new Int32Array(n)
    labels[n - 1] = 1
    const options = { extent: 'exact', seed: 1, signal: never, on: slowDevice([]) } as const
    const { clusters } = await silhouettesOf({ points, labels, k: 2 }, options)
    expect(clusters.map(({ size }) => size)).toEqual([n - 1, 1])
  })
})
