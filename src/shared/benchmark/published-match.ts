/** Which measured rows stand beside a figure that a study published. */
import { rowsByWorkload, workloadId } from './cells'
import { contenderParts } from './contender-look'
import type { BenchmarkDocument, Measurement, PlannedCell } from './document'
import type { PublishedTime } from './suite'
import { t } from '../locale/translate'

type Rows = Pick<BenchmarkDocument, 'rows'>

export interface PublishedMatch {
  readonly row: Measurement
  /** The same variant on WebGPU, for a system of the study that needs CUDA, on a machine without it. */
  readonly standsIn: boolean
}

/** Rows of one dataset and k that stand for a published contender: its engine may run on some devices. */
export function publishedMatches(
  document: Rows,
  { dataset, k, contender }: Pick<PublishedTime, 'dataset' | 'k' | 'contender'>,
): readonly PublishedMatch[] {
  const rows = rowsByWorkload(document.rows).get(workloadId({ dataset, k })) ?? []
  const instead = standInFor(document, contender)
  const named = rows.filter((row) => isRunOf(row, contender))
  const others = instead === null ? [] : rows.filter((row) => isRunOf(row, instead))
  return others.length > 0
    ? others.map((row) => ({ row, standsIn: true }))
    : named.map((row) => ({ row, standsIn: false }))
}

/** Key of the contender that is shown for a published one; null where that itself is to be shown. */
export function standInFor(document: Rows, contender: string): string | null {
  const { family, variant } = contenderParts(contender)
  return family === 'cuda' && !hasCuda(document) ? `webgpu/${variant}` : null
}

/** Said in the cell of a row that stands in. */
export const standInMark = (): string => t('benchmark-tables.standsInForCuda')
/** Said below a table that has such a row. */
export const standInNote = (): string => t('benchmark-tables.webgpuStandsInForCudaWhich')

/** Whether CUDA took part in a comparison: something ran there, failed, or was left out on a device that is there. */
export function hasCuda({ rows }: Rows): boolean {
  return rows.some((row) => row.engine === 'cuda' && (row.state !== 'skipped' || row.deviceName !== null))
}

/** Whether a published contender is this one, whose engine may be named by a device. */
export function isOnEngineOf(published: string, key: string): boolean {
  return published === key || published === key.replace(/^(\w+):[^/]*\//u, '$1/')
}

/** Whether a row is of this contender, whose engine may be meant on any device. */
export function isRunOf(
  { contender: key, engine, variant }: Pick<PlannedCell, 'contender' | 'engine' | 'variant'>,
  contender: string,
): boolean {
  return key === contender || (engine !== null && `${engine}/${variant}` === contender)
}
