import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCentroidFile } from './centroid-file'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroids-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const features = [{ name: 'width' }, { name: 'height' }]
let files = 0

async function read(text: string) {
  const path = join(folder, `centroids ${++files}.csv`)
  await writeFile(path, text)
  const { k, values } = await readCentroidFile(path, features)
  return { k, values: [...values] }
}

describe('a centroid file', () => {
  const expected = { k: 2, values: [1.5, 10, 2.5, 20] }
  it.each([
    ['that we wrote', 'cluster,size,inertia,width,height\n0,5,1.25,1.5,10\n1,6,0.5,2.5,20\n'],
    ['with columns in another order', 'cluster,size,inertia,height,width\n0,5,1.25,10,1.5\n1,6,0.5,20,2.5\n'],
    ['with the feature columns alone', 'height,width\n10,1.5\n20,2.5\n'],
    ['without names', '1.5,10\n2.5,20\n'],
    ['with other names in the order of the features', 'x,y\n1.5,10\n2.5,20\n'],
    ['separated by blanks', '1.5 10\n2.5 20\n'],
    ['with decimal commas and semicolons', 'width;height\n1,5;10\n2,5;20\n'],
    ['with names below a blank line', '\nwidth,height\n1.5,10\n2.5,20\n'],
    ['with blank lines', '\n1.5,10\n\n2.5,20\n\n'],
  ])('%s', async (_, text) => {
    expect(await read(text)).toEqual(expected)
  })

  it('of one row', async () => {
    expect(await read('width,height\n1.5,10\n')).toEqual({ k: 1, values: [1.5, 10] })
  })

  it('that looks like the headed format is read as what it is', async () => {
    const path = join(folder, 'headed.csv')
    await writeFile(path, '3\n1\n2\n1.5\n7\n9\n')
    const { k, values } = await readCentroidFile(path, [{ name: 'x' }])
    expect({ k, values: [...values] }).toEqual({ k: 6, values: [3, 1, 2, 1.5, 7, 9] })
  })

  it.each([
    ['has one of two names', 'height,with\n10,1.5\n', 'centroids.columns', "no column 'width'"],
    ['lacks a feature', 'width,depth,x\n1,2,3\n', 'centroids.columns', "no column 'height'"],
    [
      'has a word for a number',
      'width,height\n1,2\n3,tall\n',
      'centroids.not-a-number',
      'Row 3, column height',
    ],
    ['has a gap', 'width,height\n1,2\n,4\n', 'centroids.not-a-number', 'Row 3, column width'],
    ['has a short row', 'width,height\n1,2\n3\n', 'centroids.not-a-number', 'Row 3, column height'],
    ['has no rows', 'width,height\n', 'centroids.empty', 'no centroids'],
    ['is empty', '', 'csv.empty', 'is empty'],
  ])('that %s is refused', async (_, text, code, message) => {
    const reading = read(text)
    await expect(reading).rejects.toMatchObject({ kind: 'input', code })
    await expect(reading).rejects.toThrow(message)
  })

  it('that is not there is refused', async () => {
    const reading = readCentroidFile(join(folder, 'nowhere.csv'), features)
    await expect(reading).rejects.toMatchObject({ code: 'csv.not-found' })
    await expect(reading).rejects.toThrow(/^The centroid file .*nowhere\.csv does not exist/)
  })
})
