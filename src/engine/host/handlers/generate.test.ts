import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TimingLock } from '@engine/benchmark/timing-lock'
import { defaultSpecOf } from '@shared/generator'
import { generateHandlers } from './generate'

describe('generated data in the host', () => {
  it('previews the first two features of the first points', async () => {
    const handlers = generateHandlers(() => undefined, new TimingLock())
    const spec = { ...defaultSpecOf('blobs'), n: 30, d: 4 }
    const few = await handlers['generate.preview']({ spec, count: 10 })
    const all = await handlers['generate.preview']({ spec, count: 5000 })
    expect(all.points).toHaveLength(60)
    expect(few.points).toEqual(all.points.slice(0, 20))
    const line = await handlers['generate.preview']({ spec: { ...spec, d: 1 }, count: 10 })
    expect([...line.points].filter((_, i) => i % 2 === 1)).toEqual(Array<number>(10).fill(0))
  })

  it('tells how far a file is, and a cancel leaves none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-generate-'))
    const events: unknown[] = []
    const handlers = generateHandlers((channel, payload) => {
      events.push([channel, payload])
      void handlers['generate.cancel']({})
    }, new TimingLock())
    const spec = { ...defaultSpecOf('uniform'), n: 100_000_000 }
    const write = handlers['generate.write']({
      spec,
      format: 'csv',
      path: join(folder, 'a.csv'),
      replace: true,
    })
    await expect(write).rejects.toMatchObject({ kind: 'cancelled' })
    expect(events[0]).toEqual(['generate.progress', { rows: expect.any(Number), totalRows: 100_000_000 }])
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
  })
})
