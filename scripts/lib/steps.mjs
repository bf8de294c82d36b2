import { SetupFailure } from './failure.mjs'
import { alone } from './lock.mjs'

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {() => boolean} isDone cheap: looked at on every start
 * @property {() => Promise<string>} run answers a few words about what was done
 */

/**
 * Runs the steps that are not done, in order, one line each on standard error.
 * @param {readonly Step[]} steps
 * @returns {Promise<number>} how many were run
 */
export async function runSteps(steps) {
  // Later steps cannot be judged before the earlier ones are done, so they are looked at again inside.
  if (steps.every((step) => step.isDone())) return 0
  return alone(async () => {
    let count = 0
    for (const step of steps) {
      if (step.isDone()) continue
      await runStep(step)
      count += 1
    }
    return count
  })
}

/**
 * A step that may fail: the sentence is said and the work goes on without it.
 * @param {Step} step
 * @param {(failure: SetupFailure) => void} [onFailure]
 * @returns {Step}
 */
export function dispensable(step, onFailure = () => undefined) {
  let failed = false
  return {
    name: step.name,
    isDone: () => failed || step.isDone(),
    run: async () => {
      try {
        return await step.run()
      } catch (error) {
        if (!(error instanceof SetupFailure)) throw error
        failed = true
        onFailure(error)
        return [error.details, error.message].filter(Boolean).join('\n')
      }
    },
  }
}

/** @param {Step} step */
async function runStep(step) {
  const start = performance.now()
  process.stderr.write(`set-up: ${step.name} ... `)
  try {
    const result = await step.run()
    process.stderr.write(`${seconds(start)}, ${result}\n`)
  } catch (error) {
    process.stderr.write(`failed after ${seconds(start)}\n`)
    throw error
  }
}

/** @param {number} start reading of performance.now() */
export function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
