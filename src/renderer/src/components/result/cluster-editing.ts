/** Naming and colouring the clusters of a table. */
import { nextTick, ref, type Ref } from 'vue'
import type { Rgb } from '@/plots/colours'
import type { ClusterLook, ClusterLooks } from '@/plots/palette'

interface Editing {
  readonly frame: Readonly<Ref<HTMLElement | null>>
  readonly looks: () => ClusterLooks
  readonly change: (cluster: number, look: ClusterLook) => void
}

export const rowOf = (frame: HTMLElement | null, cluster: number): HTMLElement | null =>
  frame?.querySelector<HTMLElement>(`[data-cluster="${cluster}"]`) ?? null

/** A cluster's look with a part changed; `undefined` gives that part back to the palette. */
export function changedLook(
  look: ClusterLook | undefined,
  part: { name?: string | undefined; colour?: Rgb | undefined },
): ClusterLook {
  const { name, colour } = { ...look, ...part }
  return { ...(name === undefined ? {} : { name }), ...(colour === undefined ? {} : { colour }) }
}

export function useClusterEditing({ frame, looks, change }: Editing) {
  const naming = ref<number | null>(null)
  const recolouring = ref<{ cluster: number; swatch: HTMLElement } | null>(null)

  async function rename(cluster: number): Promise<void> {
    naming.value = cluster
    await nextTick()
    frame.value?.querySelector<HTMLElement>('.name-field')?.focus()
  }

  /** `null` keeps the name there was, an empty one gives it up. The focus goes back to the row, unless it left. */
  async function finishNaming(cluster: number, name: string | null): Promise<void> {
    const stays = frame.value?.contains(document.activeElement) ?? false
    naming.value = null
    if (name !== null) change(cluster, changedLook(looks().get(cluster), { name: name || undefined }))
    await nextTick()
    if (stays) rowOf(frame.value, cluster)?.focus()
  }

  function recolour(cluster: number, colour: Rgb | null): void {
    change(cluster, changedLook(looks().get(cluster), { colour: colour ?? undefined }))
  }

  async function closeColours(): Promise<void> {
    const swatch = recolouring.value?.swatch
    recolouring.value = null
    await nextTick()
    swatch?.focus()
  }

  return { naming, recolouring, rename, finishNaming, recolour, closeColours }
}
