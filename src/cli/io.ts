import { printableLines } from '@shared/printable'
import type { AnotherProcess } from './another-process'

/** Where a program writes; process.stdout and process.stderr are such, and so is a test's list of pieces. */
export interface TextOut {
  write(text: string): unknown
  /** What steers a terminal; absent where `write` takes that too. */
  control?(sequence: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Whatever is written, no name of a file or column steers the terminal that shows it. */
export function showingControls(out: TextOut): TextOut {
  return {
    write: (text) => out.write(printableLines(text)),
    control: (sequence) => out.write(sequence),
    ...(out.isTTY !== undefined && { isTTY: out.isTTY }),
    get columns() {
      return out.columns ?? 80
    },
  }
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
  /** Absent where there can be none. */
  readonly another?: AnotherProcess
}

/** What stays is written, and asked, where the changing line was. */
export function clearing(io: CliIo, progress: { clear(): void }): CliIo {
  const { ask, stderr } = io
  return {
    ...io,
    stderr: { write: (text) => (progress.clear(), stderr.write(text)) },
    ...(ask && { ask: (question) => (progress.clear(), ask(question)) }),
  }
}
