import { spawn } from 'node:child_process'

/** What a program says at most; more is not an answer to what was asked. */
const maxCharacters = 1 << 16

/**
 * What a program prints, null where it fails. One that does not end in time is ended with all that it started: what a wrapper
 * script started would hold its output open, and whoever waits for that.
 */
export function answerOf(
  path: string,
  args: readonly string[],
  { env, timeoutMs }: { readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<string | null | 'hangs'> {
  return new Promise((resolve) => {
    // A group of its own, which can be ended as a whole.
    const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    let said = ''
    const timer = setTimeout(() => {
      endGroup(child.pid)
      child.stdout.destroy()
      resolve('hangs')
    }, timeoutMs)
    const answer = (text: string | null) => {
      clearTimeout(timer)
      resolve(text)
    }
    child.stdout.on('data', (data: Buffer) => {
      if (said.length < maxCharacters) said += data.toString()
    })
    child.once('error', () => answer(null))
    child.once('close', (status) => answer(status === 0 ? said : null))
  })
}

/** A process that leads a group, with all others in it. Never throws. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
