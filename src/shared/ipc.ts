/**
 * THE contract between the processes. `HostRequests` are answered by the engine host and reach it from the
 * window through main; `AppRequests` are answered by main itself. Signatures live here and nowhere else;
 * both ends are thin generics over these types.
 */
import type { ExportKind, ExportPart } from './export-files'
import type { CrashReports, Licence } from './about'
import type { BenchmarkAppRequests, BenchmarkHostEvents, BenchmarkHostRequests } from './benchmark/requests'
import type { DatasetProgress, DatasetSummary, ImportOverrides, ImportPreview } from './dataset'
import { forwardedDatasetRequests, type DatasetHostRequests } from './dataset-requests'
import type { ChosenFile } from './chosen-file'
import type { ErrorReport } from './errors'
import type { KeptSession, RecentFile, SampleFile } from './known-files'
import type { Language } from './locale/languages'
import type { MemoryLimits, MemoryState, RunMemory } from './memory-limits'
import type { PlotImage, PlotLook } from './plot-image'
import {
  forwardedQualityRequests,
  type QualityAppRequests,
  type QualityHostEvents,
  type QualityHostRequests,
} from './quality-requests'
import {
  forwardedReuseRequests,
  type ReuseAppRequests,
  type ReuseHostEvents,
  type ReuseHostRequests,
} from './reuse-requests'
import type { RunComparison } from './run-comparison'
import type { RunConfig } from './run-config'
import type { IterationRow, RunRecord } from './run-record'
import type { OpenedSession } from './session'
import {
  forwardedSessionRequests,
  type SessionAppRequests,
  type SessionHostEvents,
  type SessionHostRequests,
} from './session-requests'
import type { StepsFolder } from './steps'
import { tableRequests, type TableRequests } from './table'
import type { ExportDialect, TextChoice } from './text-choice'
import type { EngineId, EngineReport, VariantId } from './variant'

export type { CrashReports, KeptSession, Licence, RecentFile, SampleFile }

export * from './export-files'

/** Bulk answers carry at most this many bytes, so that no message stalls a thread that draws. */
export const bulkChunkBytes = 1 << 20

/** Of `run.labels-bytes`. */
export const maxByteClusters = 255
export const leftOutByte = 255

/** Answered by the engine host. Paths in here come from main (dialog, drop, command line), never from the page. */
export interface HostRequests
  extends
    BenchmarkHostRequests,
    DatasetHostRequests,
    QualityHostRequests,
    ReuseHostRequests,
    SessionHostRequests,
    TableRequests {
  'engines.list': { params: Record<string, never>; result: readonly EngineReport[] }
  /**
   * Starts a run and answers at once; the rest comes as `run.event`. `live`: it follows a setting that is being changed; points and
   * seeding are taken over from earlier runs where they are the same. `after`: the run on screen, whose clusters other points
   * begin from, so that its record says so; without it the result is that of the seeds.
   */
  'run.start': {
    params: { datasetId: string; config: RunConfig; live?: boolean; after?: string }
    result: { runId: string }
  }
  /** Where its points would lie, if it was started now. */
  'run.memory': { params: { datasetId: string; config: RunConfig }; result: RunMemory }
  /** Goes on with a run that was lost in the middle, on another engine, under a new name; then as `run.start`. */
  'run.resume': { params: { runId: string; engine: EngineId }; result: { runId: string } }
  /** The newest run on a dataset that was lost in the middle, also with a host before this one. */
  'run.broken': { params: { datasetId: string }; result: BrokenRun | null }
  'run.cancel': { params: { runId: string }; result: null }
  /** Labels by dataset row, -1 for rows left out. At most bulkChunkBytes. */
  'run.labels': { params: { runId: string; start: number; count: number }; result: { labels: Int32Array } }
  /** The same a byte each, of at most `maxByteClusters` clusters; `leftOutByte` for rows left out. At most bulkChunkBytes. */
  'run.labels-bytes': {
    params: { runId: string; start: number; count: number }
    result: { labels: Uint8Array }
  }
  /**
   * Labels by dataset row that iteration `iteration` (1-based) of the best restart assigned, computed again in
   * float64 from the centroids it was made against; -1 for rows left out. At most bulkChunkBytes.
   */
  'run.iteration-labels': {
    params: { runId: string; iteration: number; start: number; count: number }
    result: { labels: Int32Array }
  }
  /**
   * Centroids of the best restart by iteration, on some axes: index 0 the initial ones, index i those after
   * iteration i; NaN where there is none. `kept` counts what can be asked for, the initial ones included.
   * `values` (count, k, axes) may hold fewer iterations than asked for: at most bulkChunkBytes.
   */
  'run.trail': {
    params: { runId: string; start: number; count: number; axes: readonly TrailAxis[] }
    result: { kept: number; values: Float64Array }
  }
  /** Two results on the same file, row by row. */
  'run.compare': { params: { a: string; b: string }; result: RunComparison }
  /** Results made on a dataset that are still whole on disk, newest first: also those of a host before this one. */
  'run.kept': { params: { datasetId: string }; result: readonly RunRecord[] }
  /** Drops the arrays of a run. */
  'run.forget': { params: { runId: string }; result: null }
  /** Writes one file, whole or not at all; progress by `export.progress`. */
  'export.write': {
    params: TextChoice & { runId: string; kind: ExportKind; path: string; replace: boolean }
    result: { path: string; bytes: number }
  }
  /**
   * Step pairs of the first `steps` iterations into a folder, all or none; progress by `export.progress`. With
   * `replace` the pairs of later steps, from an earlier run, are taken away.
   */
  'export.steps': {
    params: TextChoice & { runId: string; folder: string; steps: number; replace: boolean }
    result: { files: readonly string[] }
  }
  /** `timings.csv` with a row for each run, in the order given. */
  'export.timings': {
    params: TextChoice & { runIds: readonly string[]; path: string; replace: boolean }
    result: { path: string; bytes: number }
  }
  /** Stops every export of a run that is under way; what was begun leaves no file. */
  'export.cancel': { params: { runId: string }; result: null }
  /** Reads a folder of step pairs. */
  'steps.open': { params: { folder: string }; result: StepsFolder }
  /** One feature of the points of a step (index into `StepsFolder.steps`), as `dataset.values`. */
  'steps.values': {
    params: { stepsId: string; step: number; feature: number; start: number; count: number }
    result: { values: Float32Array; offset: number; exponent: number }
  }
  'steps.labels': {
    params: { stepsId: string; step: number; start: number; count: number }
    result: { labels: Int32Array }
  }
  'steps.close': { params: { stepsId: string }; result: null }
  /** The computer is about to sleep, or is awake again: runs wait between two iterations. */
  'host.sleep': { params: { asleep: boolean }; result: null }
  /** Texts as in the environment, empty for none: of what is loaded and clustered from then on. */
  'host.memory': {
    params: MemoryLimits & { scratchFolder: string }
    result: Pick<MemoryState, 'scratchFolder' | 'heldFolder'>
  }
  /** Is it alive, and which Node runs it. */
  'host.ping': { params: Record<string, never>; result: { pid: number; node: string } }
}

/** Most rows that one `dataset.rows` or `dataset.cells` may name. */
export const maxRowsAsked = 1000

/** An axis on which centroids are asked for: a feature of the run (its position) or a principal component. */
export type TrailAxis =
  | { readonly kind: 'feature'; readonly feature: number }
  | { readonly kind: 'component'; readonly projectionId: string; readonly component: number }

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
      /** See `ruleThreshold`. */
      readonly threshold: number
    }
  | { readonly kind: 'done'; readonly runId: string; readonly record: RunRecord }
  | { readonly kind: 'cancelled'; readonly runId: string }
  | {
      readonly kind: 'failed'
      readonly runId: string
      readonly error: ErrorReport
      /** The run can go on: its device was lost in the middle. */
      readonly broken?: BrokenRun
    }

/** A run whose device, or whose process, was lost in the middle. */
export interface BrokenRun {
  readonly runId: string
  readonly datasetId: string
  /** As asked, but for the centroid file, which is not reported. */
  readonly config: RunConfig
  /** What was lost. */
  readonly engine: EngineId
  readonly deviceName: string
  /** 0-based restart, and how many of its iterations were carried out. */
  readonly restart: number
  readonly iterations: number
  /** What it took until then. */
  readonly elapsedMs: number
  /** The best of what is left here. */
  readonly next: EngineId
}

export const runPhases = ['preparing', 'uploading', 'seeding', 'iterating', 'finishing'] as const
export type RunPhase = (typeof runPhases)[number]

/** Sent by the engine host, passed on by main to the window. */
export interface HostEvents
  extends BenchmarkHostEvents, QualityHostEvents, ReuseHostEvents, SessionHostEvents {
  'dataset.progress': DatasetProgress
  'run.event': RunEvent
  'export.progress': { runId: string; kind: ExportPart; rows: number; totalRows: number }
  /** What could not be done beside the work: a sentence for the person. Main shows it as `app.notice`. */
  'host.notice': { sentence: string }
}

export const centreViews = ['clusters', 'profiles', 'choose-k', 'table', 'steps', 'benchmark'] as const
export type CentreView = (typeof centreViews)[number]

/** Remembered between starts. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly leftCollapsed: boolean
  readonly rightCollapsed: boolean
  readonly view: CentreView
  /** Iterations shown by the Steps view. */
  readonly stepCount: number
  /** Of what is folded in the settings panel: where a run starts and ends; engine, variant and seed. */
  readonly startOpen: boolean
  readonly advancedOpen: boolean
  /** In the result panel: what a run was, and its times by phase. */
  readonly factsOpen: boolean
  readonly phasesOpen: boolean
  /** A changed setting clusters again at once, where that is quick. */
  readonly live: boolean
  /** Pixels; 0: as the width of the window suggests. */
  readonly leftPanelWidth: number
  readonly rightPanelWidth: number
  /** See TextChoice. */
  readonly neutraliseFormulas: boolean
  readonly exportDialect: ExportDialect
  readonly plotLook: PlotLook
  readonly lastConfig: Partial<RunConfig>
}

/** Answered by Electron main. */
export interface AppRequests
  extends BenchmarkAppRequests, QualityAppRequests, ReuseAppRequests, SessionAppRequests {
  /** Shows the open dialog; null when the person closed it. The token stands for the path. */
  'app.choose-file': { params: Record<string, never>; result: ChosenFile | null }
  /** Centroid file for `init: 'file'`; the answer is put into RunConfig.centroidsFile by main (token). */
  'app.choose-centroids': { params: Record<string, never>; result: { token: string; name: string } | null }
  /** Opens a file by token (chosen, dropped, recent, sample or from the command line). */
  'app.open': { params: { token: string; overrides: ImportOverrides }; result: DatasetSummary }
  'app.preview': { params: { token: string; overrides: ImportOverrides }; result: ImportPreview }
  'app.cancel-open': { params: { token: string }; result: null }
  /** Path of a dropped File, from the preload only (webUtils); answers the token. */
  'app.register-drop': { params: { path: string }; result: ChosenFile }
  /** Empties the list of recent files. */
  'app.forget-recent': { params: Record<string, never>; result: null }
  /** Shows the folder dialog; null when the person closed it. */
  'app.choose-steps': { params: Record<string, never>; result: ChosenFile | null }
  /** Opens a folder of step pairs by token. */
  'app.open-steps': { params: { token: string }; result: StepsFolder }
  'app.recent': { params: Record<string, never>; result: readonly RecentFile[] }
  'app.samples': { params: Record<string, never>; result: readonly SampleFile[] }
  /** Save dialog, then `export.write`; null when the person closed the dialog. */
  'app.export': {
    params: TextChoice & { runId: string; kind: ExportKind }
    result: { path: string; bytes: number } | null
  }
  /** Folder dialog, a question where files would be replaced, then `export.steps`. */
  'app.export-steps': {
    params: TextChoice & { runId: string; steps: number }
    result: { folder: string; files: number } | null
  }
  /** Save dialog, then `export.timings`. */
  'app.export-timings': {
    params: TextChoice & { runIds: readonly string[] }
    result: { path: string; bytes: number } | null
  }
  /**
   * Folder dialog, one question where files would be replaced, then everything: all kinds of the run, its step
   * pairs, the timings of `runIds`, the plots.
   */
  'app.export-all': {
    params: TextChoice & {
      runId: string
      runIds: readonly string[]
      steps: number
      plots: readonly PlotImage[]
    }
    result: { folder: string; files: number } | null
  }
  /** Save dialog, then the file, whole or not at all. */
  'app.save-plot': { params: PlotImage; result: { path: string; bytes: number } | null }
  /** Puts a PNG on the clipboard. */
  'app.copy-image': { params: { png: Uint8Array }; result: null }
  'app.memory': { params: Record<string, never>; result: MemoryState }
  /** Holds for what is loaded and clustered from then on, and after the next start. */
  'app.set-memory': { params: MemoryLimits; result: MemoryState }
  /** Folder dialog for scratch files, or `usual` back to where they lie by default. */
  'app.choose-scratch': { params: { usual: boolean }; result: MemoryState }
  'app.settings': { params: Record<string, never>; result: Settings }
  'app.save-settings': { params: { settings: Partial<Settings> }; result: null }
  'app.host-state': { params: Record<string, never>; result: HostState }
  /** Starts the engine process once more after it was given up; the rest comes as `app.host-state`. */
  'app.start-engine': { params: Record<string, never>; result: null }
  /** Writes text to the clipboard. */
  'app.copy': { params: { text: string }; result: null }
  /** Which menu items can work now: the others are greyed. All can until the page says otherwise. */
  'app.menu-state': { params: { enabled: readonly MenuCommand[] }; result: null }
  /** Called when the window can take events: main then sends a file from the command line, if any. */
  'app.ready': { params: Record<string, never>; result: null }
  /** Results of earlier starts, the last used first; not of what is on screen. */
  'app.kept-sessions': { params: Record<string, never>; result: readonly KeptSession[] }
  /** Its file is then opened by `app.restore`. */
  'app.continue-session': { params: { id: string }; result: null }
  /** Deletes its results. */
  'app.discard-session': { params: { id: string }; result: null }
  /** Versions, best known first, and the licences of everything that is shipped. */
  'app.about': {
    params: Record<string, never>
    result: {
      versions: Readonly<Record<string, string>>
      licences: readonly Licence[]
      crashReports: CrashReports
    }
  }
}

export type HostState =
  | { readonly state: 'starting' }
  /** After a restart: `files` counts those that were open before, `note` is a sentence about one that could not be loaded again. */
  | { readonly state: 'ready'; readonly pid: number; readonly files?: number; readonly note?: string }
  /** The engine process died; main restarts it. `reason` is a sentence for the person. */
  | { readonly state: 'lost'; readonly reason: string }
  /** Main does not restart it by itself: `app.start-engine` does. */
  | { readonly state: 'failed'; readonly error: ErrorReport }

export interface AppEvents extends HostEvents {
  'app.host-state': HostState
  /** A file from the command line or a second start. */
  'app.open-file': ChosenFile
  /**
   * A session is to be opened again, with its results. `byForce`: the program or its page was ended while it was on
   * screen; otherwise the person wants to go on with it.
   */
  'app.restore': { session: OpenedSession; byForce: boolean }
  /** Something a person should know once. */
  'app.notice': { sentence: string }
  /** The list of recent files is another now: a file was opened, or the menu emptied it. */
  'app.recent-changed': readonly RecentFile[]
  /** Chosen in the menu, or what the desktop speaks. */
  'app.language': { language: Language }
  /** A native menu item. */
  'app.menu': { command: MenuCommand }
}

export const menuCommands = [
  'open',
  'new-session',
  'open-session',
  'save-session',
  'save-session-as',
  'open-steps',
  'generate',
  'import-settings',
  'run',
  'cancel',
  'undo',
  'redo',
  'copy-command-line',
  'copy-python',
  'assign-rows',
  'verify',
  'export-labels',
  'export-centroids',
  'export-all',
  'view-clusters',
  'view-profiles',
  'view-choose-k',
  'view-table',
  'view-steps',
  'view-benchmark',
  'toggle-settings-panel',
  'toggle-result-panel',
  'shortcuts',
  'about',
] as const
export type MenuCommand = (typeof menuCommands)[number]

/** Requests of the host that the window may send through main unchanged (they carry no path). */
export const forwardedRequests = [
  ...forwardedDatasetRequests,
  'engines.list',
  'run.start',
  'run.memory',
  'run.resume',
  'run.broken',
  'run.cancel',
  'run.labels',
  'run.labels-bytes',
  'run.iteration-labels',
  'run.trail',
  'run.compare',
  'run.kept',
  'run.forget',
  'export.cancel',
  'steps.values',
  'steps.labels',
  'steps.close',
  'bench.presets',
  'bench.outside',
  'bench.pause',
  'bench.resume',
  'bench.cancel',
  'bench.list',
  'bench.forget',
  'bench.markdown',
  'generate.preview',
  'generate.cancel',
  ...tableRequests,
  ...forwardedQualityRequests,
  ...forwardedSessionRequests,
  ...forwardedReuseRequests,
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
  registerDrop(file: File): Promise<Answer<ChosenFile>>
}
