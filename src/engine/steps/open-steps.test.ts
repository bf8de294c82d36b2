import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSteps } from './open-steps'

const signal = new AbortController().signal
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-steps-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function filesAre(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** What a person sees of every step: coordinates by feature, labels, centroids. */
async function shown() {
  const { folder: summary, points } = await openSteps(folder, signal)
  return summary.steps.map(({ iteration, clusters, centroids }, at) => ({
    iteration,
    columns: points[at].columns.map((column) =>
      Array.from({ length: column.length }, (_, row) => column.at(row)),
    ),
    labels: [...points[at].labels],
    clusters,
    centroids,
  }))
}

const columns = [
  [1.5, 2.5, 8.5, 9.5],
  [0.5, 0.25, 7.5, 7.25],
]
const labels = [0, 0, 1, 1]
const centroids = [
  [2, 0.375],
  [9, 7.375],
]
const expected = [1, 2].map((iteration) => ({ iteration, columns, labels, clusters: [0, 1], centroids }))

/** The same two steps under two names a step. */
function bothSteps(names: (step: number) => readonly [string, string], points: string, means: string): void {
  for (const step of [1, 2]) {
    const [ofPoints, ofCentroids] = names(step)
    filesAre({ [ofPoints]: points, [ofCentroids]: means })
  }
}

describe('step pairs of another program', () => {
  const headless = '1.5,0.5,0\n2.5,0.25,0\n8.5,7.5,1\n9.5,7.25,1\n'

  it('without headers, the cluster last, open as ours do', async () => {
    bothSteps((step) => [`points_${step}.csv`, `centroids_${step}.csv`], headless, '2,0.375\n9,7.375\n')
    expect(await shown()).toEqual(expected)
  })

  it('with the cluster first in both files, in blanks instead of commas', async () => {
    const points = '0 1.5 0.5\n0 2.5 0.25\n1 8.5 7.5\n1 9.5 7.25\n'
    bothSteps((step) => [`${step}_data.txt`, `${step}_centers.txt`], points, '0 2 0.375\n1 9 7.375\n')
    expect(await shown()).toEqual(expected)
  })

  it('with headers of their own, the cluster by name wherever it stands', async () => {
    const points = 'label;x;y\n0;1,5;0,5\n0;2,5;0,25\n1;8,5;7,5\n1;9,5;7,25\n'
    bothSteps((step) => [`iter${step}.csv`, `iter${step}_means.csv`], points, 'x;y\n2;0,375\n9;7,375\n')
    expect(await shown()).toEqual(expected)
  })

  it('with centroids under other names than the points', async () => {
    bothSteps((step) => [`s${step}a.csv`, `s${step}b.csv`], headless, 'cx,cy\n2,0.375\n9,7.375\n')
    expect(await shown()).toEqual(expected)
  })

  it('whose clusters count from 1 belong to the centroids in their order, also in a step without the last', async () => {
    const from = (...own: number[]) =>
      `1.5,0.5,${own[0]}\n2.5,0.25,${own[1]}\n8.5,7.5,${own[2]}\n9.5,7.25,${own[3]}\n`
    const means = '2,0.375\n9,7.375\n'
    filesAre({ 'points_1.csv': from(1, 1, 2, 2), 'centroids_1.csv': means })
    filesAre({ 'points_2.csv': from(1, 1, 1, 1), 'centroids_2.csv': means })
    expect((await shown()).map(({ clusters }) => clusters)).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('are refused where points are of a cluster that has no centroid', async () => {
    filesAre({ 'points1.csv': '1.5,0.5,0\n2.5,0.25,2\n8.5,7.5,1\n', 'centroids1.csv': '2,0.375\n9,7.375\n' })
    await expect(openSteps(folder, signal)).rejects.toThrow(
      /centroids1\.csv has no row for cluster 2, of which there are points: .* taken for clusters 0 to 1, /,
    )
  })

  it('are refused in a sentence that names the files where they do not pair', async () => {
    filesAre({ 'points1.csv': headless, 'other1.csv': headless, 'centroids1.csv': '2,0.375\n' })
    await expect(openSteps(folder, signal)).rejects.toThrow(
      /holds centroids1\.csv, other1\.csv, points1\.csv for step 1, and not one table of points and a smaller one of centroids: put the points and the centroids of each step there, and no other numbered tables\.$/,
    )
  })

  it('are refused where the centroids have other coordinates', async () => {
    filesAre({ 'points1.csv': headless, 'centroids1.csv': '2,0.375,4,5\n9,7.375,4,5\n' })
    await expect(openSteps(folder, signal)).rejects.toThrow(
      /centroids1\.csv has 3 columns of coordinates where the points have 2/,
    )
  })

  it('give way to files of our own names in the same folder', async () => {
    mkdirSync(join(folder, 'nothing 7.csv'))
    filesAre({
      'step-3-points.csv': 'x,y,cluster\n1.5,0.5,0\n',
      'step-3-centroids.csv': 'cluster,x,y\n0,1.5,0.5\n',
      'points1.csv': headless,
    })
    expect((await shown()).map(({ iteration }) => iteration)).toEqual([3])
  })
})
