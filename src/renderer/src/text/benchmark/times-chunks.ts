/** Parts of a long table, small enough to be drawn in one frame. */
import { contenderName } from '@shared/benchmark/contender-look'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { TimesGroup } from './times-rows'

export interface TimesChunk {
  readonly group: TimesGroup
  /** Rows of the group, from the first to before the last; the first part of a group has its heading. */
  readonly from: number
  readonly to: number
  /** Pixels as long as it was not drawn. */
  readonly height: number
}

const maxRows = 4
const rowHeight = 24
const headingHeight = 36

export function timesChunks(groups: readonly TimesGroup[]): readonly TimesChunk[] {
  return groups.flatMap((group) => {
    const { length } = group.cells
    const parts = Math.ceil(length / maxRows)
    const rows = Math.ceil(length / parts)
    return Array.from({ length: parts }, (_, part) => {
      const from = part * rows
      const to = Math.min(length, from + rows)
      return { group, from, to, height: (to - from) * rowHeight + (from === 0 ? headingHeight : 0) }
    })
  })
}

/** From here on not all of a table is drawn at once, so that what is drawn must not decide how wide it is. */
const minOfLong = 100

/** What the columns of a long table make room for; null where all rows are drawn soon. */
export function widestCells({ plan }: Pick<BenchmarkDocument, 'plan'>) {
  if (plan.length < minOfLong) return null
  const names = [...new Set(plan.map(({ contender }) => contender))].map(contenderName)
  const contender = names.reduce((longest, name) => (name.length > longest.length ? name : longest), '')
  return { contender, cellOf }
}

/** Speed-ups come later than the times: their columns must not move the others then. */
function cellOf({ key }: { readonly key: string }): string {
  return key === 'interval' ? 'Interval (100 %)' : '9\u202f999\u202f999'
}
