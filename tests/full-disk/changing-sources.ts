import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fixedRun } from './full-disks'
import { faultOfFiles, faultOfWords } from './judge'
import { filesOf, type Ended, type Files } from './program'
import type { Point, World } from './world'

const args = (source: string) => ['cluster', source, '-k', '5', ...fixedRun, '-o']
/** The last thing that is written before the cells of the source are read again. */
const firstFile = 'centroids.csv'
const pollMs = 1

/** From the start of the process on: while the source is read and clustered. */
export const sourceChangesEarly: Point = async (world) => {
  const { ended } = await world.whole(args(world.data), 'out')
  return changing(world, () => true, world.random() * ended.ms)
}

/** While the results are written, for which the source is read once more. */
export const sourceChangesInExport: Point = (world) =>
  changing(world, (out) => existsSync(join(out, firstFile)), world.random() * 60)

/** Results are those of the source before or after, to the byte, never of a mixture; else there is one sentence. */
async function changing(
  world: World,
  isTime: (out: string) => boolean,
  laterMs: number,
): Promise<string | null> {
  const folder = world.folder('source')
  const source = join(folder, 'source.csv')
  const out = join(folder, 'out')
  copyFileSync(world.data, source)
  const [name, change] = world.oneOf(changes)
  const [isChanged, ended] = await runMeanwhile(
    (meanwhile) => world.run([...args(source), out], { meanwhile }),
    () => isTime(out),
    laterMs,
    () => change(source, world),
  )
  const left = filesOf(out)
  const before = inOut((await world.whole(args(world.data), 'out')).files)
  const wholes = [before, ...(isChanged && ended.status === 0 ? [await after(world, source)] : [])]
  rmSync(folder, { recursive: true, force: true })
  // Exactly one of them, and not some files of either.
  const isOne = wholes.some((whole) => faultOfFiles(left, whole) === null)
  const fault =
    ended.status === 0 ? (isOne ? null : 'the results are of no one table') : faultOfWords(ended, [1, 2])
  return fault === null ? faultOfHidden(left) : `${name}: ${fault}`
}

/** Changes something once its time has come, unless the command has ended. @returns was it changed, and how it ended */
async function runMeanwhile(
  run: (meanwhile: () => void) => Promise<Ended>,
  isTime: () => boolean,
  laterMs: number,
  change: () => void,
): Promise<readonly [boolean, Ended]> {
  let isChanged = false
  let timer: NodeJS.Timeout | undefined
  const soon = () => {
    isChanged = true
    change()
  }
  const look = () => (timer = isTime() ? setTimeout(soon, laterMs) : setTimeout(look, pollMs))
  const ended = await run(look)
  clearTimeout(timer)
  return [isChanged, ended]
}

async function after(world: World, source: string): Promise<Files> {
  const folder = world.folder('after')
  await world.run([...args(source), folder])
  return filesOf(folder)
}

const inOut = (files: Files): Files =>
  new Map([...files].map(([name, found]) => [name.replace(/^out\//, ''), found]))

function faultOfHidden(left: Files): string | null {
  const hidden = [...left.keys()].find((name) => name.startsWith('.'))
  return hidden === undefined ? null : `${hidden} is left behind`
}

type Change = (source: string, world: World) => void

const table = 'x0,x1,x2\n' + Array.from({ length: 300 }, (_, i) => `${i % 7},${i % 11},${i % 13}\n`).join('')

const changes: readonly (readonly [name: string, change: Change])[] = [
  ['truncated', (source, { random }) => truncateSync(source, Math.floor(random() * statSync(source).size))],
  ['emptied', (source) => truncateSync(source, 0)],
  ['grown', (source, { random }) => appendFileSync(source, '1,2,3\n'.repeat(1 + Math.floor(random() * 100)))],
  ['removed', (source) => rmSync(source)],
  ['replaced in its place', (source) => writeFileSync(source, table)],
  ['replaced by another file', replaceByRename],
  ['changed in the middle', changeMiddle],
]

function replaceByRename(source: string): void {
  writeFileSync(`${source}.other`, table)
  renameSync(`${source}.other`, source)
}

/** As long as it was. */
function changeMiddle(source: string, { random }: World): void {
  const file = openSync(source, 'r+')
  writeSync(file, '7', Math.floor((0.2 + 0.6 * random()) * statSync(source).size))
  closeSync(file)
}
