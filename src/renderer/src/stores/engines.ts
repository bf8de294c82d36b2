/** The engines of this machine and what may be chosen with each. */
import type { EngineId, EngineReport, VariantId } from '@shared/variant'
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { ask } from '@/api'

export type VariantChoice = EngineReport['variants'][number]

export const useEnginesStore = defineStore('engines', () => {
  const reports = shallowRef<readonly EngineReport[]>([])
  const available = computed(() => reports.value.filter((report) => report.available))
  const unavailable = computed(() => reports.value.filter((report) => !report.available))

  async function load(): Promise<void> {
    reports.value = await ask('engines.list', {})
  }

  function candidates(engine: EngineId | 'auto'): readonly EngineReport[] {
    return engine === 'auto' ? available.value : reports.value.filter((report) => report.id === engine)
  }

  /** Variants that an engine (or, with `auto`, any available one) offers, each once. */
  function variantsOf(engine: EngineId | 'auto'): readonly VariantChoice[] {
    const byId = new Map<VariantId, VariantChoice>()
    for (const report of candidates(engine))
      for (const variant of report.variants) if (!byId.has(variant.id)) byId.set(variant.id, variant)
    return [...byId.values()]
  }

  function devicesOf(engine: EngineId | 'auto'): EngineReport['devices'] {
    return engine === 'auto' ? [] : candidates(engine).flatMap((report) => report.devices)
  }

  return { reports, available, unavailable, load, variantsOf, devicesOf }
})
