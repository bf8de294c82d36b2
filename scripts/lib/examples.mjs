// The main job with no window: one real CSV through every engine and variant found.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { callersFolder } from './become.mjs'
import { hostNode } from './host-node.mjs'
import { at, paths } from './project.mjs'
import { capture } from './run.mjs'
import { textTable } from './text-table.mjs'

/**
 * @typedef {{id: string, available: boolean, reason: string | null, variants: {id: string}[]}} EngineReport
 * @typedef {{n: number, d: number, k: number, engine: string, device: string | null, variant: string, iterations: number,
 *   inertia: number, sizes: number[], centroids: number[][], timings: Record<string, number | null>}} ClusterReport
 */

const results = at('out-examples')
const k = '3'

/**
 * @param {string | undefined} file a CSV to use in place of the example
 * @returns {Promise<number>} exit status
 */
export async function runExamples(file) {
  const data = file === undefined ? at('examples', 'iris.csv') : resolve(callersFolder(), file)
  console.log(
    `There is no display, so no window opens; clustering ${data} with every engine found instead.\n`,
  )
  const { found, absent } = await engines()
  for (const { id, reason } of absent) console.log(`${id} is left out: ${reason ?? 'not available'}`)
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const reports = []
  for (const [engine, variant] of found) reports.push(await cluster(data, engine, variant))
  if (reports.length === 0) return 1
  show(reports)
  console.log(`\nThe result files lie in ${results}, a folder for each row.`)
  console.log(
    `With a display, \`npm start\` opens the window; \`npm run -s cli -- --help\` is the command line.`,
  )
  return 0
}

async function engines() {
  const failure = 'The engines of this machine could not be listed; see the lines above.'
  const text = await capture(hostNode, [paths.cli, 'engines', '--json'], { failure })
  /** @type {{engines: EngineReport[]}} */
  const { engines: all } = JSON.parse(text)
  const found = all
    .filter(({ available }) => available)
    .flatMap(({ id, variants }) => variants.map((variant) => /** @type {const} */ ([id, variant.id])))
  return { found, absent: all.filter(({ available }) => !available) }
}

/**
 * @param {string} data
 * @param {string} engine
 * @param {string} variant
 * @returns {Promise<ClusterReport>}
 */
async function cluster(data, engine, variant) {
  const what = ['--engine', engine, '--variant', variant, '-k', k]
  const how = ['--init', 'first-k', '--stop', 'labels', '--history', '--json', '--force']
  const folder = join(results, `${engine}-${variant}`)
  const failure = `${basename(data)} could not be clustered with ${engine}/${variant}; see the lines above.`
  const text = await capture(hostNode, [paths.cli, 'cluster', data, ...what, ...how, '-o', folder], {
    failure,
  })
  return JSON.parse(text)
}

/** @param {readonly ClusterReport[]} reports */
function show(reports) {
  const [{ n, d, engine, variant, centroids, sizes, inertia }] = reports
  console.log(`\n${n} points, ${d} features, ${k} clusters, inertia ${inertia.toFixed(4)}. Centroids:\n`)
  const columns = ['cluster', 'size', ...featureNames(join(results, `${engine}-${variant}`), d)]
  const rows = centroids.map((row, cluster) => [
    String(cluster),
    String(sizes[cluster]),
    ...row.map((x) => x.toFixed(4)),
  ])
  console.log(textTable(columns, rows))
  console.log('\nExecution times in milliseconds (a single run each):\n')
  console.log(
    textTable(
      ['engine', 'variant', 'device', 'iterations', 'inertia', 'init', 'total'],
      reports.map(timingRow),
    ),
  )
}

/**
 * Names of the features as the written file has them, behind its columns cluster, size and inertia; numbers where
 * a quoted name makes the header more than a list.
 * @param {string} folder
 * @param {number} d
 */
function featureNames(folder, d) {
  const [header] = readFileSync(join(folder, 'centroids.csv'), 'utf8').split('\n')
  const names = header.trim().split(',').slice(3)
  const isPlain = names.length === d && !header.includes('"')
  return isPlain ? names : Array.from({ length: d }, (_, feature) => `feature ${feature + 1}`)
}

/** @param {ClusterReport} report */
function timingRow({ engine, variant, device, iterations, inertia, timings }) {
  const ms = (/** @type {number | null | undefined} */ value) =>
    typeof value === 'number' ? value.toFixed(3) : ''
  const times = [ms(timings['init_ms']), ms(timings['total_ms'])]
  return [engine, variant, device ?? '', String(iterations), inertia.toFixed(4), ...times]
}
