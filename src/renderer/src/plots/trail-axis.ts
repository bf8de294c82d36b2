/** Where centroids of a run stand on an axis of the plot. */
import type { TrailAxis } from '@shared/ipc'
import { samePoints } from '@shared/run-config'
import { isNumeric, type RunRecord } from '@shared/run-record'
import type { PlotColumn } from './plot-column'

/** Null where a centroid has no place: row numbers, columns that were no features, components of other points. */
export function trailAxis(
  column: PlotColumn | null,
  record: Pick<RunRecord, 'features' | 'config'>,
): TrailAxis | null {
  const axis = column?.axis
  if (axis?.kind === 'component') {
    const { id = null, source = null } = column?.projection ?? {}
    const names = record.features.filter(isNumeric).map(({ name }) => name)
    const same =
      source !== null &&
      samePoints({ ...source, features: source.features ?? names }, { ...record.config, features: names })
    return same && id !== null ? { kind: 'component', projectionId: id, component: axis.component } : null
  }
  if (axis?.kind !== 'column') return null
  const feature = record.features.findIndex(({ index }) => index === axis.column)
  return feature < 0 ? null : { kind: 'feature', feature }
}
