import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'

/** Leaders of groups of which something may still live. A forced exit must not leave them at work. */
const living = new Set<ChildProcessWithoutNullStreams>()

/**
 * Starts a program as the leader of a group, so that it can be ended with all that it starts: what a wrapper script started would
 * hold its output open. Ctrl-C of a terminal does not reach it; it ends with this process, unless that is killed.
 */
export function startGroup(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcessWithoutNullStreams {
  const child = spawn(path, args, { env, detached: true })
  if (living.size === 0) process.once('exit', endAll)
  living.add(child)
  const forget = () => {
    living.delete(child)
    if (living.size === 0) process.off('exit', endAll)
  }
  child.once('error', forget)
  child.once('close', forget)
  // Who ends while it is written to is seen by whoever waits for its answer.
  child.stdin.on('error', () => undefined)
  return child
}

/** The program with all that it has started. Never throws. */
export function endGroup(leader: ChildProcessWithoutNullStreams): void {
  // Of what has ended the number may be somebody else's by now.
  if (leader.pid === undefined || !living.has(leader)) return
  try {
    process.kill(-leader.pid, 'SIGKILL')
  } catch {
    // Windows knows no groups; there the leader ends alone.
    leader.kill('SIGKILL')
  }
}

function endAll(): void {
  for (const leader of living) endGroup(leader)
}
