import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isShared, sharedFloats, sharedIntegers } from '@/shared-arrays'
import { RasterLayer } from './raster-layer'
import type { RasterRequest } from './raster-messages'

let sent: RasterRequest[] = []

beforeEach(() => {
  sent = []
  vi.stubGlobal(
    'Worker',
    class {
      addEventListener = () => undefined
      postMessage = (request: RasterRequest) => sent.push(request)
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const layer = () => new RasterLayer(() => undefined)

it('arrays that the worker sees are handed over as they are', () => {
  vi.stubGlobal('crossOriginIsolated', true)
  const [x, y, labels] = [sharedFloats(3), sharedFloats(3), sharedIntegers(3)]
  expect([x, y, labels].map(isShared)).toEqual([true, true, true])
  const arrived = vi.fn()
  const raster = layer()
  raster.setPoints(x, y, arrived)
  raster.setLabels(labels, arrived)
  expect(sent).toEqual([
    { kind: 'columns', x, y },
    { kind: 'labels', start: 0, labels },
  ])
  expect(sent[0]).toHaveProperty('x', x)
  expect(arrived).toHaveBeenCalledTimes(2)
})

it('of any other array it gets a copy, and the window keeps its own', () => {
  vi.stubGlobal('crossOriginIsolated', false)
  const [x, y, labels] = [sharedFloats(3), sharedFloats(3), sharedIntegers(3)]
  expect([x, y, labels].map(isShared)).toEqual([false, false, false])
  const raster = layer()
  raster.setPoints(x, y, () => undefined)
  raster.setLabels(labels, () => undefined)
  expect(sent.map(({ kind }) => kind)).toEqual(['reserve', 'part', 'part', 'labels'])
  const [, part] = sent
  expect(part.kind === 'part' && part.values.buffer).not.toBe(x.buffer)
})
