/** Files that the window knows by token and name only. */
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

/** A file with the results that were made on it, kept until the person goes on with it or discards it. */
export interface KeptSession {
  readonly id: string
  readonly name: string
  readonly folder: string
  /** Finished ones, with their arrays. */
  readonly runs: number
  /** A run that was cut off can go on. */
  readonly isCutOff: boolean
  /** ISO 8601; null where it is not known. */
  readonly lastUsed: string | null
}
