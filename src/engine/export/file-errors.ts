import { basename, dirname } from 'node:path'
import { LabError } from '@shared/errors'
import { systemTrouble } from '@shared/system-errors'

type Sentence = readonly [code: string, say: (path: string) => string]

/** Ways in which a file system says no to a file that is to be written, by the code of the error. */
const sentences: Readonly<Record<string, Sentence>> = {
  EEXIST: [
    'export.exists',
    (path) => `${path} already exists: allow it to be replaced or choose another name.`,
  ],
  ENOENT: [
    'export.folder-missing',
    (path) =>
      `The folder ${dirname(path)} for ${basename(path)} does not exist: create it or choose another one.`,
  ],
  ENOTDIR: [
    'export.folder-missing',
    (path) =>
      `${dirname(path)} is not a folder, so ${basename(path)} cannot be written there: choose a folder.`,
  ],
  EISDIR: ['export.is-directory', (path) => `${path} is a folder: give the file to be written another name.`],
  EACCES: [
    'export.not-writable',
    (path) =>
      `${path} cannot be written, permission is missing: choose another folder or change its permissions.`,
  ],
  EPERM: [
    'export.not-writable',
    (path) =>
      `${path} cannot be written, permission is missing: choose another folder or change its permissions.`,
  ],
}

/** What a failed system call means for the file that was to be written; other errors pass unchanged. */
export function writeFailure(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('syscall' in thrown)) return thrown
  const system = String(thrown.code)
  const [code, say] = sentences[system] ??
    refused(thrown) ?? [
      'export.failed',
      () => `${path} could not be written (${system}): choose another folder or file name.`,
    ]
  return new LabError(code === 'export.exists' ? 'input' : 'io', code, say(path), thrown.message)
}

function refused(thrown: Error): Sentence | null {
  const trouble = systemTrouble(thrown)
  if (trouble === null) return null
  const { word, why, remedy } = trouble
  return [`export.${word}`, (path) => `${path} could not be written, because ${why}: ${remedy}.`]
}

/** The same errors, for a check that is ours and not the system's. */
export function refuseWrite(system: 'EEXIST' | 'EISDIR' | 'ENOTDIR', path: string): LabError {
  const [code, say] = sentences[system]
  return new LabError(system === 'EEXIST' ? 'input' : 'io', code, say(path))
}
