import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportOverrides } from '@shared/dataset'
import { pairByNumber, type NamedPair, type Unpaired } from './pair-names'
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
  /** What is known of both files before they are looked at. */
  readonly form: ImportOverrides
}

/** Ours have a header; in another program's files it is looked for. How numbers are written is each file's own affair. */
const ownForm: ImportOverrides = { format: 'delimited', header: true }
const anyForm: ImportOverrides = { format: 'delimited' }

/**
 * The step pairs of a folder, ascending; numbers may be left out, other files do not matter. Where none has the names
 * of our own export, files of any names are paired by their numbers (`pairByNumber`).
 * @throws LabError `steps.unreadable`, `steps.none`, `steps.partner`, `steps.too-many`, `steps.too-large`
 */
export async function listPairs(folder: string): Promise<readonly PairFiles[]> {
  const names = await filesOf(folder)
  const found = names.map(stepOfFile).filter((iteration) => iteration !== null)
  const iterations = [...new Set(found)].sort((a, b) => a - b)
  const pairs =
    iterations.length > 0
      ? iterations.map((iteration) => pairOf(folder, iteration, new Set(names)))
      : await otherPairs(folder, names)
  if (pairs.length > maxSteps) {
    throw stepsError(
      'too-many',
      `The folder ${folder} holds ${pairs.length} steps, more than the ${maxSteps} that can be shown: move some of them to another folder.`,
    )
  }
  await refuseLarge(folder, pairs)
  return pairs
}

async function otherPairs(folder: string, names: readonly string[]): Promise<readonly PairFiles[]> {
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await bytesOf(join(folder, name)) })),
  )
  const { pairs, unpaired } = pairByNumber(files)
  if (unpaired.length > 0) throw noPair(folder, unpaired[0])
  if (pairs.length > 0) return pairs.map((pair) => filesIn(folder, pair))
  throw stepsError(
    'none',
    `The folder ${folder} holds no step pair (step-1-points.csv with step-1-centroids.csv, or two tables that share a number): choose a folder that steps were exported into.`,
  )
}

function filesIn(folder: string, { step, points, centroids }: NamedPair): PairFiles {
  return { iteration: step, points: join(folder, points), centroids: join(folder, centroids), form: anyForm }
}

function noPair(folder: string, { step, names }: Unpaired) {
  const what =
    names.length === 1 ? 'no other table' : 'not one table of points and a smaller one of centroids'
  return stepsError(
    'partner',
    `The folder ${folder} holds ${names.join(', ')} for step ${step}, and ${what}: put the points and the centroids of each step there, and no other numbered tables.`,
  )
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
  return { ...filesIn(folder, { step: iteration, points, centroids }), form: ownForm }
}

async function refuseLarge(folder: string, pairs: readonly PairFiles[]): Promise<void> {
  let bytes = 0
  for (const path of pairs.flatMap(({ points, centroids }) => [points, centroids])) {
    bytes += await bytesOf(path)
  }
  if (bytes <= maxBytes) return
  const megabytes = (size: number) => `${Math.ceil(size / 2 ** 20)} MB`
  throw stepsError(
    'too-large',
    `The step files in ${folder} have ${megabytes(bytes)}, more than the ${megabytes(maxBytes)} that can be shown: move some of the steps to another folder.`,
  )
}

function bytesOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0, // reading it says what is wrong with it
  )
}
