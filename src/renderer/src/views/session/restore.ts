import type { AppEvents } from '@shared/ipc'
import type { OpenedSession } from '@shared/session'
import { plural } from '@/text/numbers'
import { useAppStore } from '@/stores/app'
import { useRunStore } from '@/stores/run'
import { useSessionStore } from '@/stores/session'

/** The files, the results and the settings are as they were before the program or its page was ended. */
export function useRestore(): (kept: AppEvents['app.restore']) => Promise<void> {
  const run = useRunStore()
  const session = useSessionStore()
  const opened = useOpened()
  return async ({ session: kept, byForce }) => {
    await session.adopt(kept)
    if (session.shownId !== null && session.absent === null) await run.findBroken(session.shownId)
    opened(kept, byForce ? 'Centroid Lab was ended unexpectedly; ' : null)
  }
}

/** Tells what came back, and what did not. */
export function useOpened(): (kept: OpenedSession, lead: string | null) => void {
  const app = useAppStore()
  const run = useRunStore()
  const session = useSessionStore()
  return (kept, lead) => {
    const count = run.results.length
    const found = count === 0 ? '' : ` with ${plural(count, 'result')}`
    const sentence = `${sessionWords(kept)} is open again${found}`
    if (lead === null) app.message = sentence
    else app.announce(`${lead}${sentence}.`)
    const absent = session.datasets.filter(({ file }) => file !== 'there')
    if (absent.length > 0) app.announce(absentSentence(absent))
  }
}

/** What it is called: its .clab, else its files. */
function sessionWords({ name, datasets }: OpenedSession): string {
  if (name !== null) return name
  const [first, ...others] = datasets
  if (!first) return 'The session'
  return others.length === 0 ? first.name : `${first.name} and ${plural(others.length, 'more file')}`
}

/** What was computed is not lost with its file. */
function absentSentence(datasets: readonly { readonly name: string; readonly file: string }[]): string {
  const words = datasets.map(
    ({ name, file }) => `${name} ${file === 'missing' ? 'was not found' : 'has changed'}`,
  )
  return `${words.join(', ')}: the runs are kept and can be read; locate the file to see their rows.`
}
