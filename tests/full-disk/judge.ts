import type { Ended, Files } from './program'

const progressLine =
  /^(reading|writing|planning|preparing|handing|choosing|iterating|finishing|seeding|\d+ of \d+ runs)/

/** What is wrong with how a command failed, or null: one sentence for people at the end, and a status of its own. */
export function faultOfFailure(
  { status, stderr, ms }: Ended,
  statuses: readonly number[] = [1],
): string | null {
  if (status === null) return `it was ended after ${Math.round(ms)} ms, because it hung`
  if (!statuses.includes(status)) return `status ${status}: ${stderr}`
  const last = messageIn(stderr.trimEnd().split('\n').at(-1) ?? '')
  if (!/^\S.* .*: .*[.]$/.test(last)) return `no sentence with what to do at the end: ${stderr}`
  if (
    /\bat .*:\d+:\d+|\bE[A-Z]{4,}\b|went wrong inside|centroid-lab\.(tmp|lock)|undefined|\b0\.0 GB/.test(
      stderr,
    )
  )
    return `not a sentence for people: ${stderr}`
  return null
}

/** With --json the sentence is in an object. */
function messageIn(line: string): string {
  if (!line.startsWith('{"error"')) return line
  return (JSON.parse(line) as { error: { message: string } }).error.message
}

/** The same for commands that say nothing but that sentence, once. */
export function faultOfWords(ended: Ended, statuses: readonly number[] = [1]): string | null {
  const lines = ended.stderr.split('\n').filter((line) => line !== '' && !progressLine.test(line))
  if (lines.length !== 1) return `${lines.length} lines in the place of one sentence: ${ended.stderr}`
  return faultOfFailure(ended, statuses)
}

/** Each file that is there must be, to the byte, one of those it may be. */
export function faultOfFiles(left: Files, ...wholes: readonly Files[]): string | null {
  for (const [name, found] of left) {
    if (name.split('/').some((part) => part.startsWith('.'))) return `${name} is left behind`
    if (!wholes.some((whole) => whole.has(name))) return `${name} was not asked for`
    if (!wholes.some((whole) => whole.get(name) === found)) return `${name} is not what it should be`
  }
  return null
}

/** Nothing that was there before may be gone. */
export function faultOfLoss(left: Files, before: Files): string | null {
  const lost = [...before.keys()].filter((name) => !left.has(name))
  return lost.length === 0 ? null : `${lost.join(', ')} of an earlier run is lost`
}
