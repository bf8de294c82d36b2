import { describe, expect, it } from 'vitest'
import { pairByNumber } from './pair-names'

type File = string | readonly [name: string, bytes: number]

/** Points are as large as centroids unless a size is given. */
const paired = (...files: readonly File[]) =>
  pairByNumber(
    files.map((file) => {
      const [name, bytes] = typeof file === 'string' ? [file, 100] : file
      return { name, bytes }
    }),
  )
const pairsOf = (...files: readonly File[]) =>
  paired(...files).pairs.map(({ step, points, centroids }) => `${step}: ${points} with ${centroids}`)

const namings: readonly (readonly [files: readonly File[], pairs: readonly string[]])[] = [
  [
    [
      'points_0.csv',
      'centroids_0.csv',
      'points_10.csv',
      'centroids_10.csv',
      'points_2.csv',
      'centroids_2.csv',
    ],
    [
      '0: points_0.csv with centroids_0.csv',
      '2: points_2.csv with centroids_2.csv',
      '10: points_10.csv with centroids_10.csv',
    ],
  ],
  [['0_points.txt', '0_centers.txt'], ['0: 0_points.txt with 0_centers.txt']],
  [['iter3.csv', 'iter3_means.csv'], ['3: iter3.csv with iter3_means.csv']],
  [
    ['run 2 step 1.tsv', 'run 2 step 1 centroids.tsv', 'run 2 step 2.tsv', 'run 2 step 2 centroids.tsv'],
    [
      '1: run 2 step 1.tsv with run 2 step 1 centroids.tsv',
      '2: run 2 step 2.tsv with run 2 step 2 centroids.tsv',
    ],
  ],
  [['Schritt1_A.csv', ['Schritt1_B.csv', 9]], ['1: Schritt1_A.csv with Schritt1_B.csv']],
  [['centroids_points1.csv', ['centroids_1.csv', 9]], ['1: centroids_points1.csv with centroids_1.csv']],
]

describe('files of steps of another program', () => {
  it.each(namings)('%j pair by their number', (files, pairs) => {
    expect(pairsOf(...files)).toEqual(pairs)
  })

  it('leave out what has no number, is no table, or stands alone beside pairs', () => {
    expect(pairsOf('data.csv', 'plot1.png', 'data_2048.csv', 'points1.csv', 'centroids1.csv')).toEqual([
      '1: points1.csv with centroids1.csv',
    ])
  })

  it('are no pair where there are three of a number, or two that nothing tells apart', () => {
    expect(paired('a1.csv', 'b1.csv', 'centroids1.csv')).toEqual({
      pairs: [],
      unpaired: [{ step: 1, names: ['a1.csv', 'b1.csv', 'centroids1.csv'] }],
    })
    expect(paired('a1.csv', 'b1.csv').unpaired).toEqual([{ step: 1, names: ['a1.csv', 'b1.csv'] }])
  })
})
