import { closeSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'

const closesOnExec = 0o2000000

/** A descriptor of a process, as /proc shows it. */
interface Descriptor {
  /** What is open, e.g. `socket:[4711]`. */
  readonly link: string
  /** Its state, by which one epoll or eventfd is told from another. */
  readonly facts: string
  readonly staysOverExec: boolean
}

/**
 * Closes what this process was born with and nobody gave it: Chromium leaves sockets, locks and shared memory of its own
 * open in its children. A socket held here would make the next start of the program wait for one that is gone. Node marks all
 * of its own for closing on exec, and of what it inherits only the first few: those are known by being the parent's too. On
 * Linux; elsewhere children inherit nothing.
 * @param maxGiven descriptors up to this one were given on purpose
 */
export function closeInheritedDescriptors(maxGiven: number): void {
  for (const fd of descriptorsOf('self').filter((each) => each > maxGiven)) {
    const own = describe('self', fd)
    if (own !== null && (own.staysOverExec || isSame(own, describe(process.ppid, fd)))) closeQuietly(fd)
  }
}

function descriptorsOf(pid: number | 'self'): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(Number)
  } catch {
    return []
  }
}

/** Null where it is not open, such as the folder that was just listed. */
function describe(pid: number | 'self', fd: number): Descriptor | null {
  try {
    const facts = readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1')
    const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(facts)?.[1] ?? '0', 8)
    const staysOverExec = (flags & closesOnExec) === 0
    return {
      link: readlinkSync(`/proc/${pid}/fd/${fd}`),
      facts: facts.replace(/^flags:.*$/m, ''),
      staysOverExec,
    }
  } catch {
    return null
  }
}

/** What closes on exec in the parent was never inherited. */
function isSame(own: Descriptor, parents: Descriptor | null): boolean {
  if (parents?.link !== own.link || !parents.staysOverExec) return false
  return !own.link.startsWith('anon_inode:') || parents.facts === own.facts
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd)
  } catch {
    // Somebody was faster.
  }
}
