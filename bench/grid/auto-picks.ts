/** `--auto`: whole runs on everything that `auto` chooses among, over cells drawn at random. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costsOf, nameOf, rank } from '@engine/auto/resolve'
import { plainSession } from '@engine/engines/session-config'
import type { ResolvedRun } from '@engine/run/types'
import { typicalIterations } from '@shared/benchmark/plan-note'
import { markdownRows } from '@shared/benchmark/markdown'
import type { Blobs } from '../blobs'
import { timed } from '../clocks'
import type { Cell } from './cells'

const never = new AbortController().signal

/** A choice counts as right where it takes at most so many times as long as the best. */
const near = 1.1

/** What `auto` took in a cell, and what everything took that it could have taken. */
export interface Pick {
  readonly cell: Cell
  readonly chosen: string
  /** Milliseconds of a whole run (open, start, iterations, read), best of the repeats, by contender. */
  readonly ms: Readonly<Record<string, number>>
}

export interface Picks {
  /** What the calibration of all contenders took, from nothing. */
  readonly calibrationMs: number
  readonly picks: readonly Pick[]
}

/**
 * Calibrates from nothing, then compares the choice with what every contender takes, in turns.
 * @param dataOf makes the points of a cell, and where all start from
 */
export async function measurePicks(
  contenders: readonly ResolvedRun[],
  cells: readonly Cell[],
  repeats: number,
  dataOf: (cell: Cell) => Blobs,
): Promise<Picks> {
  const { answer: costs, ms: calibrationMs } = await timed(() => freshCosts(contenders))
  const picks: Pick[] = []
  for (const cell of cells) {
    const blobs = dataOf(cell)
    const ms = Object.fromEntries(contenders.map((run) => [nameOf(run), Number.POSITIVE_INFINITY]))
    // One more than the repeats: the first run of a shape compiles, which `auto` leaves out of account too.
    for (let turn = 0; turn <= repeats; turn++) {
      for (const run of contenders) {
        const took = await wholeRun(run, cell.k, blobs)
        if (turn > 0) ms[nameOf(run)] = Math.min(ms[nameOf(run)], took)
      }
    }
    const pick = { cell, chosen: nameOf(rank(contenders, costs, cell)[0]), ms }
    picks.push(pick)
    console.error(lineOf(pick))
  }
  return { calibrationMs, picks }
}

/** Not those that an earlier process has kept. */
async function freshCosts(contenders: readonly ResolvedRun[]) {
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-calibration-'))
  const { CENTROID_LAB_CACHE_DIR: usual } = process.env
  process.env['CENTROID_LAB_CACHE_DIR'] = folder
  try {
    return await costsOf(contenders, never)
  } finally {
    if (usual === undefined) delete process.env['CENTROID_LAB_CACHE_DIR']
    else process.env['CENTROID_LAB_CACHE_DIR'] = usual
    rmSync(folder, { recursive: true, force: true })
  }
}

async function wholeRun({ engine, device, variant }: ResolvedRun, k: number, blobs: Blobs): Promise<number> {
  const config = plainSession(variant, { k, iterations: typicalIterations })
  const { ms } = await timed(async () => {
    const session = await engine.open(blobs.points, config, device.id)
    await session.start(blobs.centroids)
    for (let made = 0; made < typicalIterations;) {
      const budget = { iterations: typicalIterations - made, milliseconds: Number.MAX_SAFE_INTEGER }
      made += (await session.advance(budget, never)).length
    }
    await session.read()
    await session.close()
  })
  return ms
}

/** Times of the choice over those of the best. */
export function regretOf({ chosen, ms }: Pick): number {
  return ms[chosen] / Math.min(...Object.values(ms))
}

function lineOf(pick: Pick): string {
  const { kind, n, d, k } = pick.cell
  const times = Object.entries(pick.ms).map(([name, ms]) => `${name} ${ms.toPrecision(3)}`)
  return `${kind} ${n} ${d} ${k}: ${times.join(', ')}; chosen ${pick.chosen}, ${regretOf(pick).toFixed(2)}`
}

/** As Markdown: the share of right choices, and every cell. */
export function picksPage({ calibrationMs, picks }: Picks): string {
  const right = picks.filter((pick) => regretOf(pick) <= near).length
  const names = Object.keys(picks[0]?.ms ?? {})
  const rows = picks.map((pick) => [
    ...[pick.cell.kind, pick.cell.n, pick.cell.d, pick.cell.k].map(String),
    ...names.map((name) => pick.ms[name].toPrecision(3)),
    pick.chosen,
    regretOf(pick).toFixed(2),
  ])
  const headers = ['kind', 'N', 'd', 'k', ...names.map((name) => `${name}, ms`), 'chosen', '× best']
  return [
    `- auto within ${near} times the best in ${right} of ${picks.length} cells; whole runs of ${typicalIterations} iterations`,
    `- calibration from nothing: ${(calibrationMs / 1000).toFixed(2)} s`,
    '',
    markdownRows(
      headers.map((name) => ({ name })),
      rows.map((row) => row.map((text) => text.replaceAll('|', ' '))),
    ),
    '',
  ].join('\n')
}
