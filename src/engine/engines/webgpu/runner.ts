/** The two phases that points go through; the means belong to the second. */
export type Phase = 'assign' | 'update'

/** Where an iteration that takes several submits stands. */
export interface Position {
  readonly phase: Phase
  readonly part: number
  readonly first: number
}

/**
 * What an iteration left behind. Rows are those of the clusters in play. The runner takes the memory over for the submit after
 * the next one.
 */
export interface SlotResult {
  /** (k) members. */
  readonly counts: Uint32Array
  readonly changed: number
  /** (k, d) engine units; empty unless asked for. */
  readonly sums: Float64Array
  /** (k, d) after the update. */
  readonly centroids: Float32Array
}

export interface BatchResult {
  readonly slots: readonly SlotResult[]
  /** Device time of the two phases; null without time stamps. */
  readonly assignMs: number | null
  readonly updateMs: number | null
}

/** What a session wants to hear of an iteration. */
export interface Wanted {
  /** The cluster sums. */
  readonly sums: boolean
  /** Iterations one by one, each from centroids that the host places. */
  readonly apart: boolean
  /** Time stamps of the phases. */
  readonly stamps: boolean
  /** The number of changed labels. */
  readonly changes: boolean
}

/** Labels (n) that came to the host. */
export interface Labelled {
  readonly labels: Int32Array
  /**
   * Of their transfer. Where iterations are not timed apart, nothing waits for the device in between, and only the copy
   * within the host is known.
   */
  readonly downloadMs: number
}

/** What a session drives: carries out iterations and labellings. Knows no rule and no policy. */
export interface Runner {
  readonly hostDeviceBytesPerIteration: number
  /** Iterations that one `iterate` can carry out; 0: every iteration is made of pieces. */
  readonly maxIterations: number
  /** A run starts: nothing of an earlier one saves work. */
  start(): Promise<void>
  /** Sets the clusters in play and their centroids, (k, d). */
  setCentroids(centroids: Float32Array): Promise<void>
  /**
   * `count` iterations in one submit, from the centroids placed, or, where they `follow` the iterations given out
   * before, from what those leave. Two submits may be under way.
   */
  iterate(count: number, follow?: boolean): Promise<BatchResult>
  /** How many of `points` points the next piece takes. */
  fit(position: Position, points: number): number
  /**
   * A piece of one iteration: one phase of `points` points (as `fit` has it) from `position` on.
   * @returns where to go on, `position` itself when aborted; null: `complete` may follow.
   */
  piece(position: Position, points: number, signal: AbortSignal): Promise<Position | null>
  /** The means of an iteration that was made in pieces. */
  complete(): Promise<BatchResult>
  /** Labels (n) of all points against the centroids placed, at most `most` points a submit. */
  label(most: number): Promise<Labelled>
  /** Sets the labels that the next iteration compares with; null: no point has one yet. */
  setLabels(labels: Int32Array | null): Promise<void>
  /** The end of what the session holds on the device. */
  close(): Promise<void>
}
