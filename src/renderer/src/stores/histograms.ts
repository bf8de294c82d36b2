/** How the values of the columns in sight lie; fetched when a column is seen, kept for the loaded dataset only. */
import type { Histogram } from '@shared/dataset'
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { ask } from '@/api'

const bins = 24
/** A list that is scrolled through must not stand in the way of a run or of the points. */
const maxAtOnce = 2

type ByColumn = ReadonlyMap<number, Histogram>

export const useHistogramsStore = defineStore('histograms', () => {
  const byColumn = shallowRef<ByColumn>(new Map())
  let dataset = ''
  let asked = new Set<number>()
  /** Seen and not asked for yet; the newest is asked for first, it is the likeliest still to be looked at. */
  let wished: number[] = []
  let underWay = 0

  /** Forgets the histograms of another dataset. */
  function adopt(datasetId: string): void {
    if (datasetId === dataset) return
    dataset = datasetId
    byColumn.value = new Map()
    asked = new Set()
    wished = []
    underWay = 0
  }

  /** A column came into sight, or left it before it was asked for. */
  function see(column: number, inSight: boolean): void {
    wished = wished.filter((other) => other !== column)
    if (inSight && !asked.has(column)) wished.push(column)
    askNext()
  }

  function askNext(): void {
    while (underWay < maxAtOnce && wished.length > 0) {
      const column = wished.pop()
      if (column === undefined) return
      asked.add(column)
      underWay++
      void fetch(dataset, column)
    }
  }

  async function fetch(datasetId: string, column: number): Promise<void> {
    const histogram = await ask('dataset.histogram', { datasetId, column, bins }).catch(() => null)
    if (datasetId !== dataset) return
    underWay--
    // The column goes without its picture; it is asked for again when it comes into sight again.
    if (histogram) byColumn.value = new Map([...byColumn.value, [column, histogram]])
    else asked.delete(column)
    askNext()
  }

  return { byColumn, adopt, see }
})
