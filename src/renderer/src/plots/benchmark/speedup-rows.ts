/** Which speed-ups a plot has, and where each stands. */
import type { PublishedNumber, PublishedNumbers } from '@shared/benchmark/published-marks'
import type { Speedup } from '@shared/benchmark/speedups'
import { groupWords, sameGroup, type Group } from './groups'

export type CountedSpeedup = Speedup & {
  readonly speedup: number
  /** What a study has for the same. */
  readonly published: readonly PublishedNumber[]
}

export interface SpeedupGroup {
  readonly group: Group
  /** Fastest first, the baseline itself left out. */
  readonly speedups: readonly CountedSpeedup[]
}

function counted(one: Speedup, published: PublishedNumbers): readonly CountedSpeedup[] {
  const { row, speedup, baseline } = one
  if (speedup === null || !(speedup > 0) || row.contender === baseline) return []
  return [{ ...one, speedup, published: published.get(row) ?? [] }]
}

/** Groups that have a speed-up, in the order of the plan. */
export function speedupGroups(
  groups: readonly Group[],
  speedups: readonly Speedup[],
  published: PublishedNumbers = new Map(),
): readonly SpeedupGroup[] {
  return groups.flatMap((group) => {
    const own = speedups.filter((one) => sameGroup(one.row, group)).flatMap((one) => counted(one, published))
    own.sort((a, b) => b.speedup - a.speedup)
    return own.length === 0 ? [] : [{ group, speedups: own }]
  })
}

const rowHeight = 22
const headHeight = 24

export interface SpeedupRow extends CountedSpeedup {
  readonly at: number
}

export interface SpeedupLayout {
  readonly rows: readonly SpeedupRow[]
  readonly heads: readonly { readonly at: number; readonly words: string }[]
  readonly height: number
}

/** Groups below one another, each under its head where there are several. */
export function layOut(groups: readonly SpeedupGroup[]): SpeedupLayout {
  const head = groups.length > 1 ? headHeight : 0
  const height = groups.reduce((sum, { speedups }) => sum + head + speedups.length * rowHeight, 0)
  const rows: SpeedupRow[] = []
  const heads: { at: number; words: string }[] = []
  let top = height
  for (const { group, speedups } of groups) {
    if (head > 0) heads.push({ at: top - head / 2, words: groupWords(group) })
    top -= head
    for (const speedup of speedups) {
      rows.push({ ...speedup, at: top - rowHeight / 2 })
      top -= rowHeight
    }
  }
  return { rows, heads, height }
}
