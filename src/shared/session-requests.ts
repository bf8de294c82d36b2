/** What is asked about sessions: of main by the window, of the engine host by main. */
import type { ChosenFile } from './chosen-file'
import type { DatasetSummary } from './dataset'
import type { RunRecord } from './run-record'
import type {
  FileState,
  OpenedDataset,
  OpenedSession,
  SavedDataset,
  SessionFacts,
  SessionState,
} from './session'

/** Answered by the engine host; those with a path come from main alone. */
export interface SessionHostRequests {
  /** Writes a .clab, whole or not at all. Progress of this and of reading by `session.progress`. */
  'session.write': {
    params: { path: string; shown: string | null; datasets: readonly SavedDataset[] }
    result: { bytes: number }
  }
  /** Takes the runs of a .clab over, under new ids. Nothing is loaded yet. */
  'session.read': {
    params: { path: string }
    result: {
      shown: string | null
      datasets: readonly SavedDataset[]
      relativePaths: Readonly<Record<string, string | null>>
    }
  }
  /** Ends the writing or reading under way, whose answer is then `cancelled`: the .clab, or what is kept, is as before. */
  'session.cancel': { params: Record<string, never>; result: null }
  /** Are files as they were. */
  'session.check': { params: { files: readonly CheckedFile[] }; result: readonly FileState[] }
  /** Where in a folder, or below it, files lie now, by their SHA-256; null for one that is not there. */
  'session.find': {
    params: { folder: string; files: readonly Omit<CheckedFile, 'path' | 'modifiedMs'>[] }
    result: readonly (string | null)[]
  }
  /** Deletes what is kept of runs on datasets. */
  'session.discard': { params: { datasetIds: readonly string[] }; result: null }
  /** Records of runs on datasets, loaded or not, newest first: without history and clusters, which `run.record` has. */
  'run.listed': { params: { datasetIds: readonly string[] }; result: readonly ListedRecord[] }
  /** The whole record of a run, whether or not its dataset is loaded. */
  'run.record': { params: { runId: string }; result: RunRecord }
}

/** How far a .clab is written or read. `name`: of the file. */
export type SessionProgress = { readonly name: string } & (
  | { readonly doing: 'saving'; readonly rows: number; readonly totalRows: number }
  | { readonly doing: 'opening'; readonly bytes: number; readonly totalBytes: number }
)

export interface SessionHostEvents {
  /** Null once it is over, however it ended. */
  'session.progress': SessionProgress | null
}

export interface CheckedFile {
  readonly id: string
  readonly path: string
  readonly bytes: number
  readonly sha256: string | null
  readonly modifiedMs: number
}

export interface ListedRecord {
  readonly datasetId: string
  readonly record: RunRecord
}

/** Requests that pass main unchanged. */
export const forwardedSessionRequests = ['run.listed', 'run.record', 'session.cancel'] as const

/** Answered by main. */
export interface SessionAppRequests {
  /** How the session on screen is now: kept against a kill, and what a question at the end is about. */
  'app.session-state': { params: { state: SessionState; unsaved: boolean }; result: null }
  /** Into its .clab, or with `as`, or where it has none, into one that a dialog names; null when the person turned back. */
  'app.save-session': { params: { state: SessionState; as: boolean }; result: SessionFacts | null }
  /** Lets the person choose a .clab. */
  'app.choose-session': { params: Record<string, never>; result: ChosenFile | null }
  /** Opens a .clab by token, after a question about unsaved runs; null when the person turned back. */
  'app.open-session': { params: { token: string }; result: OpenedSession | null }
  /** Begins an empty one, after a question about unsaved runs; false when the person turned back. */
  'app.new-session': { params: Record<string, never>; result: boolean }
  /** Loads a dataset of the session again. @throws `session.missing`, `session.changed` */
  'app.show-dataset': { params: { datasetId: string }; result: DatasetSummary }
  /** Asks where the file of a dataset is, and finds others of the session beside it; null when the person turned back. */
  'app.locate-dataset': { params: { datasetId: string }; result: readonly OpenedDataset[] | null }
  /** Asks before runs go with a dataset that is closed. */
  'app.confirm-close-dataset': { params: { name: string; runs: number }; result: boolean }
}

export const sessionAppChannels = [
  'app.session-state',
  'app.save-session',
  'app.choose-session',
  'app.open-session',
  'app.new-session',
  'app.show-dataset',
  'app.locate-dataset',
  'app.confirm-close-dataset',
] as const satisfies readonly (keyof SessionAppRequests)[]
