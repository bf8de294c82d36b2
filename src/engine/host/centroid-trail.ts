import type { Coordinates } from '@engine/engines/engine'
import { bestCentroids, nearestLabels } from '@engine/export/assignment'
import type { RunResult } from '@engine/run/types'
import { Slices } from '@engine/slices'
import { invalidArgument } from '@shared/errors'
import { bulkChunkBytes, type HostRequests, type TrailAxis } from '@shared/ipc'
import { ByteCache } from '@shared/byte-cache'
import type { IterationLabels } from './iteration-labels'

/** An answer is cut short after this time, so that whoever asks can think otherwise in between. */
const answerMs = 100
const cacheBytes = 16 * 2 ** 20

/** Principal components of points, as far as centroids need them. */
export interface CentroidScores {
  /** (k, d) engine units -> (k, components). */
  scoresOfCentroids(centroids: Coordinates, k: number): Float64Array
}

/** @throws LabError when there is no such projection, or it is not one of the points of the run */
export type FindProjection = (projectionId: string, result: RunResult) => CentroidScores

type Range = Pick<HostRequests['run.trail']['params'], 'start' | 'count' | 'axes'>

/** Where the centroids of the best restart were, iteration by iteration, on axes that somebody looks at. */
export class CentroidTrails {
  /** Means of members, where the scaling cannot be undone: dear, and the same for any axis. */
  private readonly means = new ByteCache<Float64Array>({ bytes: cacheBytes })

  constructor(
    private readonly labels: IterationLabels,
    private readonly projection: FindProjection,
  ) {}

  /** See `run.trail` of the contract. */
  async of(
    result: RunResult,
    { start, count, axes }: Range,
    until: AbortSignal,
  ): Promise<{ kept: number; values: Float64Array }> {
    for (const axis of axes) checkAxis(axis, result)
    const all = bestCentroids(result)
    const { k } = result.record
    const width = k * axes.length
    const fitting = Math.max(1, Math.floor(bulkChunkBytes / (width * Float64Array.BYTES_PER_ELEMENT)))
    const wanted = Math.max(0, Math.min(count, fitting, all.length - start))
    const values = new Float64Array(wanted * width)
    const slices = new Slices(until)
    const began = performance.now()
    for (let i = 0; i < wanted; i++) {
      const row = values.subarray(i * width, (i + 1) * width)
      await this.write(result, all[start + i], start + i, axes, row, until)
      if (performance.now() - began > answerMs)
        return { kept: all.length, values: values.slice(0, (i + 1) * width) }
      await slices.next()
    }
    return { kept: all.length, values }
  }

  forget(runId: string): void {
    this.means.removeAll(`${runId} `)
  }

  /** (k, axes) of one iteration. */
  private async write(
    result: RunResult,
    centroids: Coordinates,
    at: number,
    axes: readonly TrailAxis[],
    row: Float64Array,
    until: AbortSignal,
  ): Promise<void> {
    const tables = new Map<string | null, Float64Array>()
    for (const [a, axis] of axes.entries()) {
      const [projectionId, column] =
        axis.kind === 'feature' ? [null, axis.feature] : [axis.projectionId, axis.component]
      const table = tables.get(projectionId) ?? (await this.table(result, centroids, at, projectionId, until))
      tables.set(projectionId, table)
      const columns = table.length / result.record.k
      if (column >= columns)
        throw invalidArgument(`a component below ${columns}`, 'axes of run.trail', column)
      for (let cluster = 0; cluster < result.record.k; cluster++)
        row[cluster * axes.length + a] = table[cluster * columns + column]
    }
  }

  /** (k, features) in units of the file, or (k, components) of a projection: one for all axes of its kind. */
  private async table(
    result: RunResult,
    centroids: Coordinates,
    at: number,
    projectionId: string | null,
    until: AbortSignal,
  ): Promise<Float64Array> {
    return projectionId === null
      ? await this.inFile(result, centroids, at, until)
      : this.projection(projectionId, result).scoresOfCentroids(centroids, result.record.k)
  }

  private async inFile(
    result: RunResult,
    centroids: Coordinates,
    at: number,
    until: AbortSignal,
  ): Promise<Float64Array> {
    const { points, record } = result
    const undone = points.toFile(centroids, record.k)
    if (undone !== null) return undone
    const key = `${record.id} ${at}`
    const known = this.means.get(key)
    if (known !== undefined) return known
    const labels = this.labels.known(record.id, at) ?? (await nearestLabels(result, centroids, until))
    const means = await points.memberMeans(labels, record.k, until)
    this.means.set(key, means, means.byteLength)
    return means
  }
}

function checkAxis(axis: TrailAxis, { record }: RunResult): void {
  if (axis.kind === 'feature' && axis.feature >= record.d)
    throw invalidArgument(`a feature below ${record.d}`, 'axes of run.trail', axis.feature)
}
