import { seconds } from './steps.mjs'

/**
 * @typedef {import('./stages.mjs').Stage} Stage
 * @typedef {import('./stages.mjs').Outcome & {name: string, time: string}} Row
 */

/** As many as the cores of a small machine. */
const maxShared = 2

/**
 * Runs stages in their order: first those that may share the machine, two at a time, then the others one by one.
 * @param {readonly Stage[]} stages
 * @returns {Promise<Row[]>} in the same order
 */
export async function runStages(stages) {
  const shared = stages.filter((stage) => stage.shared === true)
  const alone = stages.filter((stage) => stage.shared !== true)
  return [...(await runAll(shared, maxShared)), ...(await runAll(alone, 1))]
}

/**
 * @param {readonly Stage[]} stages
 * @param {number} most at a time
 */
async function runAll(stages, most) {
  const waiting = stages.entries()
  /** @type {Row[]} */
  const rows = []
  const worker = async () => {
    for (const [at, { name, run }] of waiting) {
      const start = performance.now()
      const outcome = await run()
      rows[at] = { name, ...outcome, time: seconds(start) }
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
  return rows
}
