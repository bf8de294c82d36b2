/** Rows picked on the plot, and the one under the pointer, with what stands in them. */
import type { DatasetRow } from '@shared/dataset'
import { maxRowsAsked } from '@shared/ipc'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { ask } from '@/api'

/** A pointer that rests on a row wants to know all of it: texts are read from the file. */
const restMs = 150

export const useSelectionStore = defineStore('selection', () => {
  const rows = shallowRef<Uint32Array | null>(null)
  /** The first `maxRowsAsked` of them with every cell; null while they are read. */
  const cells = shallowRef<readonly DatasetRow[] | null>(null)
  const hovered = shallowRef<DatasetRow | null>(null)
  const loading = ref(false)
  let datasetId = ''
  let wanted = 0
  let under: number | null = null
  let resting: ReturnType<typeof setTimeout> | undefined

  function adopt(id: string): void {
    datasetId = id
    clear()
  }

  function clear(): void {
    rows.value = null
    cells.value = null
    loading.value = false
    wanted++
    hovered.value = null
    under = null
    clearTimeout(resting)
  }

  /** Rows ascending; added to those there already, or instead of them. */
  async function select(picked: Uint32Array, how: 'replace' | 'add'): Promise<void> {
    const before = how === 'add' ? rows.value : null
    const all = before ? merged(before, picked) : picked
    if (all.length === 0) return clear()
    rows.value = all
    const mine = ++wanted
    loading.value = true
    const asked = Array.from(all.subarray(0, maxRowsAsked))
    try {
      // Numbers are in memory and come at once; text cells are read from the file and may take a moment.
      const quick = await ask('dataset.rows', { datasetId, rows: asked })
      if (mine !== wanted) return
      cells.value = quick
      const whole = await ask('dataset.cells', { datasetId, rows: asked })
      if (mine === wanted) cells.value = whole
    } finally {
      if (mine === wanted) loading.value = false
    }
  }

  /** The row under the pointer; while one is fetched only the newest wish is kept. */
  async function hover(row: number | null): Promise<void> {
    const idle = under === null || hovered.value?.row === under
    under = row
    clearTimeout(resting)
    if (row === null) {
      hovered.value = null
      return
    }
    if (!idle) return
    try {
      while (under !== null && hovered.value?.row !== under) {
        const [found] = await ask('dataset.rows', { datasetId, rows: [under] })
        if (!found) break
        if (found.row === under) hovered.value = found
      }
    } finally {
      // Where it ended early, the next row asks anew.
      if (under !== null && hovered.value?.row !== under) under = null
    }
    resting = setTimeout(() => void addTexts(), restMs)
  }

  /** What is no number of the row under the pointer. Rows that are listed come first: the file is read for one wish at a time. */
  async function addTexts(): Promise<void> {
    const found = hovered.value
    if (!found?.cells.includes(null) || loading.value) return
    const [whole] = await ask('dataset.cells', { datasetId, rows: [found.row] }).catch(() => [])
    if (!whole || hovered.value !== found) return
    hovered.value = {
      ...found,
      cells: found.cells.map((cell, column) => cell ?? whole.cells[column] ?? null),
    }
  }

  return { rows, cells, hovered, loading, adopt, clear, select, hover }
})

/** The union of two ascending lists, ascending. */
function merged(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length)
  let [i, j, n] = [0, 0, 0]
  while (i < a.length || j < b.length) {
    const left = a[i] ?? Infinity
    const right = b[j] ?? Infinity
    if (left <= right) i++
    if (right <= left) j++
    all[n++] = Math.min(left, right)
  }
  return all.slice(0, n)
}
