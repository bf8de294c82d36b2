/** Names and colours a person gave to clusters, by run; kept as long as the session lasts. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { RunRecord } from '@shared/run-record'
import { keptSlots, matchingClusters } from '@/plots/kept-colours'
import {
  paletteOf,
  type ClusterLook,
  type ClusterLooks,
  type ColourSlots,
  type Palette,
} from '@/plots/palette'
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

  /** Colours of a result that took the place of another. */
  const slots = shallowRef<ReadonlyMap<string, ColourSlots>>(new Map())

  /** Clusters of a new result keep colour and name of those that they overlap most. @param was (rows) labels; @param is (rows) */
  function carryOver(before: RunRecord, after: RunRecord, was: Int32Array, is: Int32Array): void {
    const matched = matchingClusters({ k: before.k, labels: was }, { k: after.k, labels: is })
    const kept = keptSlots({ k: before.k, slots: slots.value.get(before.id) }, matched)
    slots.value = new Map(slots.value).set(after.id, kept)
    const given = looksOf(before.id)
    const carried = matched.flatMap((old, cluster) => {
      const look = given.get(old)
      return look ? ([[cluster, look]] as const) : []
    })
    if (carried.length > 0) looks.value = new Map(looks.value).set(after.id, new Map(carried))
  }

  /** What a session kept of a run. */
  function restore(runId: string, kept: ClusterLooks, keptSlotsOfRun: ColourSlots | null): void {
    if (kept.size > 0) looks.value = new Map(looks.value).set(runId, kept)
    if (keptSlotsOfRun) slots.value = new Map(slots.value).set(runId, keptSlotsOfRun)
  }

  function clear(): void {
    looks.value = new Map()
    slots.value = new Map()
  }

  const slotsOf = (runId: string): ColourSlots | null => slots.value.get(runId) ?? null

  const paletteFor = ({ id, k }: Pick<RunRecord, 'id' | 'k'>): Palette =>
    paletteOf(k, looksOf(id), slots.value.get(id))

  /** Of what is on screen: the run under way, else the result shown. */
  const palette = computed<Palette>(() => {
    if (run.live) return paletteOf(run.live.config.k)
    const record = run.result?.record
    return record ? paletteFor(record) : paletteOf(1)
  })

  return { highlighted, looksOf, slotsOf, change, restore, clear, carryOver, paletteFor, palette }
})
