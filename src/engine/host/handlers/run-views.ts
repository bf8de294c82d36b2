import type { Coordinates } from '@engine/engines/engine'
import { bestCentroids } from '@engine/export/assignment'
import type { RunResult } from '@engine/run/types'
import { compareRuns } from '@engine/run/compare'
import { LabError } from '@shared/errors'
import { CentroidTrails, type FindProjection } from '../centroid-trail'
import { IterationLabels } from '../iteration-labels'
import { labelsByRow } from '../labels-by-row'
import type { HostHandlers } from '../protocol'
import type { HostStore } from '../store'

type RunViewHandlers = Pick<HostHandlers, 'run.iteration-labels' | 'run.trail' | 'run.compare'>

/** A finished run looked at iteration by iteration, and beside another. */
export function runViewHandlers(store: HostStore, projection: FindProjection): RunViewHandlers {
  const labels = new IterationLabels()
  const trails = new CentroidTrails(labels, projection)
  store.runs.onForget((runId) => {
    labels.forget(runId)
    trails.forget(runId)
  })
  return {
    'run.iteration-labels': async ({ runId, iteration, start, count }) => {
      const result = await store.runs.result(runId)
      const assigned = await labels.of(result, assignedAgainst(result, iteration), iteration - 1)
      return { labels: labelsByRow(assigned, result.points.rows, result.dataset.rows, start, count) }
    },
    'run.trail': async ({ runId, ...range }) => {
      const result = await store.runs.result(runId)
      return trails.of(result, range, store.runs.untilForgotten(runId))
    },
    'run.compare': async ({ a, b }) => {
      const [first, second] = [await store.runs.result(a), await store.runs.result(b)]
      const until = AbortSignal.any([a, b].map((runId) => store.runs.untilForgotten(runId)))
      return compareRuns(first, second, until)
    },
  }
}

/** The centroids that an iteration began with. */
function assignedAgainst(result: RunResult, iteration: number): Coordinates {
  const kept = bestCentroids(result)
  if (iteration <= result.record.iterations && iteration <= kept.length) return kept[iteration - 1]
  const last = Math.min(result.record.iterations, kept.length)
  throw new LabError(
    'input',
    'run.iteration',
    `Iteration ${iteration} of this result was not kept: choose one from 1 to ${last}, or run again with the history switched on.`,
  )
}
