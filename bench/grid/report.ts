import { machineLine } from '@shared/benchmark/machine-text'
import { escaped, markdownRows } from '@shared/benchmark/markdown'
import {
  geometricMean,
  goals,
  heatMaps,
  shareOfGoal,
  shortNumber,
  valueOf,
  type HeatMap,
  type Value,
} from './heat-map'
import { kindNotes, kinds } from './kinds'
import { picture } from './picture'
import type { GridReport, GridRow } from './row'

/** Rows of one variant on one device. */
export interface Series {
  readonly name: string
  readonly rows: readonly GridRow[]
}

export function seriesOf(rows: readonly GridRow[]): Series[] {
  const names = new Set(rows.map(({ device, variant }) => `${variant} on ${device}`))
  return [...names].map((name) => ({
    name,
    rows: rows.filter(({ device, variant }) => `${variant} on ${device}` === name),
  }))
}

/** Values that a series has. */
export function valuesOf({ rows }: Series): Value[] {
  return (['peer', 'floor'] as const).filter((value) => rows.some((row) => valueOf(value, row) !== null))
}

const titles = {
  peer: (name: string, peer: string) => `${name}: as many times as fast as ${peer}`,
  floor: (name: string) => `${name}: times the floor`,
}

export function titleOf(value: Value, { name, rows }: Series): string {
  return titles[value](name, rows.find(({ peer }) => peer !== null)?.peer?.id ?? 'the peer')
}

/** One SVG of all kinds. */
export function pictureOf(value: Value, series: Series, isByPoints: boolean): string {
  return picture(titleOf(value, series), value, heatMaps(series.rows, isByPoints))
}

/**
 * The whole report: maps as tables where the cells are those of a grid, else a list.
 * @param pictures names of the pictures' files beside the page, by title
 */
export function markdown(
  report: GridReport,
  shape: 'grid' | 'grid-by-points' | 'list',
  pictures: ReadonlyMap<string, string>,
): string {
  const body = seriesOf(report.rows).flatMap((series) => [
    `## ${series.name}`,
    summary(series),
    ...(shape === 'list'
      ? [list(series.rows)]
      : valuesOf(series).flatMap((value) => section(value, series, shape === 'grid-by-points', pictures))),
    ...regimes(series),
  ])
  return (
    [`# Grid, ${report.date.slice(0, 10)}`, facts(report), ...body, ...misses(report)].join('\n\n') + '\n'
  )
}

function section(
  value: Value,
  series: Series,
  isByPoints: boolean,
  pictures: ReadonlyMap<string, string>,
): string[] {
  const title = titleOf(value, series)
  const file = pictures.get(title)
  const image = file === undefined ? [] : [`![${title}](${file})`]
  const tables = heatMaps(series.rows, isByPoints).flatMap((map) => [
    `${map.title}:`,
    table(map, (row) => shown(value, row)),
  ])
  return [`### ${title}`, ...image, ...tables]
}

/** In bold where the goal is missed. */
function shown(value: Value, row: GridRow): string {
  const found = valueOf(value, row)
  if (found === null) return row.outcome === 'measured' ? '–' : row.outcome
  const isMissed = (shareOfGoal(value, row) ?? 1) < 1
  return isMissed ? `**${shortNumber(found)}**` : shortNumber(found)
}

function table({ d, k, at }: HeatMap, text: (row: GridRow) => string): string {
  const headers = ['d \\ k', ...k.map(String)].map((name) => ({ name }))
  const lines = d.map((features) => [
    String(features),
    ...k.map((clusters) => {
      const row = at(features, clusters)
      return row === null ? '' : text(row)
    }),
  ])
  return markdownRows(headers, lines)
}

function summary({ rows }: Series): string {
  const lines = (['peer', 'floor'] as const).flatMap((value) => {
    const found = rows.flatMap((row) => valueOf(value, row) ?? [])
    const mean = geometricMean(found)
    if (mean === null) return []
    const worst = value === 'peer' ? Math.min(...found) : Math.max(...found)
    const missed = rows.filter((row) => (shareOfGoal(value, row) ?? 1) < 1).length
    const what = value === 'peer' ? 'times as fast as the peer' : 'times the floor'
    return `- ${what}: geometric mean ${shortNumber(mean)}, worst ${shortNumber(worst)}, goal missed in ${missed} of ${found.length} cells`
  })
  const broken = rows.filter(({ outcome }) => outcome !== 'measured')
  const bad = broken.map(({ cell, outcome, reason }) => `- ${cellName(cell)}: ${outcome}: ${reason ?? ''}`)
  const checked = rows.reduce((sum, row) => sum + row.labelsChecked, 0)
  return [
    ...lines,
    `- ${checked.toLocaleString('en')} labels checked against float64 in ${rows.length} cells`,
    ...bad,
  ].join('\n')
}

function cellName({ kind, n, d, k }: GridRow['cell']): string {
  return `${kind}, N = ${n.toLocaleString('en')}, d = ${d}, k = ${k}`
}

/** Which regime ran in which cells. */
function regimes({ rows }: Series): string[] {
  const names = [...new Set(rows.flatMap(({ regime }) => regime ?? []))]
  if (names.length === 0) return []
  const lines = names.map((name) => {
    const cells = rows.filter(({ regime }) => regime === name)
    const range = (pick: (row: GridRow) => number) => {
      const all = cells.map(pick)
      return `${Math.min(...all)} to ${Math.max(...all)}`
    }
    const means = (['peer', 'floor'] as const).map((value) => {
      const mean = geometricMean(cells.flatMap((row) => valueOf(value, row) ?? []))
      return mean === null ? '–' : shortNumber(mean)
    })
    const where = [range(({ cell }) => cell.d), range(({ cell }) => cell.k), range(({ cell }) => cell.n)]
    return [name, String(cells.length), ...where, ...means]
  })
  const headers = ['regime', 'cells', 'd', 'k', 'N', 'over the peer', 'times the floor']
  return [
    'Regimes that ran (geometric means):',
    markdownRows(
      headers.map((name) => ({ name })),
      lines,
    ),
  ]
}

function list(rows: readonly GridRow[]): string {
  const headers = ['kind', 'N', 'd', 'k', 'regime', 'ms an iteration', 'over the peer', 'times the floor']
  const lines = rows.map((row) => [
    ...[row.cell.kind, row.cell.n, row.cell.d, row.cell.k, row.regime ?? '–'].map(String),
    row.times === null ? row.outcome : row.times.best.toPrecision(3),
    shown('peer', row),
    shown('floor', row),
  ])
  return markdownRows(
    headers.map((name) => ({ name })),
    lines,
  )
}

/** Every cell that misses a goal, with what ran in it. */
function misses({ rows }: GridReport): string[] {
  const missed = rows.filter((row) =>
    (['peer', 'floor'] as const).some((value) => (shareOfGoal(value, row) ?? 1) < 1),
  )
  if (missed.length === 0) return []
  const headers = [
    'variant',
    'device',
    'cell',
    'regime',
    'ms an iteration',
    'over the peer',
    'times the floor',
  ]
  const lines = missed.map((row) =>
    [
      ...[row.variant, row.device, cellName(row.cell), row.regime ?? '–'],
      row.times?.best.toPrecision(3) ?? '–',
      shown('peer', row),
      shown('floor', row),
    ].map((text, at) => (at < 4 ? escaped(text) : text)),
  )
  return [
    '## Cells that miss a goal',
    markdownRows(
      headers.map((name) => ({ name })),
      lines,
    ),
  ]
}

function facts({ machine, date, commit, seed, floors, missing, rows }: GridReport): string {
  const rates = Object.entries(floors).flatMap(([device, found]) => {
    if (found === null) return [`no floors of ${device}`]
    const { productsPerMs, bytesPerMs, matrixProductsPerMs } = found
    const matrix = matrixProductsPerMs === null ? '' : `, ${giga(matrixProductsPerMs)} G by its matrix units`
    return [`${device} ${giga(productsPerMs)} G multiply-adds/s${matrix}, ${giga(bytesPerMs)} GB/s`]
  })
  const used = kinds.filter((kind) => rows.some(({ cell }) => cell.kind === kind))
  const engines = [...new Set(rows.map(({ engine }) => engine))]
  return [
    `- ${machineLine(machine, date)}`,
    `- floors, measured in this run: ${rates.join('; ')}`,
    `- commit ${commit}; seed ${seed}`,
    '- an iteration is assignment, update and new centroids, the mean of those from the start on; best of the measurements, in turns',
    ...engines.map(
      (id) =>
        `- goals on ${id}: ${goals[id].peer} times the peer, at most ${goals[id].floor} times the floor`,
    ),
    ...missing.map((reason) => `- ${reason}`),
    ...used.map((kind) => `- ${kind}: ${kindNotes[kind]}`),
  ].join('\n')
}

function giga(perMs: number): string {
  return (perMs / 1e6).toFixed(1)
}
