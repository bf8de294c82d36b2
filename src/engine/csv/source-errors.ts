import { LabError } from '@shared/errors'
import { systemTrouble, troubleWords } from '@shared/system-errors'

/** A failed file operation as a sentence about that file. */
export function readFailure(path: string, thrown: unknown): LabError {
  if (thrown instanceof LabError) return thrown
  const { code = '', message = String(thrown) } = thrown as NodeJS.ErrnoException
  const [name, sentence] = sentences[code] ?? refused(thrown) ?? unreadable
  return new LabError('input', `csv.${name}`, `The file ${path} ${sentence}.`, message)
}

type Sentence = readonly [name: string, clause: string]

function refused(thrown: unknown): Sentence | null {
  const trouble = systemTrouble(thrown)
  return trouble && [trouble.word, `could not be read, because ${trouble.why}: ${trouble.remedy}`]
}

const unreadable: Sentence = ['unreadable', 'could not be read: check the disk and try again']

const hindrances = new Set(['unreadable', 'no-permission', ...troubleWords].map((name) => `csv.${name}`))

/** Was the file kept from being read by something that says nothing of what is in it? */
export function isHindrance({ code }: Pick<LabError, 'code'>): boolean {
  return hindrances.has(code)
}

const sentences: Readonly<Record<string, Sentence>> = {
  ENOENT: ['not-found', 'does not exist: check its name, or choose another file'],
  ENOTDIR: [
    'not-found',
    'does not exist, because a part of its path is a file and no folder: check its name, or choose another file',
  ],
  EACCES: [
    'no-permission',
    'cannot be read, permission is missing: change its permissions, or choose another file',
  ],
  EPERM: [
    'no-permission',
    'cannot be read, permission is missing: change its permissions, or choose another file',
  ],
  EISDIR: ['directory', 'is a folder: choose a file inside it'],
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

export function firstLineTooLong(path: string): LabError {
  return new LabError(
    'input',
    'csv.long-line',
    `The first line of ${path} is longer than 500 million characters: write each row on a line of its own.`,
  )
}
