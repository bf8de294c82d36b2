import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '../csv/open-dataset'
import { prepare, resolveFeatures } from './prepare'

const never = new AbortController().signal
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centre-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function pointsOf(text: string) {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  const dataset = await openDataset(path, {}, () => undefined, never)
  const features = resolveFeatures(dataset, null).map(({ index }) => index)
  return await prepare(dataset, { features, missing: 'drop', scaling: 'none' }, never)
}

const times = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i))
/** 1.6e9 + {0, 4, 8}, each with a second coordinate. */
const far = (i: number) => `${1_600_000_000 + 4 * (i % 3)},${i % 3}`

describe('the offset of a feature', () => {
  it('is that of the rows that are points, whatever the first rows of the file are', async () => {
    const near = times(250, (i) => `${(i % 10) / 10},`)
    const { x, toFile, n } = await pointsOf(`t,u\n${[...near, ...times(300, far)].join('\n')}\n`)
    const values = [...(toFile(x, n) ?? [])].filter((_, at) => at % 2 === 0)
    expect(n).toBe(300)
    expect(values).toEqual(times(300, (i) => String(1_600_000_000 + 4 * (i % 3))).map(Number))
  })

  it('suits most rows where some of the first ones are far away', async () => {
    const near = times(250, (i) => `${(i % 10) / 10},0`)
    const { x, toFile, n } = await pointsOf(`t,u\n${[...near, ...times(2000, far)].join('\n')}\n`)
    const values = [...(toFile(x, n) ?? [])].filter((_, at) => at % 2 === 0).slice(250)
    expect(values).toEqual(times(2000, (i) => String(1_600_000_000 + 4 * (i % 3))).map(Number))
  })

  it('does not depend on the order of the rows', async () => {
    const rows = times(999, (i) => `${1e6 + Math.sin(i * 7.7) * 50},${(i * 37) % 101}`)
    const forward = await pointsOf(`a,b\n${rows.join('\n')}\n`)
    const backward = await pointsOf(`a,b\n${[...rows].reverse().join('\n')}\n`)
    expect([...backward.transform.offset]).toEqual([...forward.transform.offset])
    const turned = times(999, (i) => [...forward.x.subarray(2 * (998 - i), 2 * (998 - i) + 2)].join())
    expect([...backward.x].join()).toEqual(turned.join())
  })
})
