export interface Licence {
  readonly name: string
  readonly version: string
  /** SPDX expression. */
  readonly licence: string
  readonly text: string
}

/** What was kept of crashes, on this machine alone. */
export interface CrashReports {
  /** For a person to look into. */
  readonly folder: string
  readonly count: number
}
