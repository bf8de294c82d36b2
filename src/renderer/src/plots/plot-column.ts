import type { DateUnit } from '@shared/dates'
import type { ProjectionSource } from '@shared/projection'

/** What can stand on an axis of the scatter plot. */
export type AxisRef =
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'row' }
  /** Principal component, 0-based. */
  | { readonly kind: 'component'; readonly component: number }

/** A column as plots take it: file value = offset + values[row] * unit; NaN = missing; min and max in file units. */
export interface PlotColumn {
  readonly axis: AxisRef
  /** With what it is measured in, as it stands on the axis. */
  readonly name: string
  readonly values: Float32Array
  readonly offset: number
  /** A power of two, 1 but for columns that leave the range of float32. */
  readonly unit: number
  readonly min: number
  readonly max: number
  /** Of dates: what the numbers count since 1970-01-01 UTC. */
  readonly dateUnit?: DateUnit
  /** Of a principal component: which projection it belongs to, and what that was fitted to. */
  readonly projection?: { readonly id: string; readonly source: ProjectionSource }
}

/** An axis as text, for drop-downs and as a key. */
export function axisKey(axis: AxisRef): string {
  switch (axis.kind) {
    case 'column':
      return `column:${axis.column}`
    case 'component':
      return `component:${axis.component}`
    case 'row':
      return 'row'
  }
}

/** The inverse of `axisKey`; the row number for anything else. */
export function axisOfKey(key: string): AxisRef {
  const [kind, number] = key.split(':')
  if (kind === 'column') return { kind, column: Number(number) }
  if (kind === 'component') return { kind, component: Number(number) }
  return { kind: 'row' }
}
