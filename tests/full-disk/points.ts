/**
 * Full disks, sources that change while they are read, and kills, at random points of what the command line does. A point passes where
 * the command either did all it was asked, to the byte, or said in one sentence what is wrong, left nothing half-written and lost
 * nothing that was there.
 */
import { sourceChangesEarly, sourceChangesInExport } from './changing-sources'
import { checkpointOnFullDisk } from './checkpoints'
import {
  benchOnFullDisk,
  benchResumedOnFullDisk,
  clusterOnFullDisk,
  clusterOverEarlierResults,
  generateOnFullDisk,
} from './full-disks'
import { killed } from './kills'
import { World, type Point } from './world'

const kinds: Readonly<Record<string, Point>> = {
  'full disk, cluster': clusterOnFullDisk,
  'source changes, load and run': sourceChangesEarly,
  'full disk, generate': generateOnFullDisk,
  'source changes, export': sourceChangesInExport,
  'full disk, over earlier results': clusterOverEarlierResults,
  'full disk, benchmark': benchOnFullDisk,
  'full disk, checkpoint': checkpointOnFullDisk,
  'full disk, benchmark resumed': benchResumedOnFullDisk,
  killed,
}

export const kindCount = Object.keys(kinds).length

export interface Report {
  /** How small disks were had here. */
  readonly way: string
  readonly counts: Readonly<Record<string, number>>
  /** Commands by their exit status; `null` were killed. */
  readonly statuses: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/**
 * @param points in turn of every kind @param say called for every fault, and every ten points how it goes
 * @param rows of the data file: some hundred thousand are read and written by the CPU engine's addon, block by block
 */
export async function runPoints(
  points: number,
  seed: number,
  say: (line: string) => void,
  rows = 20_000,
): Promise<Report> {
  const world = await World.of(seed, rows)
  const counts: Record<string, number> = {}
  const faults: string[] = []
  const names = Object.keys(kinds)
  try {
    for (let point = 0; point < points; point++) {
      const name = names[point % names.length]
      const fault = await kinds[name](world).catch((error: unknown) => String(error))
      counts[name] = (counts[name] ?? 0) + 1
      if (fault !== null) {
        faults.push(`point ${point}, ${name}: ${fault}`)
        say(faults[faults.length - 1])
      }
      if (point % 10 === 9) say(`${point + 1} of ${points} points, ${faults.length} faults`)
    }
  } finally {
    world.close()
  }
  return { way: world.way, counts, statuses: world.statuses, faults }
}
