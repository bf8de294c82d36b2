import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAmong, whyNoMpi } from './mpi-run'
import { resultsOf } from './results'
import { writeTables, type Table } from './tables'

const because = whyNoMpi(existsSync)
/** Every case as 1 to 4 processes where `npm run test:processes` asks; with every change as two of these, turn about. */
const isThorough = process.env['CENTROID_LAB_PROCESS_KILLS'] !== undefined
const countsOf = (turn: number) => (isThorough ? [1, 2, 3, 4] : turn % 2 === 0 ? [2, 4] : [1, 3])

let home: string
let fileOf: (table: Table) => string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid processes '))
  if (because === null) fileOf = await writeTables(home)
}, 60_000)
afterAll(() => rm(home, { recursive: true, force: true }))

const cases: readonly (readonly [string, Table, readonly string[]])[] = [
  ['the usual run', 'blobs', ['-k', '12']],
  [
    'first rows, rule of labels, a history',
    'blobs',
    ['-k', '40', '--init', 'first-k', '--stop', 'labels', '--history'],
  ],
  [
    'k-means||, rule of inertia, scaled',
    'blobs',
    ['-k', '7', '--init', 'k-means||', '--stop', 'inertia', '--scaling', 'standardise'],
  ],
  [
    'a random box, empty clusters to the farthest',
    'blobs',
    ['-k', '300', '--init', 'random-box', '--empty', 'farthest', '--max-iterations', '9', '--history'],
  ],
  [
    'random rows, empty clusters dropped, three restarts',
    'blobs',
    ['-k', '30', '--init', 'random', '--empty', 'drop', '--n-init', '3', '--stop', 'coordinate-shift'],
  ],
  [
    'no rule, min-max',
    'blobs',
    ['-k', '5', '--scaling', 'min-max', '--stop', 'none', '--max-iterations', '9'],
  ],
  [
    'rows on the unit sphere, labels for NumPy',
    'blobs',
    ['-k', '5', '--scaling', 'unit-length', '--labels', 'both'],
  ],
  ['rows left out, robust', 'mixed', ['-k', '6', '--scaling', 'robust']],
  ['cells filled by the mean', 'mixed', ['-k', '6', '--missing', 'mean', '--features', 'x,y,far']],
  [
    'cells filled by the median, rows filtered',
    'mixed',
    ['-k', '6', '--missing', 'median', '--filter', 'colour = red', '--features', 'x,y'],
  ],
  [
    'texts as features',
    'mixed',
    ['-k', '6', '--features', 'x,y', '--one-hot', 'colour', '--scaling', 'standardise'],
  ],
  [
    'rows by their numbers',
    'mixed',
    ['-k', '6', '--filter', 'rows(100-40000,50001-69000)', '--features', 'x,y'],
  ],
  ['lines that are no rows', 'ragged', ['-k', '6', '--features', 'x,y', '--labels', 'both']],
  [
    'lines that are no rows, rows by their numbers',
    'ragged',
    ['-k', '6', '--features', 'x', '--filter', 'rows(20000-60000)', '--missing', 'mean'],
  ],
  ['a file that each reads whole', 'small', ['-k', '3', '--labels', 'both']],
  ['an Arrow file', 'columns', ['-k', '6', '--one-hot', 'colour', '--labels', 'both']],
  ['an array of float32', 'f4 rows', ['-k', '9', '--missing', 'mean', '--labels', 'both']],
  ['one in the order of Fortran', 'f4 columns', ['-k', '9', '--scaling', 'robust']],
  ['one with an infinite number', 'f4 infinite', ['-k', '9', '--scaling', 'standardise']],
  ['an array of float64', 'f8 rows', ['-k', '9', '--missing', 'median']],
  ['one of whole numbers', 'i8 columns', ['-k', '9']],
]

describe.skipIf(because !== null)('a run of several processes', () => {
  it.each(cases.map((each, turn) => [...each, countsOf(turn)] as const))(
    'gives the same bytes for any number of them: %s',
    { timeout: 120_000 },
    async (name, table, options, counts) => {
      const written = async (processes: number) => {
        const to = join(home, `${name} ${processes}`)
        await runAmong(processes, ['cluster', fileOf(table), ...options, '-o', to])
        return resultsOf(to)
      }
      const alone = await written(0)
      for (const processes of counts) expect(await written(processes)).toEqual(alone)
    },
  )
})
