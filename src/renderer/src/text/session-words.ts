import type { FileState, OpenedSession } from '@shared/session'
import { t } from '@/i18n'

/** How a file of the session is, where it is not as it was. */
export function fileWords(file: FileState): string {
  if (file === 'missing') return t('session.missing')
  return file === 'changed' ? t('session.changed') : ''
}

/** Why a dataset is shown with its runs alone, and what can be done. */
export function absentSentence(name: string, file: FileState): string {
  const why = t(file === 'changed' ? 'session.whyChanged' : 'session.whyMissing', [name])
  return `${why} ${t('session.whyEnd')}`
}

/** What a session is called: its .clab, else its files. */
export function sessionWords({ name, datasets }: Pick<OpenedSession, 'name' | 'datasets'>): string {
  if (name !== null) return name
  const [first, ...others] = datasets
  if (!first) return t('session.theSession')
  return others.length === 0 ? first.name : t('session.more', [first.name, others.length], others.length)
}

/** What was computed is not lost with its file. */
export function lostSentence(
  datasets: readonly { readonly name: string; readonly file: FileState }[],
): string {
  const items = datasets.map(({ name, file }) =>
    t(file === 'missing' ? 'session.notFoundItem' : 'session.changedItem', [name]),
  )
  return t('session.absent', [items.join(', ')])
}
