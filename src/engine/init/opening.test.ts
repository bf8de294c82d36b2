import { expect, it } from 'vitest'
import { randomPoints } from '@tests/parity/fixtures'
import type { PreparedPoints } from '../dataset/prepared'
import { seed } from '.'
import type { SeedingState } from './kernel'
import { typescriptKernel } from './typescript-kernel'

const points = randomPoints({ n: 500, d: 2, seed: 3 }) as unknown as PreparedPoints
const config = { init: 'k-means++', k: 5, centroidsFile: null, features: [] } as const

/** A place that opens when it is told to. */
function late() {
  const closed: string[] = []
  let open: () => void = () => undefined
  const ready = new Promise<void>((resolve) => (open = resolve))
  const provider = {
    name: 'webgpu' as const,
    async open(x: Float32Array, n: number, d: number): Promise<SeedingState> {
      await ready
      return Object.assign(typescriptKernel.open(x, n, d), { close: () => closed.push('closed') })
    },
  }
  return { provider, open: () => open(), closed }
}

it('a place that takes its time to open seeds like any other, and is closed', async () => {
  const { provider, open, closed } = late()
  const { signal } = new AbortController()
  const seeding = seed(points, config, 7, provider, signal)
  open()
  expect(await seeding).toEqual(await seed(points, config, 7, typescriptKernel, signal))
  expect(closed).toEqual(['closed'])
})

it('an abort does not wait for a place to open, which is closed once it has', async () => {
  const { provider, open, closed } = late()
  const abort = new AbortController()
  const seeding = seed(points, config, 7, provider, abort.signal)
  abort.abort()
  await expect(seeding).rejects.toMatchObject({ kind: 'cancelled' })
  expect(closed).toEqual([])
  open()
  await expect.poll(() => closed).toEqual(['closed'])
})
