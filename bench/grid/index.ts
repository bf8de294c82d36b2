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
import { contendersOf, measureCells } from './contestants'
import { dataMaker } from './kinds'
import { readGridOptions, usage, type GridOptions } from './options'
import { markdown, pictureOf, seriesOf, titleOf, valuesOf } from './report'
import type { GridReport, GridRow } from './row'
import { measureByWorkers, serveAsWorker, workerMark } from './workers'

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
  const contenders = contendersOf(found, options)
  if (contenders.length === 0) {
    throw invalidArgument('an engine and a variant of this machine', '--engine, --variants', null)
  }
  if (process.env[workerMark] !== undefined) return await serveAsWorker(contenders, options)
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
  const end = performance.now() + options.minutes * 60_000
  const keep = (cell: Cell, rows: readonly GridRow[]) => {
    report = { ...report, rows: [...report.rows, ...rows] }
    console.error(lineOf(cell, rows))
    // After each of them: what was measured is kept when the rest is stopped.
    save(file, report, options)
  }
  for (const group of groupsOf(contenders)) {
    const cells = cellsFor(group, options)
    const isShared = options.jobs > 1 && group[0].engine.id !== 'cpu'
    const missing = isShared
      ? await measureByWorkers(options.jobs, {
          ...{ cells, end, keep, floors: [...floors] },
          devices: group.map(({ device }) => device.id),
        })
      : await measureCells(group, cells, { floors, end, keep, options, folder })
    report = { ...report, missing: [...report.missing, ...missing] }
  }
  console.error(`Written to ${file}`)
  return report
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
