import { expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { cpuEngine } from './cpu'
import { blobs, optionsFor } from './cpu/testing/points'
import type { IterationStats } from './engine'

const never = new AbortController().signal
const whole = { iterations: 1000, milliseconds: 60_000 }
const { available } = await cpuEngine.availability()
const variants = cpuEngine.variants().map(({ id }) => id)

it.skipIf(!available).each(variants)(
  '%s on the CPU answers aborts within 200 ms and goes on as if nothing had happened',
  measuresTime,
  async (variant) => {
    const k = 300
    const points = blobs(60_000, 16, 5)
    const config = optionsFor({ variant, k, trackChanged: true, trackCentroids: true })
    const open = async () => {
      const session = await cpuEngine.open(points, config, null)
      await session.start(points.x.slice(0, k * 16))
      return session
    }
    const session = await open()
    const iterations: IterationStats[] = []
    let slowest = 0
    for (const wait of [5, 30, 60, 90]) {
      const controller = new AbortController()
      let abortedAt = Infinity
      const timer = setTimeout(() => {
        abortedAt = performance.now()
        controller.abort()
      }, wait)
      iterations.push(...(await session.advance(whole, controller.signal)))
      slowest = Math.max(slowest, performance.now() - abortedAt)
      clearTimeout(timer)
      if (iterations.at(-1)?.stop === true) break
    }
    const missing = Math.max(1, 4 - iterations.length)
    iterations.push(...(await session.advance({ ...whole, iterations: missing }, never)))
    await session.close()
    expect(slowest).toBeLessThan(200)
    const undisturbed = await open()
    const straight = await undisturbed.advance({ ...whole, iterations: iterations.length }, never)
    await undisturbed.close()
    expect(iterations).toEqual(straight)
  },
)
