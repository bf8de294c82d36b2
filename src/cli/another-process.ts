import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What another process of the program came to. */
export interface ProcessEnd {
  readonly status: number
  /** What it printed; empty where that went to this one's own output. */
  readonly stdout: string
}

/** The program once more, in a process of its own. @param kept whether what it prints is wanted here */
export type AnotherProcess = (
  argv: readonly string[],
  kept: boolean,
  signal: AbortSignal,
) => Promise<ProcessEnd>

/** Says to a process that it is another one's, so that it makes no third. */
export const anotherVariable = 'CENTROID_LAB_ANOTHER_PROCESS'

/** Of this very program; Ctrl-C reaches both. */
export const anotherProcess: AnotherProcess = async (argv, kept, signal) => {
  const env = { ...process.env, [anotherVariable]: '1' }
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1], ...argv], {
    ...{ env, stdio: ['inherit', kept ? 'pipe' : 'inherit', kept ? 'ignore' : 'inherit'] },
  })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  try {
    const [status] = (await once(child, 'close')) as [number | null]
    return { status: status ?? 1, stdout }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
