import type { ImportReceipt } from './dataset'
import type { Prediction } from './prediction'
import type { TextChoice } from './text-choice'
import type { EngineId, VariantId } from './variant'
import type { RunVerification } from './verification'

/** Work that a person waits for and can cancel goes by an id that the window gives it. */
interface Task {
  readonly taskId: string
}

/** The rows of a file with their clusters; the labels stay in the engine host until `predict.close`. */
export interface AssignedFile {
  readonly predictionId: string
  readonly prediction: Prediction
  /** How the file was read, and what of it is no row. */
  readonly receipt: ImportReceipt
}

/** What a run.json is of, before it is made again. */
export interface KeptRunFacts {
  /** Of run.json. */
  readonly name: string
  readonly startedAt: string
  readonly dataName: string
  readonly n: number
  readonly d: number
  readonly k: number
  readonly engine: EngineId | null
  readonly variant: VariantId
  readonly deviceName: string
  readonly resultSha256: string | null
}

/** A run.json that was made again, and the file that it was made of: found by SHA-256, wherever it lies by now. */
export interface VerifiedFile {
  readonly verification: RunVerification
  readonly dataPath: string
}

/** Using a result again, answered by the engine host. Paths come from main alone. */
export interface ReuseHostRequests {
  /** Reads a file and assigns its rows to the centroids of a run, whose own file need not be loaded. */
  'predict.rows': { params: Task & { runId: string; path: string }; result: AssignedFile }
  'predict.close': { params: { predictionId: string }; result: null }
  /** `assignments.csv`: as `labels.csv`, of the file that was assigned. Progress and cancel as of a run of this name. */
  'export.assignments': {
    params: TextChoice & { predictionId: string; path: string; replace: boolean }
    result: { path: string; bytes: number }
  }
  /** Makes a run of the session again. Its data are those that are loaded, else a file among `data` with their SHA-256. */
  'verify.run': { params: Task & { runId: string; data: readonly string[] }; result: RunVerification }
  'verify.describe': { params: { path: string }; result: KeptRunFacts }
  /** The same of a run.json. */
  'verify.file': { params: Task & { path: string; data: readonly string[] }; result: VerifiedFile }
  /** Ends a task, whose answer is then `cancelled`; one that is over, or unknown, stays as it is. */
  'reuse.cancel': { params: Task; result: null }
  /** What makes a run again with scikit-learn. */
  'run.python': { params: { runId: string }; result: { text: string } }
}

export const reuseStages = ['reading', 'assigning', 'running'] as const
export type ReuseStage = (typeof reuseStages)[number]

/** How far a task is; `share` of the stage, 0..1, null where nobody can tell. */
export interface ReuseProgress extends Task {
  readonly stage: ReuseStage
  readonly share: number | null
}

export interface ReuseHostEvents {
  'reuse.progress': ReuseProgress
}

/** Answered by main: files go by their tokens. */
export interface ReuseAppRequests {
  'app.predict': { params: Task & { runId: string; token: string }; result: AssignedFile }
  /** Save dialog, then `export.assignments`; null when the person closed the dialog. */
  'app.export-assignments': {
    params: TextChoice & { predictionId: string }
    result: { path: string; bytes: number } | null
  }
  /** Looks for data that are not loaded where they lay, and among recent files. */
  'app.verify': { params: Task & { runId: string; data: string | null }; result: RunVerification }
  'app.describe-run': { params: { token: string }; result: KeptRunFacts }
  /** Looks for the data beside run.json and among recent files; `data`: a file that the person named. */
  'app.verify-file': {
    params: Task & { token: string; data: string | null }
    result: Omit<VerifiedFile, 'dataPath'> & { dataName: string }
  }
}

/** Requests of the window that main passes on unchanged. */
export const forwardedReuseRequests = [
  'predict.close',
  'reuse.cancel',
  'run.python',
] as const satisfies readonly (keyof ReuseHostRequests)[]

/** The code of the refusal that asks for the data file of a run. */
export const dataMissing = 'verify.data'
