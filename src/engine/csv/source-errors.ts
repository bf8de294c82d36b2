import { LabError } from '@shared/errors'

/** A failed file operation as a sentence about that file. */
export function readFailure(path: string, thrown: unknown): LabError {
  if (thrown instanceof LabError) return thrown
  const { code = '', message = String(thrown) } = thrown as NodeJS.ErrnoException
  const [name, sentence] = sentences[code] ?? [
    'csv.unreadable',
    'could not be read: check the disk and try again',
  ]
  return new LabError('input', name, `The file ${path} ${sentence}.`, message)
}

const sentences: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['csv.not-found', 'does not exist: check its name, or choose another file'],
  EACCES: ['csv.no-permission', 'may not be read by you: change its permissions, or choose another file'],
  EPERM: ['csv.no-permission', 'may not be read by you: change its permissions, or choose another file'],
  EISDIR: ['csv.directory', 'is a folder: choose a file inside it'],
}

export function notAFile(path: string): LabError {
  return new LabError(
    'input',
    'csv.not-a-file',
    `${path} is a pipe or a device, which cannot be read twice: save the table as a file and open that.`,
  )
}

export function changedWhileRead(path: string): LabError {
  return new LabError(
    'input',
    'csv.changed',
    `The file ${path} changed while it was read: wait until nothing writes to it, then open it again.`,
  )
}
