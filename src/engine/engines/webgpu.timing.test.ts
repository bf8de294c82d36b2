import { expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { blobs, optionsFor } from './cpu/testing/points'
import { webgpuEngine } from './webgpu'

const never = new AbortController().signal
const all = { iterations: 1000, milliseconds: 60_000 }
const names = webgpuEngine.variants().map(({ id }) => id)

it.each(names)(
  '%s on WebGPU answers an abort within 200 ms and goes on where it was',
  measuresTime,
  async (variant) => {
    const k = 200
    const points = blobs(24_000, 4, 20)
    const config = optionsFor({ variant, k, trackChanged: true, trackInertia: true })
    const session = await webgpuEngine.open(points, config, null)
    const start = () => session.start(points.x.slice(0, k * points.d))
    try {
      await start()
      const stopper = new AbortController()
      setTimeout(() => stopper.abort(), 150)
      let abortedAt = 0
      stopper.signal.addEventListener('abort', () => (abortedAt = performance.now()))
      const before = await session.advance(all, stopper.signal)
      expect(performance.now() - abortedAt).toBeLessThan(200)
      const [next] = await session.advance({ iterations: 1, milliseconds: 60_000 }, never)
      await start()
      const again = await session.advance({ iterations: before.length + 1, milliseconds: 60_000 }, never)
      expect(again.at(-1)).toEqual(next)
    } finally {
      await session.close()
    }
  },
)
