import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Which process something belongs to, in a form that a file's name can hold: `<host>-<boot>-<pid>-<start>`. A process id is used
 * again and again, and a folder may be shared by machines; host, boot and the time of the start tell them apart.
 */
export function ownIdentity(): string {
  return identityOf(process.pid, startOf(process.pid) ?? '0')
}

/** The form of an identity, for patterns. */
export const identityPattern = '[0-9a-f]{8}-[0-9a-f]{8}-[0-9]+-[0-9]+'

/** False when its process has ended; true as well for one of another machine, of which nothing can be known here. */
export function mayBeAlive(identity: string): boolean {
  const [host, boot, pid, start] = identity.split('-')
  if (host !== hostMark()) return true
  if (boot !== bootMark()) return false
  const startNow = startOf(Number(pid))
  return startNow === null ? signalReaches(Number(pid)) : startNow === start
}

/** Is the identity one of this machine? */
export function isHere(identity: string): boolean {
  return identity.startsWith(`${hostMark()}-`)
}

function identityOf(pid: number, start: string): string {
  return [hostMark(), bootMark(), pid, start].join('-')
}

/**
 * Machines are often named alike (`localhost`, copies of one installation), and containers of one machine share its boot but not
 * its process ids: whoever cannot be asked about here must not count as ended.
 */
const hostMark = (): string =>
  mark([hostname(), readOr('/etc/machine-id', ''), linkOr('/proc/self/ns/pid', '')].join('\n'))

/** Another one after every start of the machine; one and the same where the system does not report it. */
const bootMark = (): string => mark(readOr('/proc/sys/kernel/random/boot_id', 'boot'))

function mark(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/**
 * When a process started, in ticks since the machine did; null where the system does not report it (no /proc), '' for one that has ended.
 */
function startOf(pid: number): string | null {
  if (readOr('/proc/self/stat', '') === '') return null
  // The name of the program, in brackets, may hold blanks and brackets.
  const stat = readOr(`/proc/${pid}/stat`, '')
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return stat === '' || state === 'Z' ? '' : rest[18]
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}

function linkOr(path: string, otherwise: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return otherwise
  }
}
