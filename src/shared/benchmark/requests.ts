import type { ChosenFile } from '../chosen-file'
import type { GeneratorFormat, GeneratorSpec } from '../generator'
import type { Language } from '../locale/languages'
import type { TitledPlot } from '../plot-image'
import type { TextChoice } from '../text-choice'
import type { BenchmarkDocument, CellKey, KeptComparisons, Measurement, PlannedCell } from './document'
import type { OutsideSystem, Suite, SuitePreset } from './suite'

/** Whether an outside baseline can take part, and if not, why: one sentence. */
export interface OutsideReport {
  readonly system: OutsideSystem
  readonly available: boolean
  /** E.g. `1.2.1`; null when it is not there. */
  readonly version: string | null
  readonly reason: string | null
}

export interface Plan {
  readonly cells: readonly PlannedCell[]
  /** Of the cells that run; null when nothing is known of one of them. */
  readonly predictedMs: number | null
}

export const benchmarkExports = ['timings', 'speedups', 'xlsx', 'html', 'document', 'suite'] as const
export type BenchmarkExport = (typeof benchmarkExports)[number]

export const benchmarkFileNames: Readonly<Record<BenchmarkExport, string>> = {
  timings: 'timings.csv',
  speedups: 'speedups.csv',
  xlsx: 'timings.xlsx',
  html: 'report.html',
  document: 'benchmark.json',
  suite: 'suite.json',
}

/** Answered by the engine host. Paths come from main alone. */
export interface BenchmarkHostRequests {
  'bench.presets': { params: { scale: number }; result: readonly SuitePreset[] }
  'bench.outside': { params: Record<string, never>; result: readonly OutsideReport[] }
  /** Calibrates what is not known yet, so it can take seconds. A newer plan gives up an older one (`cancelled`). */
  'bench.plan': { params: { suite: Suite }; result: Plan }
  /** Answers at once; the rest comes as `bench.event`. One at a time. */
  'bench.start': { params: { suite: Suite }; result: { benchId: string } }
  /** After the run that is under way. */
  'bench.pause': { params: { benchId: string }; result: null }
  /** Goes on with what is missing: after a pause, a cancel, or the end of the process that ran it. */
  'bench.resume': { params: { benchId: string }; result: null }
  /** At once; finished rows are kept. */
  'bench.cancel': { params: { benchId: string }; result: null }
  'bench.list': { params: Record<string, never>; result: KeptComparisons }
  'bench.document': { params: { benchId: string }; result: BenchmarkDocument }
  'bench.forget': { params: { benchId: string }; result: null }
  /** The document as Markdown tables, for the clipboard. */
  'bench.markdown': {
    params: { benchId: string; baseline: string; language: Language }
    result: { text: string }
  }
  /** `plots`: PNG or SVG of what the window shows, for the workbook and the report. */
  'bench.export': {
    params: TextChoice & {
      benchId: string
      what: BenchmarkExport
      baseline: string
      plots: readonly TitledPlot[]
      path: string
      replace: boolean
    }
    result: { path: string; bytes: number }
  }
  /** The first two features of the first `count` points, row-major (count, 2); d = 1: the second is 0. */
  'generate.preview': { params: { spec: GeneratorSpec; count: number }; result: { points: Float32Array } }
  /** Progress by `generate.progress`. */
  'generate.write': {
    params: { spec: GeneratorSpec; format: GeneratorFormat; path: string; replace: boolean }
    result: { path: string; bytes: number }
  }
  'generate.cancel': { params: Record<string, never>; result: null }
}

/** Answered by main: dialogs, and tokens where the page names a file. */
export interface BenchmarkAppRequests {
  /** As `bench.plan` and `bench.start`; `file` datasets are named by token. */
  'app.bench-plan': { params: { suite: Suite }; result: Plan }
  'app.bench-start': { params: { suite: Suite }; result: { benchId: string } }
  /** Folder dialog: every readable table in it, sorted by name, with the k of a headed one; null when the person closed it. */
  'app.bench-choose-folder': {
    params: Record<string, never>
    result: { name: string; files: readonly (ChosenFile & { readonly k: number | null })[] } | null
  }
  /** Open dialog for a SUITE.json; datasets by token. Null when the person closed it. */
  'app.bench-open-suite': { params: Record<string, never>; result: Suite | null }
  /** `bench.document`; datasets by token. */
  'app.bench-document': { params: { benchId: string }; result: { ticket: number; parts: number } }
  /** Each part of it, in order, once. */
  'app.bench-document-part': { params: { ticket: number; part: number }; result: { text: string } }
  /** Save dialog, then `bench.export`. */
  'app.bench-export': {
    params: TextChoice & {
      benchId: string
      what: BenchmarkExport
      baseline: string
      plots: readonly TitledPlot[]
    }
    result: { path: string; bytes: number } | null
  }
  /** Save dialog, then `generate.write`; the token opens the file. Null when the person closed the dialog. */
  'app.generate': {
    params: { spec: GeneratorSpec; format: GeneratorFormat }
    result: { file: ChosenFile; bytes: number } | null
  }
}

/** What a comparison tells while it runs. */
export type BenchmarkEvent =
  | {
      readonly kind: 'progress'
      readonly benchId: string
      readonly cell: CellKey
      readonly stage: 'preparing' | 'verifying' | 'warming-up' | 'measuring'
      /** Runs done of this round and of all, over all cells. */
      readonly runsDone: number
      readonly runs: number
      readonly elapsedMs: number
      readonly remainingMs: number | null
    }
  | { readonly kind: 'row'; readonly benchId: string; readonly row: Measurement }
  | { readonly kind: 'paused' | 'done' | 'cancelled'; readonly benchId: string }
  | { readonly kind: 'failed'; readonly benchId: string; readonly sentence: string }

/** How timed runs and the other work of the engine host stand to each other: neither is done beside the other. */
export interface TimingLockState {
  /** Requests that wait for the end of the run that is being timed. */
  readonly waiting: number
  /** The next timed run waits for the end of other work. */
  readonly resting: boolean
}

export interface BenchmarkHostEvents {
  'bench.event': BenchmarkEvent
  /** Told whenever it changes. */
  'bench.quiet': TimingLockState
  'generate.progress': { readonly rows: number; readonly totalRows: number }
}
