import { describe, expect, it } from 'vitest'
import { record } from '../../test/fixtures'
import { runDetail, runsRows, runTitle, type ListedRun, type RunOrder } from './runs-list'

function run(
  number: number,
  change: Partial<ListedRun> & { k?: number; inertia?: number; ms?: number },
): ListedRun {
  const { k = 3, inertia = 100, ms = 5, ...rest } = change
  const timings = { ...record().timings, totalMs: ms }
  const startedAt = `2026-11-0${number}T10:00:00.000Z`
  return {
    record: record({ id: `run-${number}`, k, inertia, timings, startedAt }),
    ...{ datasetId: 'iris', number, note: '', silhouette: null, mark: null },
    ...rest,
  }
}

const iris = { id: 'iris', name: 'iris.csv', file: 'there' } as const
const wine = { id: 'wine', name: 'wine.csv', file: 'missing' } as const
const runs = [
  run(1, { k: 4, inertia: 57, ms: 9, silhouette: 0.49 }),
  run(2, { k: 3, inertia: 78, ms: 2, note: 'the one for the report' }),
  run(3, { k: 2, inertia: 152, ms: 4, silhouette: 0.68, datasetId: 'wine' }),
]

function numbers(order: RunOrder, filter = '', shown = 'iris'): (number | string)[] {
  return runsRows(runs, [iris, wine], { order, filter, shown }).map((row) =>
    row.kind === 'dataset' ? `${row.group.name} ${row.runs}` : row.run.number,
  )
}

describe('the runs of a session', () => {
  it('stand under their datasets, that on screen first', () => {
    expect(numbers('newest')).toEqual(['iris.csv 2', 2, 1, 'wine.csv 1', 3])
    expect(numbers('newest', '', 'wine')).toEqual(['wine.csv 1', 3, 'iris.csv 2', 2, 1])
    const alone = runsRows(runs.slice(0, 2), [iris], { order: 'newest', filter: '', shown: 'iris' })
    expect(alone.map(({ kind }) => kind)).toEqual(['run', 'run'])
  })

  it.each([
    ['k', [2, 1]],
    ['inertia', [1, 2]],
    ['silhouette', [1, 2]],
    ['time', [2, 1]],
    ['note', [2, 1]],
    ['variant', [2, 1]],
  ] as const)('are sorted by %s', (order, expected) => {
    expect(numbers(order).filter((each) => typeof each === 'number' && each < 3)).toEqual(expected)
  })

  it('are filtered by every word, of the note, the dataset and what was run', () => {
    expect(numbers('newest', 'report')).toEqual(['iris.csv 1', 2])
    expect(numbers('newest', 'WINE')).toEqual(['wine.csv 1', 3])
    expect(numbers('newest', 'k 4 iris')).toEqual(['iris.csv 1', 1])
    expect(numbers('newest', 'nothing like it')).toEqual([])
  })

  it('tell in what their points differ, where they do', () => {
    const scaled = run(4, {})
    const config = { ...scaled.record.config, scaling: 'standardise' } as const
    const fewer = { ...scaled, record: { ...scaled.record, n: 60, config } }
    const words = (of: readonly ListedRun[]) =>
      runsRows(of, [iris], { order: 'newest', filter: '', shown: 'iris' }).map((row) =>
        row.kind === 'run' ? row.points : '',
      )
    expect(words([run(1, {}), run(2, {})])).toEqual(['', ''])
    expect(words([run(1, {}), fewer])).toEqual(['Standardise, 60 rows', 'unscaled, 150 rows'])
  })

  it('tell what they are and what they came to', () => {
    const [first] = runs
    expect(first && runTitle(first)).toMatch(/^#1 k 4, /)
    expect(first && runDetail(first)).toMatch(/^inertia 57.00, silhouette 0\.4900, \d+ iterations?$/)
  })
})
