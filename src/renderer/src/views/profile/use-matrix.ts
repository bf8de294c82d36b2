/** The scatter matrix of the result on screen: columns and labels are fetched when a panel is drawn. */
import type { RecordedFeature } from '@shared/run-record'
import { isNumeric } from '@shared/run-record'
import { computed, type Ref } from 'vue'
import { columnValues, rowLabels } from '@/api'
import type { MatrixFeature, MatrixParts } from '@/plots/profile/matrix'
import { plainColumn, type PanelColumn } from '@/plots/steps/panel'
import { useDatasetStore } from '@/stores/dataset'
import { useProfileStore } from '@/stores/profile'
import { useProfile } from './use-profile'

/** @param shown positions of features */
export function useMatrix(shown: Readonly<Ref<readonly number[]>>) {
  const dataset = useDatasetStore()
  const store = useProfileStore()
  const { profile, palette, fileName } = useProfile()

  function featureOf({ index, name }: RecordedFeature): MatrixFeature {
    const of = dataset.summary
    const column = of?.columns.find((one) => one.index === index)
    return {
      name,
      range: { min: column?.min ?? 0, max: column?.max ?? 1 },
      column: {
        key: `matrix ${of?.id ?? ''} ${index}`,
        load: (wanted) => columnValues(of?.id ?? '', index, of?.rows ?? 0, wanted),
      },
    }
  }

  function labelsOf(runId: string, rows: number): PanelColumn<Int32Array> {
    return {
      key: `matrix labels ${runId}`,
      async load(wanted) {
        const labels = await rowLabels(runId, rows, wanted)
        return labels && plainColumn(labels)
      },
    }
  }

  /** Chosen columns of numbers; texts of a column have no axis of their own. */
  const numeric = computed(() =>
    shown.value.flatMap((at) => {
      const column = profile.value?.columns[at]
      return column && isNumeric(column) ? column : []
    }),
  )
  const parts = computed<MatrixParts | null>(() => {
    const [of, summary] = [store.of, dataset.summary]
    if (!of || !summary || numeric.value.length < 2) return null
    return {
      features: numeric.value.map(featureOf),
      labels: labelsOf(of.id, summary.rows),
      points: summary.rows,
      palette: palette.value,
    }
  })
  return { parts, fileName }
}
