/** What is shown of the row under the pointer. */
import { computed, ref } from 'vue'
import { t } from '@/i18n'
import { formatCount, formatPlain } from '@/text/numbers'
import { useAppStore } from '@/stores/app'
import { useDatasetStore } from '@/stores/dataset'
import { useLooksStore } from '@/stores/looks'
import { useRunStore } from '@/stores/run'
import { useSelectionStore } from '@/stores/selection'
import { useTimelineStore } from '@/stores/timeline'

interface Position {
  readonly x: number
  readonly y: number
}

/** Features shown in a tip; the rest is in the list of selected rows. */
const maxLines = 10
/** Of them, those that say which row it is, first. */
const maxTexts = 3

/** Empty for what is missing, or not held. */
const inTip = (cell: string | number | null): string =>
  typeof cell === 'number' ? formatPlain(cell) : (cell ?? '')

export function useRowTip() {
  const app = useAppStore()
  const dataset = useDatasetStore()
  const looks = useLooksStore()
  const run = useRunStore()
  const selection = useSelectionStore()
  const timeline = useTimelineStore()
  const position = ref<Position>({ x: 0, y: 0 })

  function hover(row: number | null, at: Position): void {
    position.value = at
    void selection.hover(row).catch(app.fail)
  }

  function clusterOf(row: number): string {
    const label = run.live ? undefined : timeline.labels?.[row]
    if (label === undefined) return ''
    return label < 0 ? t('window.leftOut') : t('window.cluster', [looks.palette.name(label)])
  }

  const shown = computed(() => {
    const found = selection.hovered
    if (!found) return null
    const columns = dataset.summary?.columns ?? []
    const all = columns.map(({ index, name }) => ({ name, cell: found.cells[index] ?? null }))
    const texts = all.filter(({ cell }) => typeof cell === 'string').slice(0, maxTexts)
    const lines = [...texts, ...all.filter(({ cell }) => typeof cell === 'number')]
      .map(({ name, cell }) => ({ name, value: inTip(cell) }))
      .filter(({ value }) => value !== '')
      .slice(0, maxLines)
    return {
      at: position.value,
      title: t('window.row', [formatCount(found.fileRow), clusterOf(found.row)]),
      lines,
    }
  })

  return { hover, shown }
}
