/** Where a program writes; process.stdout and process.stderr are such, and so is a test's list of pieces. */
export interface TextOut {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** What the command line needs of the world, so that a test can give it another one. */
export interface CliIo {
  /** Results. */
  readonly stdout: TextOut
  /** Progress, warnings and errors. */
  readonly stderr: TextOut
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Asks who sits at the terminal, and answers with a line; undefined for none. Absent where nobody can be asked. */
  readonly ask?: (question: string) => Promise<string | undefined>
  readonly env: Readonly<Record<string, string | undefined>>
}
