import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { benchmarkFileNames } from '@shared/benchmark/requests'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { faultOfFailure, faultOfFiles, faultOfLoss, faultOfWords } from './judge'
import { filesOf, type Ended, type Files } from './program'
import type { Point, World } from './world'

/** The same result from every process, and long enough that it can be met in the middle. */
export const fixedRun =
  '--engine cpu --variant sequential --init first-k --stop none --max-iterations 30'.split(' ')

const cluster = ({ data }: World, k: string) => [
  'cluster',
  data,
  '-k',
  k,
  ...fixedRun,
  '--json',
  '--history',
  '--steps',
  '2',
  '--force',
  '-o',
]
const generate = (seed: string) => ['generate', 'uniform', '-n', '20000', '--seed', seed, '--force', '-o']
const bench = ({ data }: World) => [
  'bench',
  data,
  '-k',
  '3,4',
  '--variants',
  'sequential',
  '--engines',
  'cpu',
  '--repeats',
  '1',
  '--json',
  '-o',
]

/** A little more than the whole now and then, so that both ends are met. */
const shareOf = ({ random }: World) => random() * 1.1

/** All or one sentence; and what was computed is printed although its files found no room. */
function faultOf(ended: Ended, left: Files, whole: Files, words: typeof faultOfFailure): string | null {
  if (ended.status === 0) return left.size === whole.size ? null : 'it says done, but files are missing'
  const isPrinted = /was not written|could not be written/.test(ended.stderr) && ended.stdout !== ''
  return words(ended) ?? (isPrinted ? null : `the result is lost: ${ended.stderr}`)
}

export const clusterOnFullDisk: Point = async (world) => {
  const whole = await world.whole(cluster(world, '5'), 'out')
  return world.onDisk(shareOf(world) * whole.bytes, async ({ folder, before }) => {
    const ended = await world.run([...cluster(world, '5'), join(folder, 'out')], { before })
    const left = filesOf(folder)
    return faultOfFiles(left, whole.files) ?? faultOf(ended, left, whole.files, faultOfWords)
  })
}

export const clusterOverEarlierResults: Point = async (world) => {
  const earlier = await world.whole(cluster(world, '4'), 'out')
  const whole = await world.whole(cluster(world, '5'), 'out')
  const room = world.way === 'tmpfs' ? earlier.bytes + pagesOf(earlier.files) : 0
  return world.onDisk(room + shareOf(world) * whole.bytes, async ({ folder, before }) => {
    cpSync(earlier.folder, folder, { recursive: true })
    const ended = await world.run([...cluster(world, '5'), join(folder, 'out')], { before })
    const left = filesOf(folder)
    const loss = faultOfLoss(left, earlier.files) ?? faultOfFiles(left, earlier.files, whole.files)
    if (ended.status === 0) return loss ?? faultOfFiles(left, whole.files)
    return loss ?? faultOfWords(ended)
  })
}

export const generateOnFullDisk: Point = async (world) => {
  const earlier = await world.whole(generate('4'), 'points.csv')
  const whole = await world.whole(generate('5'), 'points.csv')
  const isThere = world.random() < 0.5
  const room = isThere && world.way === 'tmpfs' ? earlier.bytes + pagesOf(earlier.files) : 0
  // What surely does not fit is refused at once: most points lie where that must be found out.
  const share = world.random() < 0.3 ? shareOf(world) : 0.85 + world.random() * 0.2
  return world.onDisk(room + share * whole.bytes, async ({ folder, before }) => {
    if (isThere) cpSync(earlier.folder, folder, { recursive: true })
    const ended = await world.run([...generate('5'), join(folder, 'points.csv')], { before })
    const left = filesOf(folder)
    if (ended.status === 0) return left.size === 1 ? faultOfFiles(left, whole.files) : 'nothing was written'
    const loss = isThere ? faultOfLoss(left, earlier.files) : null
    return loss ?? faultOfFiles(left, earlier.files) ?? faultOfWords(ended)
  })
}

export const benchOnFullDisk: Point = async (world) => {
  const whole = await world.whole(bench(world), 'out')
  return world.onDisk(shareOf(world) * whole.bytes, async ({ folder, before }) => {
    const ended = await world.run([...bench(world), join(folder, 'out')], { before })
    const left = filesOf(folder)
    return faultOfFiles(left, whole.files) ?? faultOf(ended, left, whole.files, faultOfFailure)
  })
}

export const benchResumedOnFullDisk: Point = async (world) => {
  const whole = await world.whole(bench(world), 'out')
  const text = readFileSync(join(whole.folder, 'out', benchmarkFileNames.document), 'utf8')
  const document = JSON.parse(text) as BenchmarkDocument
  const begun = { ...document, state: 'cancelled', rows: document.rows.slice(0, 1) }
  const room = world.way === 'tmpfs' ? text.length + 8192 : 0
  return world.onDisk(room + shareOf(world) * whole.bytes, async ({ folder, before }) => {
    const path = join(folder, benchmarkFileNames.document)
    writeFileSync(path, JSON.stringify(begun))
    const ended = await world.run(['bench', '--resume', path, '--json'], { before })
    const left = new Map([...filesOf(folder)].map(([name, found]) => [`out/${name}`, found]))
    const kept = JSON.parse(readFileSync(path, 'utf8')) as BenchmarkDocument
    if (!isDeepStrictEqual(kept.rows[0], begun.rows[0])) return 'the row that was finished is lost'
    return faultOfFiles(left, whole.files) ?? faultOf(ended, left, whole.files, faultOfFailure)
  })
}

/** What files take on a disk beyond their bytes. */
function pagesOf(files: Files): number {
  return files.size * 4096
}
