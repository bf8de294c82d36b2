import { basename, dirname } from 'node:path'
import { LabError } from '@shared/errors'

/** The sentence for each way a file system says no, by its error code. */
const sentences: Readonly<Record<string, readonly [code: string, say: (path: string) => string]>> = {
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
  EROFS: [
    'export.read-only',
    (path) => `${path} cannot be written, its disk is read-only: choose a folder on another disk.`,
  ],
  ENOSPC: [
    'export.disk-full',
    (path) => `The disk is full and ${path} was not written: free some space or choose another disk.`,
  ],
  EDQUOT: [
    'export.disk-full',
    (path) =>
      `Your disk quota is used up and ${path} was not written: free some space or choose another disk.`,
  ],
  ENAMETOOLONG: [
    'export.name-too-long',
    (path) => `The file name ${basename(path)} is too long for its disk: choose a shorter one.`,
  ],
}

/** What a failed system call means for the file that was to be written; other errors pass unchanged. */
export function writeFailure(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('syscall' in thrown)) return thrown
  const system = String(thrown.code)
  const [code, say] = sentences[system] ?? [
    'export.failed',
    () => `${path} could not be written (${system}): choose another folder or file name.`,
  ]
  return new LabError(code === 'export.exists' ? 'input' : 'io', code, say(path), thrown.message)
}

/** The same errors, for a check that is ours and not the system's. */
export function refuseWrite(system: 'EEXIST' | 'EISDIR' | 'ENOTDIR', path: string): LabError {
  const [code, say] = sentences[system]
  return new LabError(system === 'EEXIST' ? 'input' : 'io', code, say(path))
}
