/**
 * THE contract between the processes. `HostRequests` are answered by the engine host and reach it from the
 * window through main; `AppRequests` are answered by main itself. Signatures live here and nowhere else;
 * both ends are thin generics over these types.
 */
import type { DatasetProgress, DatasetSummary, ImportOverrides, ImportPreview } from './dataset'
import type { ErrorReport } from './errors'
import type { RunConfig } from './run-config'
import type { IterationRow, RunRecord } from './run-record'
import type { EngineId, EngineReport, VariantId } from './variant'

/** Bulk answers carry at most this many bytes, so that no message stalls a thread that draws. */
export const bulkChunkBytes = 1 << 20

export const exportKinds = ['centroids', 'labels', 'history', 'history-centroids', 'run'] as const
export type ExportKind = (typeof exportKinds)[number]

/** The file name each export proposes (spec section 6). */
export const exportFileNames: Readonly<Record<ExportKind, string>> = {
  centroids: 'centroids.csv',
  labels: 'labels.csv',
  history: 'history.csv',
  'history-centroids': 'history-centroids.csv',
  run: 'run.json',
}

/** Answered by the engine host. Paths in here come from main (dialog, drop, command line), never from the page. */
export interface HostRequests {
  'dataset.preview': { params: { path: string; overrides: ImportOverrides }; result: ImportPreview }
  /**
   * Progress by `dataset.progress`. `datasetId` is given by main alone, when it loads a file again for a host
   * that took the place of one that died.
   */
  'dataset.open': {
    params: { path: string; overrides: ImportOverrides; datasetId?: string }
    result: DatasetSummary
  }
  'dataset.cancel-open': { params: { path: string }; result: null }
  'dataset.close': { params: { datasetId: string }; result: null }
  /** Values of a numeric column, file value = offset + values[i] * 2^exponent; NaN = missing. At most bulkChunkBytes. */
  'dataset.values': {
    params: { datasetId: string; column: number; start: number; count: number }
    result: { values: Float32Array; offset: number; exponent: number }
  }
  'engines.list': { params: Record<string, never>; result: readonly EngineReport[] }
  /** Starts a run and answers at once; the rest comes as `run.event`. */
  'run.start': { params: { datasetId: string; config: RunConfig }; result: { runId: string } }
  'run.cancel': { params: { runId: string }; result: null }
  /** Labels by dataset row, -1 for rows left out. At most bulkChunkBytes. */
  'run.labels': { params: { runId: string; start: number; count: number }; result: { labels: Int32Array } }
  /** Drops the arrays of a run. */
  'run.forget': { params: { runId: string }; result: null }
  /** Writes one file, whole or not at all; progress by `export.progress`. */
  'export.write': {
    params: { runId: string; kind: ExportKind; path: string; replace: boolean }
    result: { path: string; bytes: number }
  }
  /** Is it alive, and which Node runs it. */
  'host.ping': { params: Record<string, never>; result: { pid: number; node: string } }
}

export type RunEvent =
  | { readonly kind: 'phase'; readonly runId: string; readonly phase: RunPhase; readonly restart: number }
  | {
      readonly kind: 'iterations'
      readonly runId: string
      readonly restart: number
      readonly engine: EngineId
      readonly device: string
      readonly variant: VariantId
      readonly rows: readonly IterationRow[]
      /** (k, d) in units of the file, newest; null when it would be too large to send often. */
      readonly centroids: Float64Array | null
      readonly elapsedMs: number
    }
  | { readonly kind: 'done'; readonly runId: string; readonly record: RunRecord }
  | { readonly kind: 'cancelled'; readonly runId: string }
  | { readonly kind: 'failed'; readonly runId: string; readonly error: ErrorReport }

export const runPhases = ['preparing', 'uploading', 'seeding', 'iterating', 'finishing'] as const
export type RunPhase = (typeof runPhases)[number]

/** Sent by the engine host, passed on by main to the window. */
export interface HostEvents {
  'dataset.progress': DatasetProgress
  'run.event': RunEvent
  'export.progress': { runId: string; kind: ExportKind; rows: number; totalRows: number }
}

/** A file the person chose, known to the window by token and name only. */
export interface RecentFile {
  readonly token: string
  readonly name: string
  readonly folder: string
}

export interface SampleFile {
  readonly token: string
  readonly name: string
  readonly description: string
}

/** Remembered between starts. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly advancedOpen: boolean
  readonly leftPanelWidth: number
  readonly rightPanelWidth: number
  readonly lastConfig: Partial<RunConfig>
}

/** Answered by Electron main. */
export interface AppRequests {
  /** Shows the open dialog; null when the person closed it. The token stands for the path. */
  'app.choose-file': { params: Record<string, never>; result: { token: string; name: string } | null }
  /** Centroid file for `init: 'file'`; the answer is put into RunConfig.centroidsFile by main (token). */
  'app.choose-centroids': { params: Record<string, never>; result: { token: string; name: string } | null }
  /** Opens a file by token (chosen, dropped, recent, sample or from the command line). */
  'app.open': { params: { token: string; overrides: ImportOverrides }; result: DatasetSummary }
  'app.preview': { params: { token: string; overrides: ImportOverrides }; result: ImportPreview }
  'app.cancel-open': { params: { token: string }; result: null }
  /** Path of a dropped File, from the preload only (webUtils); answers the token. */
  'app.register-drop': { params: { path: string }; result: { token: string; name: string } }
  'app.recent': { params: Record<string, never>; result: readonly RecentFile[] }
  'app.samples': { params: Record<string, never>; result: readonly SampleFile[] }
  /** Save dialog, then `export.write`; null when the person closed the dialog. */
  'app.export': {
    params: { runId: string; kind: ExportKind }
    result: { path: string; bytes: number } | null
  }
  'app.settings': { params: Record<string, never>; result: Settings }
  'app.save-settings': { params: { settings: Partial<Settings> }; result: null }
  'app.host-state': { params: Record<string, never>; result: HostState }
  /** Writes text to the clipboard. */
  'app.copy': { params: { text: string }; result: null }
  /** Called when the window can take events: main then sends a file from the command line, if any. */
  'app.ready': { params: Record<string, never>; result: null }
  'app.about': { params: Record<string, never>; result: { versions: Readonly<Record<string, string>> } }
}

export type HostState =
  | { readonly state: 'starting' }
  /** `note`: a sentence about a file that could not be loaded again after a restart. */
  | { readonly state: 'ready'; readonly pid: number; readonly note?: string }
  /** The engine process died; main restarts it. `reason` is a sentence for the person. */
  | { readonly state: 'lost'; readonly reason: string }
  | { readonly state: 'failed'; readonly error: ErrorReport }

export interface AppEvents extends HostEvents {
  'app.host-state': HostState
  /** A file from the command line or a second start. */
  'app.open-file': { token: string; name: string }
  /** A native menu item. */
  'app.menu': { command: MenuCommand }
}

export const menuCommands = ['open', 'run', 'cancel', 'export-labels', 'export-centroids'] as const
export type MenuCommand = (typeof menuCommands)[number]

/** Requests of the host that the window may send through main unchanged (they carry no path). */
export const forwardedRequests = [
  'dataset.close',
  'dataset.values',
  'engines.list',
  'run.start',
  'run.cancel',
  'run.labels',
  'run.forget',
] as const satisfies readonly (keyof HostRequests)[]
export type ForwardedRequest = (typeof forwardedRequests)[number]

/** What the window may ask for. */
export type WindowRequests = AppRequests & Pick<HostRequests, ForwardedRequest>

/** Every answer is either a value or an error report: an exception never crosses a process as an exception. */
export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorReport }

/** What the preload puts on `window.lab`. */
export interface WindowApi {
  invoke<K extends keyof WindowRequests>(
    channel: K,
    params: WindowRequests[K]['params'],
  ): Promise<Answer<WindowRequests[K]['result']>>
  on<K extends keyof AppEvents>(channel: K, listener: (payload: AppEvents[K]) => void): () => void
  /** Registers a dropped file and answers its token; the path never reaches the page. */
  registerDrop(file: File): Promise<Answer<{ token: string; name: string }>>
}
