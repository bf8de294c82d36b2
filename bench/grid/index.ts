/** `npm run bench:grid`: every shape and kind of data, beside floors and peers. See options.ts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { machineFacts } from '@engine/machine'
import { invalidArgument, toErrorReport } from '@shared/errors'
import { findContenders, type Contender } from '@tests/parity/contenders'
import { commit } from '../commit'
import { floorsOf } from '../devices'
import { machineName } from '../report'
import { measurePicks, picksPage } from './auto-picks'
import { cellsOf, fittingPoints, randomCells, type Cell } from './cells'
import { dataMaker } from './kinds'
import { readGridOptions, usage, type GridOptions } from './options'
import { Peer, type PeerId } from './peers'
import { markdown, pictureOf, seriesOf, titleOf, valuesOf } from './report'
import type { GridReport } from './row'
import { runCell } from './run-cell'

process.exitCode = await main().catch((error: unknown) => {
  console.error(toErrorReport(error).message)
  return 1
})
// A driver may keep threads alive.
process.exit()

async function main(): Promise<number> {
  const options = readGridOptions(process.argv.slice(2))
  if (options.help) {
    console.log(usage)
    return 0
  }
  const { found } = await findContenders()
  const contenders = found.filter((each) => takesPart(each, options))
  if (contenders.length === 0) {
    throw invalidArgument('an engine and a variant of this machine', '--engine, --variants', null)
  }
  if (options.auto !== null) return await measureAuto(contenders, options.auto, options)
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-grid-'))
  try {
    const report = await measure(contenders, folder, options)
    return report.rows.some(({ outcome }) => outcome === 'wrong' || outcome === 'failed') ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Cells as large as suit the smallest of the devices, so that each of them can be right. */
async function measureAuto(
  contenders: readonly Contender[],
  count: number,
  { seed, repeats, axes, work, output }: GridOptions,
): Promise<number> {
  const fitting = (d: number, k: number) =>
    Math.min(
      ...contenders.map(({ engine, device }) =>
        fittingPoints(d, k, engine.id, device.software === true, work),
      ),
    )
  const cells = randomCells(count, axes.kinds, fitting, seed)
  const page = picksPage(await measurePicks(contenders, cells, repeats, dataMaker(seed)))
  if (output === null) console.log(page)
  else writeFileSync(resolve(output), page)
  return 0
}

function takesPart({ engine, device, variant }: Contender, options: GridOptions): boolean {
  return (
    options.engines.includes(engine.id) &&
    (options.variants === null || options.variants.includes(variant)) &&
    (options.software || !device.software)
  )
}

async function measure(
  contenders: readonly Contender[],
  folder: string,
  options: GridOptions,
): Promise<GridReport> {
  const floors = await floorsOf(contenders)
  let report: GridReport = {
    date: new Date().toISOString(),
    commit: commit(),
    machine: await machineFacts('auto'),
    seed: options.seed,
    missing: [],
    floors: Object.fromEntries(floors),
    rows: [],
  }
  const file = outputFile(options, report, contenders)
  const dataOf = dataMaker(options.seed)
  const end = performance.now() + options.minutes * 60_000
  for (const group of groupsOf(contenders)) {
    const peer = await peerOf(group, folder, options)
    if (typeof peer === 'string') report = { ...report, missing: [...report.missing, peer] }
    const iterations = options.iterations ?? usualIterations(group[0])
    for (const cell of cellsFor(group, options)) {
      if (performance.now() > end) break
      const beside = peer instanceof Peer ? peer : null
      const rows = await runCell(cell, group, floors, beside, { ...options, iterations, dataOf })
      report = { ...report, rows: [...report.rows, ...rows] }
      console.error(lineOf(cell, rows))
      // After each of them: what was measured is kept when the rest is stopped.
      save(file, report, options)
    }
    if (peer instanceof Peer) peer.close()
  }
  console.error(`Written to ${file}`)
  return report
}

/** Enough for a card's clocks to rise; no more than a software adapter does in seconds. */
function usualIterations({ engine, device }: Contender): number {
  if (device.software === true) return 3
  return engine.id === 'cpu' ? 10 : 30
}

/** Contenders that get the same cells. */
function groupsOf(contenders: readonly Contender[]): Contender[][] {
  const keyOf = ({ engine, device }: Contender) => `${engine.id === 'cpu'} ${device.software === true}`
  const keys = new Set(contenders.map(keyOf))
  return [...keys].map((key) => contenders.filter((contender) => keyOf(contender) === key))
}

function cellsFor([{ engine, device }]: readonly Contender[], options: GridOptions): Cell[] {
  const { work } = options
  const fitting = (d: number, k: number) => fittingPoints(d, k, engine.id, device.software === true, work)
  if (options.random === null) return cellsOf(options.axes, fitting)
  return randomCells(options.random, options.axes.kinds, fitting, options.seed)
}

/** The system that stands beside a group; why it is missing; null where none is wanted. */
async function peerOf(
  group: readonly Contender[],
  folder: string,
  { withPeers, flash }: GridOptions,
): Promise<Peer | string | null> {
  if (!withPeers || group[0].device.software === true) return null
  const id: PeerId = group[0].engine.id === 'cpu' ? 'scikit-learn' : 'flash-kmeans'
  return Peer.open(id, flash, folder)
}

function lineOf({ kind, n, d, k }: Cell, rows: GridReport['rows']): string {
  const ours = rows.map(({ device, variant, times, outcome, regime }) => {
    const time = times === null ? outcome : times.best.toPrecision(3)
    return `${device} ${variant} ${time} (${regime ?? '-'})`
  })
  const peer = rows[0]?.peer ?? null
  const beside = peer === null ? [] : [`${peer.id} ${peer.times.best.toPrecision(3)}`]
  const floorMs = rows[0]?.floorMs ?? null
  const floor = floorMs === null ? [] : [`floor ${floorMs.toPrecision(3)}`]
  return `${kind} ${n} ${d} ${k}: ${[...ours, ...beside, ...floor].join(', ')}`
}

function outputFile(
  { output }: GridOptions,
  { date, machine }: GridReport,
  contenders: readonly Contender[],
): string {
  if (output !== null) return resolve(output)
  const folder = process.env['CENTROID_LAB_RESULTS'] ?? '.'
  const name = machineName(
    machine,
    contenders.map(({ device }) => device.id),
  )
  return resolve(folder, `${date.slice(0, 10)}-${name}-grid.json`)
}

function save(file: string, report: GridReport, { random, axes }: GridOptions): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report)}\n`)
  const base = file.replace(/\.json$/, '')
  const isByPoints = axes.n.some((points) => points !== null)
  const shape = random !== null ? 'list' : isByPoints ? 'grid-by-points' : 'grid'
  const pictures = new Map<string, string>()
  for (const series of shape === 'list' ? [] : seriesOf(report.rows)) {
    for (const value of valuesOf(series)) {
      const picture = `${base}-${series.name.replaceAll(/[^a-z0-9]+/g, '-')}-${value}.svg`
      writeFileSync(picture, pictureOf(value, series, isByPoints))
      pictures.set(titleOf(value, series), basename(picture))
    }
  }
  writeFileSync(`${base}.md`, markdown(report, shape, pictures))
}
