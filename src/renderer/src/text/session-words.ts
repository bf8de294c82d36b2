import type { FileState } from '@shared/session'

/** How a file of the session is, where it is not as it was. */
export function fileWords(file: FileState): string {
  if (file === 'missing') return 'file not found'
  return file === 'changed' ? 'file changed' : ''
}

/** Why a dataset is shown with its runs alone, and what can be done. */
export function absentSentence(name: string, file: FileState): string {
  const why =
    file === 'changed'
      ? `${name} is not as it was when these runs were made: its contents have changed.`
      : `${name} is not where it was when the session was saved.`
  return `${why} The runs are kept and can be read here. Locate the file to see its rows again.`
}
