import type { RunObserver } from '@engine/run/types'
import type { RunPhase } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import { shortNumber } from './text-table'
import type { Progress } from './progress'

const doing: Readonly<Record<RunPhase, string>> = {
  preparing: 'preparing the points',
  uploading: 'handing the points to the engine',
  seeding: 'choosing the initial centroids',
  iterating: 'iterating',
  finishing: 'finishing',
}

/** Tells what a run is doing. */
export function watchRun(progress: Progress, { nInit }: Pick<RunConfig, 'nInit'>): RunObserver {
  const which = (restart: number) => (nInit > 1 ? `run ${restart + 1} of ${nInit}: ` : '')
  return {
    phase: (phase, restart) => progress.update(which(restart) + doing[phase]),
    iterations: ({ restart, engine, variant, rows, elapsedMs }) => {
      const last = rows.at(-1)
      if (last === undefined) return
      const inertia = last.inertia === null ? '' : `, inertia ${shortNumber(last.inertia)}`
      const seconds = (elapsedMs / 1000).toFixed(1)
      progress.update(
        `${which(restart)}iteration ${last.iteration} on ${engine} (${variant})${inertia}, ${seconds} s`,
      )
    },
  }
}
