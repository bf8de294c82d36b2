// What a run takes in one process and in several, measured here, and what its messages would take on many machines, on paper.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'
import { hostNode } from './host-node.mjs'
import { at } from './project.mjs'

const iterations = 20
const program = at('out', 'main', 'cli.js')
const mib = 2 ** 20

/** @typedef {{sums: number, sumBytes: number, sumMs: number, messages: number, messageBytes: number}} Traffic */
/** @typedef {{rank: number, peakBytes: number, traffic: Traffic | null}} Facts */
/** @typedef {{sums: number, bytes: number, ms: number} | null} PerPass */
/** @typedef {Readonly<Record<string, number | null>>} Timings */
/** @typedef {{processes: number, hash: string, timings: Timings, facts: readonly Facts[]}} Once */
/** @typedef {Once & {perPass: readonly PerPass[]}} Measured */

/** A network on paper: seconds that a message takes, and bytes a second. */
const paper = { latency: 2e-6, bandwidth: 12.5e9 }
const nodesOnPaper = [2, 4, 16, 64]

/**
 * @param {{n: number, d: number, k: number, processes: readonly number[]}} shape
 * @returns {number} exit status
 */
export function printScaling({ n, d, k, processes }) {
  const home = mkdtempSync(join(tmpdir(), 'centroid-scaling-'))
  try {
    const data = join(home, 'uniform.csv')
    run(0, ['generate', 'uniform', '-n', String(n), '-d', String(d), '-o', data])
    const runs = processes.map((count) => measured(count, data, k, join(home, `facts ${count}`)))
    console.log(`${n} x ${d}, k = ${k}, ${iterations} iterations, one thread a process`)
    printRuns(runs)
    printMessages(runs, d, k)
    printPaper(runs, d, k)
    const hashes = new Set(runs.map(({ hash }) => hash))
    console.log(hashes.size === 1 ? 'The results are the same bytes.' : 'The results DIFFER.')
    return hashes.size === 1 ? 0 : 1
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * One process works without mpirun.
 * @param {number} processes
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} standard output
 */
function run(processes, args, env = {}) {
  const own = [program, ...args]
  const mpi = ['-q', '--oversubscribe', '-n', String(processes), hostNode, ...own]
  const [command, given] = processes <= 1 ? [hostNode, own] : ['mpirun', mpi]
  const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' }
  const { status, stdout, stderr } = spawnSync(command, given, {
    env: { ...process.env, ...asRoot, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new SetupFailure(`${command} ended with status ${status}.`, stderr)
  return stdout
}

/**
 * @param {number} processes
 * @param {string} data
 * @param {number} k
 * @param {string} folder
 * @returns {Measured}
 */
function measured(processes, data, k, folder) {
  const once = runOnce(processes, data, k, join(folder, 'once'), iterations)
  // What more iterations send is theirs alone.
  const twice = runOnce(processes, data, k, join(folder, 'twice'), 2 * iterations)
  return {
    ...once,
    perPass: once.facts.map(({ traffic }, rank) => perPass(traffic, twice.facts[rank].traffic)),
  }
}

/**
 * @param {Traffic | null} once
 * @param {Traffic | null} twice
 * @returns {PerPass}
 */
function perPass(once, twice) {
  if (once === null || twice === null) return null
  /** @param {'sums' | 'sumBytes'} name */
  const of = (name) => (twice[name] - once[name]) / iterations
  return { sums: of('sums'), bytes: of('sumBytes'), ms: twice.sumMs / twice.sums }
}

/**
 * @param {number} processes
 * @param {string} data
 * @param {number} k
 * @param {string} folder
 * @param {number} iterations
 * @returns {Once}
 */
function runOnce(processes, data, k, folder, iterations) {
  mkdirSync(folder, { recursive: true })
  const config = [
    '-k',
    String(k),
    '--init',
    'random',
    '--stop',
    'none',
    '--max-iterations',
    String(iterations),
  ]
  const env = { CENTROID_LAB_THREADS: '1', CENTROID_LAB_PROCESS_FACTS: folder }
  const args = ['cluster', data, ...config, '--variant', 'fused', '--engine', 'cpu', '--json']
  const { timings, result_sha256: hash } = JSON.parse(run(processes, args, env))
  const facts = readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .sort((a, b) => a.rank - b.rank)
  return { processes, hash, timings, facts }
}

/** @param {readonly Measured[]} runs */
function printRuns(runs) {
  const [first] = runs
  console.log('processes  load ms  iterate ms  speed-up  efficiency  peak memory of each, MiB')
  for (const { processes, timings, facts } of runs) {
    const speedUp = iterateMs(first.timings) / iterateMs(timings)
    const peaks = facts.map(({ peakBytes }) => Math.round(peakBytes / mib)).join(' ')
    const efficiency = (100 * speedUp * first.processes) / processes
    console.log(
      [
        String(processes).padStart(9),
        (timings['load_ms'] ?? 0).toFixed(0).padStart(7),
        iterateMs(timings).toFixed(0).padStart(10),
        speedUp.toFixed(2).padStart(8),
        `${efficiency.toFixed(0)} %`.padStart(10),
        peaks || '-',
      ].join('  '),
    )
  }
}

/**
 * @param {Timings} timings
 * @returns {number}
 */
function iterateMs(timings) {
  return ['assign_ms', 'update_ms', 'converge_ms', 'iterate_ms'].reduce(
    (sum, name) => sum + (timings[name] ?? 0),
    0,
  )
}

/**
 * Bytes of the sum of a pass: sums, members, changes, and who knows that no label changed.
 * @param {number} d
 * @param {number} k
 */
function bytesOfPass(d, k) {
  return 8 * (k * (d + 1) + 2)
}

/**
 * @param {readonly Measured[]} runs
 * @param {number} d
 * @param {number} k
 */
function printMessages(runs, d, k) {
  console.log(`\nA pass sends ${bytesOfPass(d, k)} bytes by the model: 8 (k (d + 1) + 2).`)
  for (const { processes, perPass, facts } of runs.filter((each) => each.processes > 1)) {
    for (const [rank, own] of perPass.entries()) {
      const traffic = facts[rank]?.traffic ?? null
      if (own === null || traffic === null) continue
      const { sums, bytes, ms } = own
      const rest = traffic.sumBytes + traffic.messageBytes - iterations * bytes
      console.log(
        `${processes} processes, rank ${rank}: ${sums} sums of ${bytes} bytes a pass, ${ms.toFixed(2)} ms a sum with the wait for the others; all else of the run ${(rest / mib).toFixed(1)} MiB`,
      )
    }
  }
  for (const { processes } of runs.filter((each) => each.processes > 1)) {
    for (const numbers of [1, bytesOfPass(d, k) / 8]) {
      console.log(
        `${processes} processes: a sum of ${8 * numbers} bytes takes ${sumUs(processes, numbers)} us here`,
      )
    }
  }
}

/**
 * Of processes that do nothing else.
 * @param {number} processes
 * @param {number} numbers
 */
function sumUs(processes, numbers) {
  const text = `const addon = require(${JSON.stringify(at('.native', 'centroid_mpi.node'))})
    const { rank } = addon.begin(60, '')
    addon.sumMs(${numbers}, 100)
    const ms = addon.sumMs(${numbers}, 1000)
    if (rank === 0) console.log((1000 * ms).toFixed(1))
    addon.end()`
  const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' }
  const args = ['-q', '--oversubscribe', '-n', String(processes), hostNode, '-e', text]
  const { stdout } = spawnSync('mpirun', args, { env: { ...process.env, ...asRoot }, encoding: 'utf8' })
  return stdout.trim()
}

/**
 * A sum over P processes by recursive halving and doubling (Rabenseifner): 2 log2 P messages, 2 (P - 1) / P of the bytes. What
 * a process computes between two of them is its share of what one takes here.
 * @param {readonly Measured[]} runs
 * @param {number} d
 * @param {number} k
 */
function printPaper(runs, d, k) {
  const bytes = bytesOfPass(d, k)
  const passMs = iterateMs(runs[0].timings) / iterations
  const network = `${paper.latency * 1e6} us a message, ${paper.bandwidth / 1e9} GB/s`
  console.log(`\nOn paper (${network}), where a pass takes one process ${passMs.toFixed(2)} ms:`)
  for (const nodes of nodesOnPaper) {
    const seconds = 2 * Math.log2(nodes) * paper.latency + (2 * (nodes - 1) * bytes) / nodes / paper.bandwidth
    const own = passMs / nodes
    const efficiency = (100 * own) / (own + seconds * 1e3)
    console.log(
      `${String(nodes).padStart(3)} nodes: ${(seconds * 1e6).toFixed(1)} us for messages, ${own.toFixed(2)} ms for the pass, efficiency ${efficiency.toFixed(0)} %`,
    )
  }
}
