import type { RunResult } from '@engine/run/types'
import { historyColumns, historyValues } from '@engine/history/history-lines'
import { isApproximate } from '@shared/approximate'
import { unitWords } from '@shared/dates'
import { resultJson } from '@shared/result-json'
import { printable, printableJson } from '@shared/printable'
import type { RunRecord } from '@shared/run-record'
import { distinctNumbers, shortMs, shortNumber, textTable } from './text-table'

/** Columns of features that a cluster table shows before it points to centroids.csv. */
const shownFeatures = 8

/** `cluster --json`: exactly one object, on one line. `files` is there only when files were written. */
export function clusterJson({ record }: RunResult, files: readonly string[]): string {
  const history = record.config.history
    ? { history: record.history.map((row) => Object.fromEntries(historyPairs(row))) }
    : {}
  return `${printableJson({ ...resultJson(record), ...history, ...(files.length > 0 && { files }) })}\n`
}

function historyPairs(row: RunRecord['history'][number]): (readonly [string, number | null])[] {
  const values = historyValues(row)
  return historyColumns.map((name, i) => [name, values[i]])
}

/** The result of a clustering for reading; a history that was written to a file is not printed too. */
export function clusterText(
  { record }: RunResult,
  files: readonly string[],
  advice: readonly string[] = [],
): string {
  const parts = [
    headline(record),
    clusterTable(record),
    outcome(record),
    times(record),
    ...(record.config.history && files.length === 0 ? [historyTable(record)] : []),
    ...(record.warnings.length > 0
      ? [record.warnings.map((warning) => `Warning: ${printable(warning)}\n`).join('')]
      : []),
    ...(advice.length > 0 ? [advice.join('')] : []),
    ...(files.length > 0 ? [files.map((file) => `Written: ${printable(file)}\n`).join('')] : []),
  ]
  return parts.join('\n')
}

function headline({ file, n, d, k, droppedRows, filteredRows = 0, filledCells }: RunRecord): string {
  const filtered =
    filteredRows > 0 ? ` (${filteredRows} ${filteredRows === 1 ? 'row' : 'rows'} left out by the filter)` : ''
  const left =
    droppedRows > 0
      ? ` (${droppedRows} ${droppedRows === 1 ? 'row' : 'rows'} with missing cells left out)`
      : ''
  const filled = filledCells > 0 ? ` (${filledCells} missing cells filled)` : ''
  return `${printable(file.name)}: ${n} ${n === 1 ? 'point' : 'points'}${filtered}${left}${filled}, ${d} ${d === 1 ? 'feature' : 'features'}, k = ${k}\n`
}

function clusterTable({ features, clusters }: RunRecord): string {
  const shown = features.slice(0, shownFeatures)
  const coordinates = shown.map((_, j) =>
    distinctNumbers(clusters.map(({ centroid }) => centroid?.[j] ?? null)),
  )
  const rows = clusters.map(({ cluster, size, inertia }, i) => [
    String(cluster),
    String(size),
    shortNumber(inertia),
    ...coordinates.map((texts) => texts[i]),
  ])
  const more = features.length - shown.length
  const note = more > 0 ? `(and ${more} more features: see centroids.csv with -o, or --json)\n` : ''
  const units = features.flatMap(({ name, dateUnit }) =>
    dateUnit ? [`(${printable(name)} in ${unitWords[dateUnit]})\n`] : [],
  )
  return (
    textTable(['cluster', 'size', 'inertia', ...shown.map(({ name }) => name)], rows) + note + units.join('')
  )
}

function outcome(record: RunRecord): string {
  const { engine, device, deviceName, variant, deterministic, restarts, seed } = record
  const best = restarts.length > 1 ? `, best of ${restarts.length} runs` : ''
  const varies = deterministic ? '' : ', not deterministic'
  const marked = isApproximate(variant) ? ', APPROXIMATE: centroids are means of samples' : varies
  const { precision, workers } = record.config
  const asked = `${workers === null ? '' : `, ${workers} workers`}, ${record.precision ?? precision}`
  return [
    `Inertia      ${Number(record.inertia.toPrecision(6))}\n`,
    `Stopped      ${whyStopped(record)}\n`,
    `Seed         ${seed}${best}\n`,
    `Computed on  ${engine}, device ${device} (${deviceName}), variant ${variant}${asked}${marked}\n`,
  ].join('')
}

function whyStopped({ stopped, iterations, config, tolerance }: RunRecord): string {
  const after = `after ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}`
  if (stopped !== 'max-iterations') return `${after} by the rule ${stopped} (tolerance ${tolerance})`
  const limit = `${after}, the limit`
  return config.stop === 'none'
    ? `${limit}, as asked`
    : `${limit}: it has NOT converged, raise --max-iterations`
}

function times({ timings }: RunRecord): string {
  const parts: readonly (readonly [string, number | null])[] = [
    ['upload', timings.uploadMs],
    ['init', timings.initMs],
    ['assign', timings.assignMs],
    ['update', timings.updateMs],
    ['iterate', timings.iterateMs],
    ['converge', timings.convergeMs],
    ['download', timings.downloadMs],
    ['other', timings.otherMs],
  ]
  const measured = parts.filter(([, ms]) => ms !== null).map(([name, ms]) => `${name} ${shortMs(ms)}`)
  return [
    `Total time   ${shortMs(timings.totalMs)} (${measured.join(', ')})\n`,
    `Load time    ${shortMs(timings.loadMs)}\n`,
  ].join('')
}

function historyTable({ history }: RunRecord): string {
  const rows = history.map((row) =>
    historyValues(row).map((value) => (value === null ? '-' : shortNumber(value))),
  )
  return textTable(historyColumns, rows)
}
