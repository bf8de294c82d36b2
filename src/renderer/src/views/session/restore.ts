import type { AppEvents } from '@shared/ipc'
import type { OpenedSession } from '@shared/session'
import { t } from '@/i18n'
import { plural } from '@/text/numbers'
import { lostSentence, sessionWords } from '@/text/session-words'
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
    opened(kept, byForce)
  }
}

/** Tells what came back, and what did not. */
export function useOpened(): (kept: OpenedSession, byForce: boolean) => void {
  const app = useAppStore()
  const run = useRunStore()
  const session = useSessionStore()
  return (kept, byForce) => {
    const count = run.results.length
    const name = sessionWords(kept)
    const sentence =
      count === 0
        ? t('session.openAgain', [name])
        : t('session.openAgainWith', [name, plural(count, 'result')])
    if (byForce) app.announce(t('session.ended', [sentence]))
    else app.message = sentence
    const absent = session.datasets.filter(({ file }) => file !== 'there')
    const losses = [
      ...(absent.length > 0 ? [lostSentence(absent)] : []),
      ...goneSentences(kept, new Set(run.results.map(({ record }) => record.id))),
    ]
    if (losses.length > 0) app.announce(losses.join(' '))
  }
}

/** Runs that the session names and nobody keeps: their folder on this disk is gone. */
function goneSentences({ state }: OpenedSession, there: ReadonlySet<string>): string[] {
  const named = state?.datasets.flatMap(({ runs }) => runs) ?? []
  const gone = named.filter(({ id }) => !there.has(id)).length
  return gone === 0 ? [] : [t('session.runsGone', [gone], gone)]
}
