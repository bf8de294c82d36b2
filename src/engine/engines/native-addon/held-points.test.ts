import { expect, it, vi } from 'vitest'
import { holdOn } from './held-points'

const points = { x: new Float32Array(8), n: 4, d: 2, maxAbs: new Float32Array(2) }

function addonWith(upload: () => Promise<void>) {
  const close = vi.fn()
  const HeldPoints = vi.fn(function () {
    return { upload, close }
  })
  return { addon: { HeldPoints: HeldPoints as never }, HeldPoints, close }
}

it('holds points until it is closed', async () => {
  const { addon, HeldPoints, close } = addonWith(async () => undefined)
  const held = await holdOn(addon, points, 1, 1e6)
  expect(HeldPoints).toHaveBeenCalledWith(points.x, 4, 2, 1)
  expect(close).not.toHaveBeenCalled()
  await held?.close()
  expect(close).toHaveBeenCalledOnce()
})

it('leaves points to their sessions that do not fit beside these, in float64, or fail', async () => {
  const { addon, HeldPoints } = addonWith(async () => undefined)
  expect(await holdOn(addon, points, 0, 100)).toBeNull()
  expect(await holdOn(addon, { ...points, x: new Float64Array(8) }, 0, 1e6)).toBeNull()
  expect(await holdOn({}, points, 0, 1e6)).toBeNull()
  expect(HeldPoints).not.toHaveBeenCalled()
  const failing = addonWith(() => Promise.reject(new Error('no memory')))
  expect(await holdOn(failing.addon, points, 0, 1e6)).toBeNull()
  expect(failing.close).toHaveBeenCalledOnce()
})
