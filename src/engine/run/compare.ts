import { fileRow } from '@engine/dataset/file-row'
import { adjustedRandIndex } from '@shared/metrics/adjusted-rand'
import { matchClusters } from '@shared/metrics/cluster-matching'
import { ContingencyCounter, countAt, type Contingency } from '@shared/metrics/contingency'
import { LabError } from '@shared/errors'
import type { ClusterPair, RunComparison } from '@shared/run-comparison'
import { finished, Slices } from '../slices'
import { measureOf } from './comparison-units'
import type { RunResult } from './types'

const blockPoints = 4096

/**
 * Compares two results on the rows that both of them clustered, in slices. Rows are told apart by their place in
 * the file, so that the file may have been imported in two ways.
 * @throws LabError `compare.files` when they were not made from the same file, `cancelled`
 */
export async function compareRuns(a: RunResult, b: RunResult, signal: AbortSignal): Promise<RunComparison> {
  refuseOtherFile(a, b)
  const slices = new Slices(signal)
  const table = await meetings(a, b, slices)
  const matched = await finished(matchClusters(table), slices)
  const features = sharedFeatures(a, b)
  const [inA, inB] = [clustersOf(a, features), clustersOf(b, features)]
  const { units, unit } = measureOf(a, b, features)
  const pairs = Array.from(matched, (column, row) =>
    column < 0
      ? unmatched(row, inA[row])
      : pairOf([row, inA[row]], [column, inB[column]], countAt(table, row, column), { features, unit }),
  )
  const agreeing = pairs.reduce((sum, { shared }) => sum + shared, 0)
  return {
    rows: table.total,
    agreement: table.total === 0 ? 0 : agreeing / table.total,
    adjustedRand: adjustedRandIndex(table),
    features,
    pairs,
    units,
  }
}

function refuseOtherFile({ record: { file: a } }: RunResult, { record: { file: b } }: RunResult): void {
  if (a.sha256 !== null && a.sha256 === b.sha256) return
  const files =
    a.name === b.name ? `two contents of a file named ${a.name}` : `two files, ${a.name} and ${b.name}`
  throw new LabError(
    'input',
    'compare.files',
    `The two results were made from ${files}, so that their rows cannot be compared: choose two results on the same file.`,
  )
}

/** Walks the points of both side by side: both keep the order of the file. */
async function meetings(a: RunResult, b: RunResult, slices: Slices): Promise<Contingency> {
  const most = Math.min(a.labels.length, b.labels.length)
  const counter = new ContingencyCounter(a.record.k, b.record.k, most)
  const [rowOfA, rowOfB] = rowNumbers(a, b)
  for (let i = 0, j = 0, looks = 0; i < a.labels.length && j < b.labels.length; looks++) {
    const [inA, inB] = [rowOfA(i), rowOfB(j)]
    if (inA === inB) counter.add(a.labels[i], b.labels[j])
    if (inA <= inB) i++
    if (inB <= inA) j++
    if (looks % blockPoints === blockPoints - 1) await slices.next()
  }
  return await finished(counter.table(), slices)
}

type RowNumber = (point: number) => number

/** Rows of the dataset; records of the file where the two datasets left out other records. */
function rowNumbers(a: RunResult, b: RunResult): [RowNumber, RowNumber] {
  const alike = sameNumbering(a, b)
  const number = ({ points: { rows }, dataset }: RunResult): RowNumber => {
    const rowOf: RowNumber = rows === null ? (point) => point : (point) => rows[point]
    return alike ? rowOf : (point) => fileRow(dataset, rowOf(point))
  }
  return [number(a), number(b)]
}

function sameNumbering({ dataset: a }: RunResult, { dataset: b }: RunResult): boolean {
  if (a === b) return true
  const same = (one: Uint32Array, other: Uint32Array) =>
    one.length === other.length && one.every((record, i) => record === other[i])
  return (
    a.firstRecord === b.firstRecord &&
    same(a.leftOutRecords, b.leftOutRecords) &&
    same(a.blankRecords, b.blankRecords)
  )
}

function sharedFeatures({ record: a }: RunResult, { record: b }: RunResult): string[] {
  const inB = new Set(b.features.map(({ name }) => name))
  return a.features.map(({ name }) => name).filter((name) => inB.has(name))
}

/** A cluster as it is compared. */
interface Compared {
  readonly size: number
  /** By feature compared, units of the file; null for a dropped cluster. */
  readonly centroid: readonly number[] | null
}

function clustersOf({ record }: RunResult, features: readonly string[]): Compared[] {
  const columns = features.map((name) => record.features.findIndex((feature) => feature.name === name))
  return record.clusters.map(({ size, centroid }) => ({
    size,
    centroid: centroid && columns.map((column) => centroid[column]),
  }))
}

function unmatched(a: number, { size }: Compared): ClusterPair {
  const nothing = { sizeB: 0, shared: 0, centroidDistance: null, largestDifference: null }
  return { a, b: null, sizeA: size, ...nothing }
}

/** What both runs have, and what a unit of the distance is in each. */
interface ComparedFeatures {
  readonly features: readonly string[]
  readonly unit: readonly number[]
}

function pairOf(
  [a, inA]: readonly [number, Compared],
  [b, inB]: readonly [number, Compared],
  shared: number,
  compared: ComparedFeatures,
): ClusterPair {
  const sizes = { sizeA: inA.size, sizeB: inB.size }
  return { a, b, ...sizes, shared, ...difference(inA.centroid, inB.centroid, compared) }
}

/** See `ClusterPair`. */
function difference(
  a: readonly number[] | null,
  b: readonly number[] | null,
  { features, unit }: ComparedFeatures,
): Pick<ClusterPair, 'centroidDistance' | 'largestDifference'> {
  if (a === null || b === null || features.length === 0)
    return { centroidDistance: null, largestDifference: null }
  const differences = features.map((feature, j) => ({
    feature,
    difference: b[j] - a[j],
    measured: Math.abs(b[j] - a[j]) / unit[j],
  }))
  const { feature, difference } = differences.reduce((most, one) =>
    one.measured > most.measured ? one : most,
  )
  return {
    centroidDistance: differences.reduce((length, { measured }) => Math.hypot(length, measured), 0),
    largestDifference: { feature, difference },
  }
}
