import type { MachineFacts } from '@shared/run-record'
import type { DeviceFloors } from '@engine/engines/engine'
import type { EngineId } from '@shared/variant'
import type { Outcome } from '../entry'
import type { Cell } from './cells'
import type { PeerId } from './peers'

/** Milliseconds of one iteration, from measurements of several in a row. */
export interface Times {
  readonly best: number
  readonly median: number
  readonly measurements: readonly number[]
}

/** One variant on one device in one cell. */
export interface GridRow {
  readonly cell: Cell
  readonly engine: EngineId
  readonly device: string
  readonly variant: string
  readonly outcome: Exclude<Outcome, 'cut'>
  readonly reason: string | null
  /** As the session was built; null where it was not, or does not say. */
  readonly regime: string | null
  readonly why: string | null
  /** Upload and preparation, which no iteration counts. */
  readonly openMs: number | null
  /** Before the first iteration and after the last one, together. */
  readonly labelsChecked: number
  /** In a measurement, from the same start as the peer. */
  readonly iterations: number
  readonly times: Times | null
  readonly floorMs: number | null
  readonly peer: { readonly id: PeerId; readonly times: Times } | null
}

/** What is written to a file. */
export interface GridReport {
  readonly date: string
  readonly commit: string
  readonly machine: MachineFacts
  readonly seed: number
  /** Why peers are missing. */
  readonly missing: readonly string[]
  /** By device id. */
  readonly floors: Readonly<Record<string, DeviceFloors | null>>
  readonly rows: readonly GridRow[]
}
