import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Calls that name somebody to talk to. */
const calls = ['connect', 'sendto', 'sendmmsg']

/** Inside one machine: sockets of a path or a name, and the kernel's own; unspecified is a socket let go. */
const localFamilies = ['AF_UNIX', 'AF_NETLINK', 'AF_UNSPEC']

/**
 * Writes a program that starts another one under strace, as the same process, with a trace of its own for each start.
 * @param {string} folder for the program and the traces
 * @param {string} program
 * @returns {string} path of the starter
 */
export function writeStarter(folder, program) {
  const starter = join(folder, 'traced')
  const options = `-D -f -qq -yy --seccomp-bpf -e trace=${calls.join(',')} -e signal=none`
  const trace = `'${folder}'/"\${CENTROID_LAB_E2E_FILE:-unknown}"-$$.trace`
  writeFileSync(starter, `#!/bin/sh\nexec strace ${options} -o ${trace} -- '${program}' "$@"\n`)
  chmodSync(starter, 0o755)
  return starter
}

/** Of a trace's name: the test file whose start it was, and the process. */
const traceName = /^(.*)-\d+\.trace$/

/**
 * @typedef {object} Calls
 * @property {number} local calls that named an address inside the machine
 * @property {readonly string[]} outwards the calls that named somebody outside the machine's local sockets, and datagrams sent to whoever
 * was named before (by other sockets only those can be sent to who were connected to, which is told, or who called: the test does)
 * @property {readonly string[]} unsent datagram sockets that were given an address outside and sent nothing by it: so Chromium
 * asks the kernel which address of its own would be used
 *
 * @typedef {Calls & { file: string, starts: number }} FileCalls of all starts of the program by one test file
 */

/**
 * What the program called, by the test file that had started it.
 * @param {string} folder
 * @returns {FileCalls[]} by name
 */
export function readTraces(folder) {
  /** @type {Map<string, string[]>} */
  const traces = new Map()
  for (const name of readdirSync(folder).sort()) {
    const file = traceName.exec(name)?.[1]
    if (file !== undefined) traces.set(file, [...(traces.get(file) ?? []), name])
  }
  return [...traces].map(([file, names]) => {
    const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    return { file, starts: names.length, ...judge(lines) }
  })
}

/** A call with its socket as `strace -yy` writes it: `7 sendto(4<UDP:[81]>, ...`, short process ids with blanks behind them. */
const call = /^\d+ +(?:[\d.]+ )?(\w+)\(\d+(?:<(\w+))?/

/**
 * @param {readonly string[]} lines
 * @returns {Calls}
 */
export function judge(lines) {
  let local = 0
  const outwards = []
  const unsent = []
  for (const line of lines) {
    const [, name, socket] = call.exec(line) ?? []
    const family = /sa_family=(\w+)/.exec(line)?.[1]
    const isDatagram = socket?.startsWith('UDP') ?? false
    if (family !== undefined && localFamilies.includes(family)) local++
    else if (family !== undefined && name === 'connect' && isDatagram) unsent.push(line)
    else if (family !== undefined || (isDatagram && name !== 'connect')) outwards.push(line)
  }
  return { local, outwards, unsent }
}
