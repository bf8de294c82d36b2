/** The different texts of columns, asked for once each when a condition is about them. */
import type { DatasetSummary } from '@shared/dataset'
import { reactive, watch } from 'vue'
import { ask } from '@/api'

/** More of them no list offers usefully. */
const maxOffered = 200

export function useColumnTexts(dataset: () => DatasetSummary) {
  const known = reactive(new Map<string, readonly string[]>())
  watch(
    () => dataset().id,
    () => known.clear(),
  )

  /** Empty until they were fetched, and for columns without any. */
  function of(name: string): readonly string[] {
    const texts = known.get(name)
    if (texts !== undefined) return texts
    const { id, columns } = dataset()
    const column = columns.find((one) => one.name === name)
    if (column?.categories === undefined) return []
    void fetch(id, column.index, name)
    return []
  }

  async function fetch(datasetId: string, column: number, name: string): Promise<void> {
    if (known.has(name)) return
    known.set(name, [])
    const texts = await ask('dataset.categories', { datasetId, column }).catch(() => [])
    if (dataset().id === datasetId) known.set(name, texts.slice(0, maxOffered))
  }

  return { of }
}
