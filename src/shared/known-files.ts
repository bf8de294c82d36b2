/** Files that the window knows by token and name only. */
/** A file the person chose, known to the window by token and name only. */
export interface RecentFile {
  /** A session is a .clab. */
  readonly kind: 'file' | 'session'
  readonly token: string
  readonly name: string
  readonly folder: string
}

export interface SampleFile {
  readonly token: string
  readonly name: string
  readonly description: string
}

/** A session with results that were not saved, kept until the person goes on with it or discards it. */
export interface KeptSession {
  readonly id: string
  /** Of its .clab, or of its files. */
  readonly name: string
  readonly folder: string
  /** Finished ones, with their arrays. */
  readonly runs: number
  /** A run that was cut off can go on. */
  readonly isCutOff: boolean
  /** ISO 8601; null where it is not known. */
  readonly lastUsed: string | null
}
