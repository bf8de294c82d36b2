/** Data to be generated: the settings as typed, and the file while it is written. */
import { toErrorReport, type ErrorReport } from '@shared/errors'
import {
  defaultSpecOf,
  forGeneratorNumbers,
  type GeneratorFormat,
  type GeneratorNumber,
  type GeneratorShape,
  type GeneratorSpec,
} from '@shared/generator'
import { generatorProblems } from '@shared/generator-limits'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { ask, listen } from '@/api'
import { parseNumber } from '@/text/numbers'
import { useDatasetStore } from './dataset'

type Draft = Record<GeneratorNumber, string>

interface Written {
  readonly rows: number
  readonly totalRows: number
}

const draftOf = (spec: GeneratorSpec): Draft => forGeneratorNumbers((field) => String(spec[field]))

export const useGenerateStore = defineStore('generate', () => {
  const open = ref(false)
  const shape = ref<GeneratorShape>('uniform')
  const format = ref<GeneratorFormat>('csv')
  const draft = ref<Draft>(draftOf(defaultSpecOf('uniform')))
  const written = shallowRef<Written | null>(null)
  const error = shallowRef<ErrorReport | null>(null)
  const busy = computed(() => written.value !== null)

  /** What is no number becomes NaN, which no field allows. */
  const spec = computed<GeneratorSpec>(() => ({
    shape: shape.value,
    ...forGeneratorNumbers((field) => parseNumber(draft.value[field]) ?? NaN),
  }))
  const problems = computed(() => generatorProblems(spec.value))
  const valid = computed(() => Object.keys(problems.value).length === 0)

  /** The number of groups and their spread belong to a shape; sizes and seed stay. */
  function chooseShape(next: GeneratorShape): void {
    const { k, spread } = draftOf(defaultSpecOf(next))
    shape.value = next
    draft.value = { ...draft.value, k, spread }
  }

  /** As many points as Di Dio's generator makes by default; even density and the size of the region are ours. */
  function choosePreset(): void {
    shape.value = 'uniform'
    draft.value = draftOf(defaultSpecOf('uniform'))
  }

  /** Save dialog, the file, and then the file as dataset; the dialog stays open where that does not come about. */
  async function save(): Promise<void> {
    if (busy.value || !valid.value) return
    error.value = null
    written.value = { rows: 0, totalRows: spec.value.n }
    const forget = listen('generate.progress', (rows) => (written.value = rows))
    try {
      const saved = await ask('app.generate', { spec: spec.value, format: format.value })
      if (saved === null) return
      open.value = false
      await useDatasetStore().take(saved.file)
    } catch (thrown) {
      const report = toErrorReport(thrown)
      error.value = report.kind === 'cancelled' ? null : report
    } finally {
      forget()
      written.value = null
    }
  }

  async function cancel(): Promise<void> {
    if (busy.value) await ask('generate.cancel', {}).catch(() => null)
  }

  return {
    open,
    shape,
    format,
    draft,
    written,
    error,
    busy,
    spec,
    problems,
    valid,
    chooseShape,
    choosePreset,
    save,
    cancel,
  }
})
