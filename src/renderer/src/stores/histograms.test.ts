import { flushPromises } from '@vue/test-utils'
import { LabError } from '@shared/errors'
import { describe, expect, it } from 'vitest'
import { freshWindow } from '../../test/mount'
import { useHistogramsStore } from './histograms'

/** A lab that answers histograms when told to. */
function waitingLab() {
  const waiting = new Map<number, () => void>()
  const { lab } = freshWindow({
    'dataset.histogram': ({ column }) =>
      new Promise((resolve) => waiting.set(column, () => resolve({ min: 0, max: 1, counts: [column] }))),
  })
  const columns = (): unknown[] => lab.asked.map(({ params }) => (params as { column: number }).column)
  const answer = async (column: number): Promise<void> => {
    waiting.get(column)?.()
    await flushPromises()
  }
  return { lab, columns, answer }
}

describe('the histograms of the columns in sight', () => {
  it('are asked for two at a time, the newest in sight first', async () => {
    const { columns, answer } = waitingLab()
    const histograms = useHistogramsStore()
    histograms.adopt('data-1')
    for (const column of [0, 1, 2, 3]) histograms.see(column, true)
    expect(columns()).toEqual([0, 1])
    await answer(0)
    expect(columns()).toEqual([0, 1, 3])
    expect(histograms.byColumn.get(0)?.counts).toEqual([0])
  })

  it('are not asked for once out of sight again', async () => {
    const { columns, answer } = waitingLab()
    const histograms = useHistogramsStore()
    histograms.adopt('data-1')
    for (const column of [0, 1, 2, 3]) histograms.see(column, true)
    for (const column of [0, 1, 2]) histograms.see(column, false)
    await answer(0)
    await answer(1)
    await answer(3)
    expect(columns()).toEqual([0, 1, 3])
  })

  it('are kept: a column seen twice is asked for once', async () => {
    const { columns, answer } = waitingLab()
    const histograms = useHistogramsStore()
    histograms.adopt('data-1')
    histograms.see(5, true)
    await answer(5)
    histograms.see(5, false)
    histograms.see(5, true)
    expect(columns()).toEqual([5])
  })

  it('of another dataset are forgotten, also those that come late', async () => {
    const { columns, answer } = waitingLab()
    const histograms = useHistogramsStore()
    histograms.adopt('data-1')
    histograms.see(0, true)
    histograms.see(1, true)
    await answer(0)
    histograms.adopt('data-2')
    expect(histograms.byColumn.size).toBe(0)
    await answer(1)
    expect(histograms.byColumn.size).toBe(0)
    histograms.see(7, true)
    histograms.see(8, true)
    expect(columns()).toEqual([0, 1, 8, 7].sort())
  })

  it('that fail are tried again when the column comes back into sight', async () => {
    let broken = true
    const { lab } = freshWindow({
      'dataset.histogram': () => {
        if (broken) throw new LabError('engine-lost', 'engine.lost', 'The engine process stopped.')
        return { min: 0, max: 1, counts: [1] }
      },
    })
    const histograms = useHistogramsStore()
    histograms.adopt('data-1')
    histograms.see(0, true)
    await flushPromises()
    broken = false
    histograms.see(0, true)
    await flushPromises()
    expect(lab.asked).toHaveLength(2)
    expect(histograms.byColumn.get(0)?.counts).toEqual([1])
  })
})
