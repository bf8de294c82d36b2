import { readFileSync, readdirSync } from 'node:fs'

/**
 * A process with all that descend from it.
 * @param {number} root
 * @returns {number[]}
 */
export function family(root) {
  const parents = new Map(processes().map((pid) => [pid, statOf(pid)?.parent ?? 0]))
  /** @type {(pid: number) => number[]} */
  const under = (pid) => [
    pid,
    ...[...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => under(child)),
  ]
  return under(root)
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** @param {number} pid */
function statOf(pid) {
  const text = read(`/proc/${pid}/stat`)
  // The name before it may hold blanks and brackets.
  const facts = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? null : { parent: Number(facts[1]) }
}

/**
 * Bytes; shared pages count in shares.
 * @param {number} pid
 */
export function memoryOf(pid) {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
}

/** @param {number} pid */
export function nameOf(pid) {
  const line = read(`/proc/${pid}/cmdline`)
  return /--type=([a-z-]+)/.exec(line)?.[1] ?? (line.includes('host.js') ? 'engine host' : 'main')
}

/** @param {string} path "" of a process that is gone */
export function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
