/** What the operating system refuses, whatever was to be done: two clauses, why and what to do. */
export interface SystemTrouble {
  /** Last word of an error code, e.g. `too-many-files`. */
  readonly word: string
  readonly why: string
  readonly remedy: string
}

const memoryUsedUp: SystemTrouble = {
  word: 'no-memory',
  why: 'the memory that this program may use is used up',
  remedy: 'close other programs, choose less data, or raise the limit (ulimit -v)',
}

const overNetwork: SystemTrouble = {
  word: 'network-drive',
  why: 'the network drive it lies on does not answer or has lost it',
  remedy: 'connect the drive again, or work on a copy on this machine',
}

const deviceGone: SystemTrouble = {
  word: 'device-gone',
  why: 'the disk it lies on is not there any more',
  remedy: 'connect the disk again, or choose another folder',
}

const troubles: Readonly<Record<string, SystemTrouble>> = {
  EMFILE: {
    word: 'too-many-files',
    why: 'this program has as many files open as it may',
    remedy: 'raise the limit (ulimit -n), or close what it has open, and try again',
  },
  ENFILE: {
    word: 'too-many-files',
    why: 'the system has as many files open as it can',
    remedy: 'close other programs and try again',
  },
  ENOMEM: memoryUsedUp,
  ELOOP: {
    word: 'link-loop',
    why: 'symbolic links on its path lead round in a circle',
    remedy: 'mend the link, or choose the file it was meant for',
  },
  ENAMETOOLONG: {
    word: 'name-too-long',
    why: 'a name in its path is longer than the disk allows',
    remedy: 'choose a shorter name',
  },
  EIO: {
    word: 'disk-error',
    why: 'its disk reports an error',
    remedy: 'check the disk, and use another one',
  },
  EROFS: { word: 'read-only', why: 'its disk is read-only', remedy: 'choose a folder on another disk' },
  ENOSPC: {
    word: 'disk-full',
    why: 'the disk is full',
    remedy: 'free some space or choose another disk',
  },
  EDQUOT: {
    word: 'disk-full',
    why: 'your disk quota is used up',
    remedy: 'free some space or choose another disk',
  },
  EFBIG: {
    word: 'file-too-large',
    why: 'it is larger than a file may be here',
    remedy: 'raise the limit (ulimit -f), or choose a disk that holds larger files',
  },
  ESTALE: overNetwork,
  ETIMEDOUT: overNetwork,
  EHOSTDOWN: overNetwork,
  EHOSTUNREACH: overNetwork,
  ENXIO: deviceGone,
  ENODEV: deviceGone,
}

/** Every `SystemTrouble.word`. */
export const troubleWords: readonly string[] = [...new Set(Object.values(troubles).map(({ word }) => word))]

/** What V8 says when there is no room for an array, a string or a map. */
const noRoom =
  /^(Array buffer allocation failed|Failed to allocate|Invalid string length|Out of memory|.*bad_alloc)/i

/** The trouble behind anything thrown; null where it is no refusal of the system. */
export function systemTrouble(thrown: unknown): SystemTrouble | null {
  if (!(thrown instanceof Error)) return null
  if (noRoom.test(thrown.message)) return memoryUsedUp
  return 'code' in thrown ? (troubles[String(thrown.code)] ?? null) : null
}

/** The folder a command was started in was removed: what the system says when it is asked for it. */
export function isWithoutFolder(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'uv_cwd'
}
