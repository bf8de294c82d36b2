/** Which measured rows stand beside a figure that a study published. */
import { rowsByWorkload, workloadId } from './cells'
import { contenderParts } from './contender-look'
import type { BenchmarkDocument, Measurement } from './document'
import type { PublishedTime } from './suite'

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

/** Whether CUDA took part in a comparison: something ran there, or failed. */
function hasCuda({ rows }: Rows): boolean {
  return rows.some(({ engine, state }) => engine === 'cuda' && state !== 'skipped')
}

/** Whether a row is of this contender, whose engine may be meant on any device. */
export function isRunOf(row: Measurement, contender: string): boolean {
  return row.contender === contender || (row.engine !== null && `${row.engine}/${row.variant}` === contender)
}
