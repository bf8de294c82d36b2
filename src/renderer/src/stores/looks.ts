/** Names and colours a person gave to clusters, by run; kept as long as the session lasts. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { paletteOf, type ClusterLook, type ClusterLooks, type Palette } from '@/plots/palette'
import { useRunStore } from './run'

const unchanged: ClusterLooks = new Map()

export const useLooksStore = defineStore('looks', () => {
  const run = useRunStore()
  const looks = shallowRef<ReadonlyMap<string, ClusterLooks>>(new Map())

  /** The cluster pointed at in a table, for the plots to set off. */
  const highlighted = ref<number | null>(null)

  const looksOf = (runId: string): ClusterLooks => looks.value.get(runId) ?? unchanged

  /** Changes one cluster of a run; a look without name and colour is the palette's own again. */
  function change(runId: string, cluster: number, look: ClusterLook): void {
    const changed = new Map(looksOf(runId))
    if (look.name === undefined && look.colour === undefined) changed.delete(cluster)
    else changed.set(cluster, look)
    looks.value = new Map(looks.value).set(runId, changed)
  }

  /** Of what is on screen: the run under way, else the result shown. */
  const palette = computed<Palette>(() => {
    if (run.live) return paletteOf(run.live.config.k)
    const record = run.result?.record
    return record ? paletteOf(record.k, looksOf(record.id)) : paletteOf(1)
  })

  return { highlighted, looksOf, change, palette }
})
