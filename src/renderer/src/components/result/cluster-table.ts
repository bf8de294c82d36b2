/** What the table of clusters and the one turned round have in common: order, names and colours, the keyboard, the clipboard. */
import type { ClusterRow, RunRecord } from '@shared/run-record'
import { computed, nextTick, ref, watch, type Ref } from 'vue'
import type { ClusterLook, ClusterLooks, Palette } from '@/plots/palette'
import type { Range } from './centroid-cells'
import { clustersAsText, sortedClusters, type Sorting } from './cluster-columns'
import { rowOf, useClusterEditing } from './cluster-editing'
import { useTextMeasure } from './text-width'

export interface ClusterTableProps {
  readonly record: RunRecord
  readonly palette: Palette
  readonly looks: ClusterLooks
  /** Of the columns of the file, by index. */
  readonly ranges?: readonly Range[]
}

export interface ClusterTableEmits {
  /** The rows of a cluster are wanted. */
  pick: [cluster: number]
  /** The cluster pointed at or reached by the keyboard. */
  highlight: [cluster: number | null]
  look: [cluster: number, look: ClusterLook]
  copy: [text: string]
}

type Frame = Readonly<Ref<HTMLElement | null>>

export function useClusterTable(
  frame: Frame,
  props: Omit<ClusterTableProps, 'ranges'>,
  emit: <E extends keyof ClusterTableEmits>(event: E, ...what: ClusterTableEmits[E]) => void,
) {
  const sorting = ref<Sorting>({ key: 'cluster', descending: false })
  const editing = useClusterEditing({
    frame,
    looks: () => props.looks,
    change: (cluster, look) => emit('look', cluster, look),
  })
  const hasNames = computed(() => [...props.looks.values()].some(({ name }) => name !== undefined))
  const sorted = computed(() => sortedClusters(props.record.clusters, sorting.value, props.looks))

  async function copy(): Promise<void> {
    emit('copy', await clustersAsText(props.record, sorted.value, props.looks, hasNames.value))
  }

  /** Of the frame. */
  const pointing = {
    pointerover: (event: Event): void => emit('highlight', clusterAt(event)),
    pointerleave: (): void => emit('highlight', null),
    focusout: (): void => emit('highlight', null),
  }

  return { sorting, editing, hasNames, measure: useTextMeasure(frame), sorted, copy, pointing }
}

function clusterAt({ target }: Event): number | null {
  const part = target instanceof Element ? target.closest<HTMLElement>('[data-cluster], [data-of]') : null
  const cluster = part?.dataset['cluster'] ?? part?.dataset['of']
  return cluster === undefined ? null : Number(cluster)
}

interface Reach {
  readonly frame: Frame
  readonly sorted: Readonly<Ref<readonly ClusterRow[]>>
  /** Those that are drawn. */
  readonly shown: Readonly<Ref<readonly ClusterRow[]>>
  /** Scrolls to one. */
  readonly show: (index: number) => void
  /** Where a key leads from a place in the order, as far as it leads anywhere. */
  readonly target: (key: string, from: number) => number | undefined
  readonly rename: (cluster: number) => Promise<void>
  readonly highlight: (cluster: number) => void
}

/** One cluster of a table that draws only what is in sight takes the focus; keys move it. */
export function useReachableCluster({ frame, sorted, shown, show, target, rename, highlight }: Reach) {
  const current = ref(0)

  /** What the tab key reaches: the first cluster in sight while the chosen one is scrolled away. */
  const reachable = computed(() => {
    const chosen = sorted.value[current.value]
    return chosen && shown.value.includes(chosen) ? chosen.cluster : shown.value[0]?.cluster
  })

  async function reach(index: number): Promise<void> {
    current.value = Math.min(sorted.value.length - 1, Math.max(0, index))
    const cluster = sorted.value[current.value]?.cluster
    if (!frame.value || cluster === undefined) return
    show(current.value)
    await nextTick()
    rowOf(frame.value, cluster)?.focus({ preventScroll: true })
  }

  function keydown(event: KeyboardEvent): void {
    const cluster = sorted.value[current.value]?.cluster
    const to = target(event.key, current.value)
    if (event.key === 'F2' && cluster !== undefined) void rename(cluster)
    else if (to !== undefined) void reach(to)
    else return
    event.preventDefault()
  }

  function focusin(event: FocusEvent): void {
    const cluster = clusterAt(event)
    if (cluster === null) return
    current.value = sorted.value.findIndex((row) => row.cluster === cluster)
    highlight(cluster)
  }

  // A focused cluster that is scrolled out of sight becomes another one; the arrow keys go on from the frame.
  watch(shown, (rows) => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-cluster]')
    if (!focused || !frame.value?.contains(focused)) return
    const cluster = Number(focused.dataset['cluster'])
    if (!rows.some((row) => row.cluster === cluster)) frame.value.focus({ preventScroll: true })
  })

  return { reachable, keys: { keydown, focusin } }
}
