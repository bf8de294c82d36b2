import { createInterface } from 'node:readline/promises'
import { printableLines } from '@shared/printable'

/**
 * Asks on standard error, since results go to standard output.
 * @returns the line, undefined where the input ends
 * @throws AbortError when the signal aborts: the terminal stays as it is, so Ctrl-C reaches the process
 */
export async function askLine(question: string, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  try {
    return await Promise.race([lines.question(printableLines(question), { signal }), ended])
  } finally {
    lines.close()
  }
}
