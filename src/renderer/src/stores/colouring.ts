/** What the colours of the scatter plot stand for: clusters, or the texts of a column. */
import type { DatasetSummary } from '@shared/dataset'
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { ask, categoryCodes } from '@/api'
import { paletteOf, type Palette } from '@/plots/palette'

/** Classes of one column, by row. */
export interface RowClasses {
  /** Index of the column. */
  readonly column: number
  readonly name: string
  readonly texts: readonly string[]
  /** (rows) -1 for a missing cell. */
  readonly codes: Int32Array
}

export const useColouringStore = defineStore('colouring', () => {
  /** Null: by cluster. */
  const classes = shallowRef<RowClasses | null>(null)
  /** The column that is wanted; its codes may be under way. */
  const wanted = shallowRef<number | null>(null)
  let dataset: DatasetSummary | null = null

  const palette = computed<Palette | null>(() => {
    const shown = classes.value
    if (!shown) return null
    return { ...paletteOf(Math.max(1, shown.texts.length)), name: (at) => shown.texts[at] ?? '' }
  })

  /** Another file: its clusters first. */
  function adopt(next: DatasetSummary): void {
    dataset = next
    wanted.value = null
    classes.value = null
  }

  /** Colours by a column, or, for null, by cluster; a newer wish wins. */
  async function by(column: number | null): Promise<void> {
    const of = dataset
    wanted.value = column
    if (column === null || of === null) return void (classes.value = null)
    const mine = (): boolean => dataset === of && wanted.value === column
    try {
      const texts = await ask('dataset.categories', { datasetId: of.id, column })
      const codes = mine() ? await categoryCodes(of.id, column, of.rows, mine) : null
      if (!codes || !mine()) return
      const name = of.columns.find(({ index }) => index === column)?.name ?? ''
      classes.value = { column, name, texts, codes }
    } catch (thrown) {
      if (!mine()) return
      // The choice says what is drawn, not what could not be had.
      wanted.value = classes.value?.column ?? null
      throw thrown
    }
  }

  return { classes, wanted, palette, adopt, by }
})
