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
  const options = `-D -f -qq --seccomp-bpf -e trace=${calls.join(',')} -e signal=none`
  writeFileSync(starter, `#!/bin/sh\nexec strace ${options} -o '${folder}'/$$.trace -- '${program}' "$@"\n`)
  chmodSync(starter, 0o755)
  return starter
}

/**
 * @typedef {object} Traces
 * @property {number} starts
 * @property {Record<string, number>} byFamily calls that named an address, by its family
 * @property {readonly string[]} outwards the calls that named somebody outside the machine's local sockets
 */

/**
 * @param {string} folder
 * @returns {Traces}
 */
export function readTraces(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.trace'))
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return { starts: files.length, ...judge(lines) }
}

/**
 * @param {readonly string[]} lines
 * @returns {Omit<Traces, 'starts'>}
 */
export function judge(lines) {
  /** @type {Record<string, number>} */
  const byFamily = {}
  const outwards = []
  for (const line of lines) {
    const family = /sa_family=(\w+)/.exec(line)?.[1]
    if (family === undefined) continue
    byFamily[family] = (byFamily[family] ?? 0) + 1
    if (!localFamilies.includes(family)) outwards.push(line)
  }
  return { byFamily, outwards }
}
