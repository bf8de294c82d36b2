/**
 * A session: several datasets side by side, each with its settings, its view and its runs. The window holds it, main knows the
 * paths, the engine host the arrays.
 */
import type { ImportOverrides } from './dataset'
import type { CentreView } from './ipc'
import type { RunConfig } from './run-config'

/** The ending of a session's file. */
export const sessionEnding = '.clab'

/** What an axis of the scatter plot shows. */
export type SessionAxis =
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'row' }
  | { readonly kind: 'component'; readonly component: number }

/** What a person changed of one cluster of a run. */
export interface SessionLook {
  readonly cluster: number
  readonly name?: string
  /** Red, green, blue, 0 to 255. */
  readonly colour?: readonly [number, number, number]
}

/** What the session keeps of a run beside its record and its arrays. */
export interface SessionRun {
  readonly id: string
  /** Counted through the whole session, from 1. */
  readonly number: number
  readonly note: string
  readonly looks: readonly SessionLook[]
  /** Colours taken over from the result before it. */
  readonly slots: readonly { readonly position: number; readonly size: number }[] | null
  /** Mean silhouette, once it was computed. */
  readonly silhouette: number | null
}

/** How a dataset was looked at last. */
export interface DatasetView {
  readonly config: Partial<RunConfig>
  readonly x: SessionAxis
  readonly y: SessionAxis
  /** The run on screen. */
  readonly shownRun: string | null
  /** The column that colours stand for; null: by cluster. */
  readonly colourBy: number | null
  readonly view: CentreView
}

/** A dataset as the window describes it: main adds what stands for its file. */
export interface DatasetState {
  readonly id: string
  /** Null where it was never shown. */
  readonly view: DatasetView | null
  readonly runs: readonly SessionRun[]
}

/** What the window tells of the session on screen. */
export interface SessionState {
  readonly shown: string | null
  readonly datasets: readonly DatasetState[]
}

/** Which file a dataset was read from, and how. */
export interface SessionFile {
  readonly path: string
  readonly bytes: number
  /** Lower-case hexadecimal; null where an older version did not note it. */
  readonly sha256: string | null
  readonly modifiedMs: number
  readonly overrides: ImportOverrides
}

/** A dataset as a .clab holds it. */
export type SavedDataset = DatasetState & SessionFile

/** Of a file of a session: as it was, not at its place, or with other contents. */
export const fileStates = ['there', 'missing', 'changed'] as const
export type FileState = (typeof fileStates)[number]

/** A dataset of the session that is opened, as the window gets it. */
export interface OpenedDataset {
  readonly id: string
  readonly token: string
  readonly name: string
  readonly folder: string
  readonly overrides: ImportOverrides
  readonly file: FileState
}

/** The session that main gives to the window: after an end by force, from a .clab, or kept by an earlier start. */
export interface OpenedSession {
  /** Of its .clab; null for one that was never saved. */
  readonly name: string | null
  readonly unsaved: boolean
  readonly datasets: readonly OpenedDataset[]
  readonly state: SessionState | null
}

/** How the session on screen stands, for the title and the panel. */
export interface SessionFacts {
  readonly name: string | null
  readonly unsaved: boolean
}
