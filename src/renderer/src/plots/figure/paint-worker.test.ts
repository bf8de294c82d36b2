import { beforeEach, describe, expect, it, vi } from 'vitest'
import { installFakePainter } from '../../../test/fake-painter'
import { ColumnCache } from '../steps/column-cache'
import { PaintWorker } from './paint-worker'

let started: number
beforeEach(() => {
  installFakePainter()
  started = 0
  class Counted extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      started++
    }
  }
  vi.stubGlobal('Worker', Counted)
})

const view = {
  ...{ width: 1, height: 1, minX: 0, maxX: 1, minY: 0, maxY: 1, radius: 1 },
  ...{ colours: new Uint32Array(1), neutral: 0 },
}

describe('a painting worker that was stopped', () => {
  it('starts no other one for a column that is still copied', async () => {
    const painter = new PaintWorker()
    const copied = painter.put('x', new Float32Array((1 << 20) + 1))
    painter.dispose()
    await copied
    painter.reserve('y', 'float', 1)
    expect(started).toBe(1)
  })

  it('refuses a picture', async () => {
    const painter = new PaintWorker()
    painter.dispose()
    const picture = painter.bitmap({ x: 'x', y: 'y', labels: null, view, marks: null })
    await expect(picture).rejects.toMatchObject({ code: 'plot.unpainted' })
    expect(started).toBe(0)
  })
})

describe('the cache of columns', () => {
  it('copies nothing that is no longer wanted when it has come', async () => {
    const columnCache = new ColumnCache(new PaintWorker())
    let wanted = true
    const load = () => {
      wanted = false
      return Promise.resolve({ values: new Float32Array(3), offset: 0, unit: 1 })
    }
    expect(await columnCache.hold({ key: 'x', load }, () => wanted)).toBeNull()
    expect(started).toBe(0)
  })
})
