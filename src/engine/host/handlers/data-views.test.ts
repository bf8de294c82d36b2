import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { dataViewHandlers } from './data-views'

const never = new AbortController().signal
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-views-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A host with one file open. */
async function hostOf(text: string) {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  const store = new HostStore(new Spool(null))
  const dataset = await openDataset(path, {}, () => undefined, never)
  store.addDataset(dataset)
  return { store, path, datasetId: dataset.id, handlers: dataViewHandlers(store) }
}

describe('dataset.histogram', () => {
  it('counts the numbers of a column in units of the file', async () => {
    const { handlers, datasetId } = await hostOf('a,b\n1,x\n2,y\n,z\n5,x\n')
    const answer = await handlers['dataset.histogram']({ datasetId, column: 0, bins: 4 })
    expect(answer).toEqual({ min: 1, max: 5, counts: [1, 1, 0, 1] })
  })

  it('refuses a column without numbers, one that is not there, and a file that is closed', async () => {
    const { handlers, store, datasetId } = await hostOf('a,b\n1,x\n2,y\n4,z\n')
    const ask = (column: number) => handlers['dataset.histogram']({ datasetId, column, bins: 4 })
    await expect(ask(1)).rejects.toMatchObject({ code: 'argument' })
    await expect(ask(9)).rejects.toMatchObject({ code: 'argument' })
    await store.closeDataset(datasetId)
    await expect(ask(0)).rejects.toMatchObject({ code: 'dataset.unknown' })
  })
})
