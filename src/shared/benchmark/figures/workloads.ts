import { countText } from '../significant'
import type { Workload } from '../counted'

/** `uniform 100k: N = 100 000, d = 2, k = 5`. */
export function workloadText({ dataset, n, d, k }: Workload): string {
  return `${dataset}: N = ${countText(n)}, d = ${countText(d)}, k = ${countText(k)}`
}

/** Rows that one figure holds at most, so that it fits on a page. */
const rowsOfAFigure = 40

/** Groups in their order, cut to figures that fit on a page; a group is never cut. */
export function byPage<G extends { readonly rows: readonly unknown[] }>(
  groups: readonly G[],
): readonly (readonly G[])[] {
  const pages: G[][] = []
  let room = 0
  for (const group of groups) {
    if (pages.length === 0 || group.rows.length > room) {
      pages.push([])
      room = rowsOfAFigure
    }
    pages[pages.length - 1].push(group)
    room -= group.rows.length
  }
  return pages
}
