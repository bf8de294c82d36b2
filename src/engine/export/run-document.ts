import { scalingsOf } from '@engine/dataset/same-preparation'
import type { RunResult } from '@engine/run/types'
import { programName, runCommandLine } from '@shared/command-line'
import type { ColumnInfo, ImportReceipt } from '@shared/dataset'
import { overridesOf } from '@shared/import-overrides'
import { unitWords } from '@shared/dates'
import { precisionOf } from '@shared/precision'
import { filterText } from '@shared/row-filter/filter-text'
import { resultJson } from '@shared/result-json'
import type { RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'

/** Told in every run.json; the version grows when a reader of the old one would misread the new one. */
export const runFormat = { format: 'centroid-lab-run', version: 1 } as const

/**
 * Everything of run.json but its three large tables; README.md in this folder tells what each key means.
 * Keys are in snake_case, as in `cluster --json`.
 */
export function runDocument(result: RunResult) {
  const { record, points, dataset } = result
  const { transform } = points
  const scalings = scalingsOf(points.preparation)
  return {
    ...runFormat,
    started_at: record.startedAt,
    command_line: [programName, ...runCommandLine(record)],
    file: fileFacts(record),
    import: receiptFacts(record.receipt),
    features: record.features.map(({ index, name, category, dateUnit }, j) => ({
      index,
      name,
      ...(category !== undefined && { category, column: dataset.columns[index].name }),
      ...(dateUnit && { unit: unitWords[dateUnit] }),
      offset: transform.offset[j],
      step: transform.step[j],
      fill: transform.fill?.[j] ?? null,
      range: category === undefined ? rangeOf(dataset.columns[index]) : [0, 1],
      scaling: scalings[j],
    })),
    preparation: {
      missing: points.preparation.missing,
      scaling: points.preparation.scaling,
      exponent: points.exponent,
      mean_variance: points.meanVariance,
      total_sum_of_squares: points.totalSumOfSquares,
      dropped_rows: record.droppedRows,
      filtered_rows: record.filteredRows ?? 0,
      filled_cells: record.filledCells,
    },
    configuration: configuration(record.config, record.tolerance),
    machine: machineFacts(record),
    results: results(record),
  }
}

/** Of the whole column of the file, in its units. */
function rangeOf({ min, max }: ColumnInfo): readonly [number, number] | null {
  return min === null || max === null ? null : [min, max]
}

function fileFacts({ file }: RunRecord) {
  return {
    name: file.name,
    bytes: file.bytes,
    sha256: file.sha256,
    modified_at: new Date(file.modifiedMs).toISOString(),
  }
}

function receiptFacts(receipt: ImportReceipt) {
  const { format, encoding, delimiter, quote, header, decimal } = receipt.dialect
  return {
    columnar: receipt.columnar ?? null,
    ...{ format, encoding, bom: receipt.bom, delimiter, quote, header, decimal },
    records: receipt.records,
    rows: receipt.rows,
    too_long: receipt.tooLong,
    too_short: receipt.tooShort,
    blank_lines: receipt.blankLines,
    infinite_cells: receipt.infiniteCells,
    doubtful_rows: receipt.doubtfulRows,
    warnings: receipt.warnings,
    notes: receipt.notes,
    reader: receipt.reader ?? null,
    overrides: overrides(receipt),
  }
}

/** What a person set by hand must be set again; what was detected will be detected again. */
function overrides(receipt: ImportReceipt) {
  const { columnTypes: _named, ...dialect } = overridesOf(receipt)
  return { ...dialect, column_types: receipt.chosenTypes }
}

/** As asked for; `tolerance` is the one that held, the rule's default included. */
function configuration(config: RunConfig, tolerance: number) {
  const { features, missing, scaling, k, init, seed, stop, empty, engine, device, variant } = config
  return {
    ...{ features, missing, scaling },
    ...(config.oneHot && { one_hot: config.oneHot }),
    ...(config.columnScalings && { column_scalings: config.columnScalings }),
    ...(config.filter && { filter: filterText(config.filter) }),
    ...{ k, init, centroids_file: config.centroidsFile, seed, stop, tolerance },
    max_iterations: config.maxIterations,
    n_init: config.nInit,
    ...{ empty, engine, device, variant, regime: config.regime },
    ...(config.workers !== null && { workers: config.workers }),
    precision: precisionOf(config),
    timing: config.timing,
    history: config.history,
    centroid_history: config.centroidHistory,
  }
}

function machineFacts({ machine }: RunRecord) {
  const { cpu, cores, os, devices, versions } = machine
  return { cpu, cores, memory_bytes: machine.memoryBytes, os, devices, versions }
}

/** The same numbers as `cluster --json`, the clusters' own inertia and every restart added. */
function results(record: RunRecord) {
  const { centroids: _centroids, ...summary } = resultJson(record)
  return {
    ...summary,
    clusters: record.clusters.map(({ cluster, size, inertia }) => ({ cluster, size, inertia })),
    restarts: record.restarts,
    best_run: record.bestRun,
  }
}

/** What `runDocument` answers. */
export type RunDocument = ReturnType<typeof runDocument>
