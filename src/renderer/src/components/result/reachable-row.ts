/** One row of a table that draws only what is in sight takes the focus; the arrow keys move it. */
import type { ClusterRow } from '@shared/run-record'
import { computed, nextTick, ref, watch, type Ref } from 'vue'
import { rowOf } from './cluster-editing'

interface Rows {
  readonly frame: Readonly<Ref<HTMLElement | null>>
  readonly sorted: Readonly<Ref<readonly ClusterRow[]>>
  readonly shown: Readonly<Ref<readonly ClusterRow[]>>
  readonly rowPixels: number
  /** Scrolls to a row. */
  readonly show: (index: number) => void
}

export function useReachableRow({ frame, sorted, shown, rowPixels, show }: Rows) {
  const current = ref(0)

  /** What the tab key reaches: the first row in sight while the chosen one is scrolled away. */
  const reachable = computed(() => {
    const chosen = sorted.value[current.value]
    return chosen && shown.value.includes(chosen) ? chosen.cluster : shown.value[0]?.cluster
  })

  function choose(cluster: number): void {
    current.value = sorted.value.findIndex((row) => row.cluster === cluster)
  }

  async function reach(index: number): Promise<void> {
    current.value = Math.min(sorted.value.length - 1, Math.max(0, index))
    const cluster = sorted.value[current.value]?.cluster
    if (!frame.value || cluster === undefined) return
    show(current.value)
    await nextTick()
    rowOf(frame.value, cluster)?.focus({ preventScroll: true })
  }

  /** Whether the key moved the focus. */
  function move(key: string): boolean {
    const page = Math.max(1, Math.floor((frame.value?.clientHeight ?? 0) / rowPixels) - 2)
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: current.value - 1,
      ArrowDown: current.value + 1,
      PageUp: current.value - page,
      PageDown: current.value + page,
      Home: 0,
      End: sorted.value.length - 1,
    }
    const target = targets[key]
    if (target !== undefined) void reach(target)
    return target !== undefined
  }

  // A focused row that is scrolled out of sight becomes another one; the arrow keys go on from the frame.
  watch(shown, (rows) => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-cluster]')
    if (!focused || !frame.value?.contains(focused)) return
    const cluster = Number(focused.dataset['cluster'])
    if (!rows.some((row) => row.cluster === cluster)) frame.value.focus({ preventScroll: true })
  })

  return { current, reachable, choose, move }
}
