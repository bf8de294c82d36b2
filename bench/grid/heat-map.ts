import type { EngineId } from '@shared/variant'
import { kinds, type Kind } from './kinds'
import type { GridRow } from './row'

/** What a map shows of a row. */
export type Value = 'peer' | 'floor'

/** Goals of the project for an iteration of `fused`: as many times as fast as the peer, at most so many times the floor. */
export const goals: Readonly<Record<EngineId, { readonly peer: number; readonly floor: number }>> = {
  cpu: { peer: 3, floor: 2 },
  cuda: { peer: 2, floor: 4 },
  webgpu: { peer: 2, floor: 4 },
}

/** Where a peer's own loops lie so near the floor that no multiple of them is to be had. */
const nearFloor = 1.3

/** Peer's time over ours, or ours over the floor; null where either is missing. */
export function valueOf(value: Value, { times, peer, floorMs }: GridRow): number | null {
  if (times === null) return null
  if (value === 'peer') return peer === null ? null : peer.times.best / times.best
  return floorMs === null ? null : times.best / floorMs
}

/** How many times better than the goal; below 1 it is missed. Null where there is no value. */
export function shareOfGoal(value: Value, row: GridRow): number | null {
  const found = valueOf(value, row)
  if (found === null) return null
  if (value === 'floor') return goals[row.engine].floor / found
  const floor = valueOf('floor', row)
  const share = found / goals[row.engine].peer
  return row.engine === 'cpu' && floor !== null && floor <= nearFloor ? Math.max(1, share) : share
}

/** Rows d, columns k, of one kind of data and one rule for the number of points. */
export interface HeatMap {
  readonly title: string
  readonly kind: Kind
  readonly d: readonly number[]
  readonly k: readonly number[]
  at(d: number, k: number): GridRow | null
}

/** Of rows of one variant on one device: a map for each kind, and for each number of points where they were asked for by number. */
export function heatMaps(rows: readonly GridRow[], isByPoints: boolean): HeatMap[] {
  return kinds.flatMap((kind) => {
    const ofKind = rows.filter(({ cell }) => cell.kind === kind)
    if (!isByPoints) return ofKind.length === 0 ? [] : [heatMap(kind, kind, ofKind)]
    return ascending(ofKind.map(({ cell }) => cell.n)).map((n) => {
      const title = `${kind}, N = ${n.toLocaleString('en')}`
      const ofSize = ofKind.filter(({ cell }) => cell.n === n)
      return heatMap(title, kind, ofSize)
    })
  })
}

function heatMap(title: string, kind: Kind, rows: readonly GridRow[]): HeatMap {
  const [d, k] = [ascending(rows.map(({ cell }) => cell.d)), ascending(rows.map(({ cell }) => cell.k))]
  const at = (features: number, clusters: number) =>
    rows.find(({ cell }) => cell.d === features && cell.k === clusters) ?? null
  return { title, kind, d, k, at }
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => a - b)
}

/** Null where there is none. */
export function geometricMean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** Three digits at most; never a power of ten. */
export function shortNumber(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
