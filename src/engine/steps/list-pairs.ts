import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { stepsError } from './step-errors'
import { stepOfFile } from './step-of-file'

/** Shown side by side, and held in memory: more would serve nobody. */
export const maxSteps = 64
export const maxBytes = 256 * 2 ** 20

/** The two files of a step. */
export interface PairFiles {
  readonly iteration: number
  readonly points: string
  readonly centroids: string
}

/**
 * The step pairs of a folder, ascending; numbers may be left out, other files do not matter.
 * @throws LabError `steps.unreadable`, `steps.none`, `steps.partner`, `steps.too-many`, `steps.too-large`
 */
export async function listPairs(folder: string): Promise<readonly PairFiles[]> {
  const names = await filesOf(folder)
  const found = names.map(stepOfFile).filter((iteration) => iteration !== null)
  const iterations = [...new Set(found)].sort((a, b) => a - b)
  if (iterations.length === 0) {
    throw stepsError(
      'none',
      `The folder ${folder} holds no step pair (step-1-points.csv with step-1-centroids.csv): choose a folder that steps were exported into.`,
    )
  }
  if (iterations.length > maxSteps) {
    throw stepsError(
      'too-many',
      `The folder ${folder} holds ${iterations.length} steps, more than the ${maxSteps} that can be shown: move some of them to another folder.`,
    )
  }
  const pairs = iterations.map((iteration) => pairOf(folder, iteration, new Set(names)))
  await refuseLarge(folder, pairs)
  return pairs
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
    throw stepsError(
      'unreadable',
      `The folder ${folder} cannot be read: check that it is there and that you may read it.`,
      String(thrown),
    )
  })
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name)
}

function pairOf(folder: string, iteration: number, names: ReadonlySet<string>): PairFiles {
  const [points, centroids] = [`step-${iteration}-points.csv`, `step-${iteration}-centroids.csv`]
  const missing = [points, centroids].find((name) => !names.has(name))
  if (missing !== undefined) {
    const there = missing === points ? centroids : points
    throw stepsError(
      'partner',
      `The folder ${folder} holds ${there} but not ${missing}: put both files of the step there, or none.`,
    )
  }
  return { iteration, points: join(folder, points), centroids: join(folder, centroids) }
}

async function refuseLarge(folder: string, pairs: readonly PairFiles[]): Promise<void> {
  let bytes = 0
  for (const path of pairs.flatMap(({ points, centroids }) => [points, centroids])) {
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0, // reading it says what is wrong with it
    )
  }
  if (bytes <= maxBytes) return
  const megabytes = (size: number) => `${Math.ceil(size / 2 ** 20)} MB`
  throw stepsError(
    'too-large',
    `The step files in ${folder} have ${megabytes(bytes)}, more than the ${megabytes(maxBytes)} that can be shown: move some of the steps to another folder.`,
  )
}
