import type { RunEvent } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'

/** Electron's words for the taskbar: below 0 no bar, above 1 a bar without an end. */
export const noBar = -1
export const endlessBar = 2

type Plan = Pick<RunConfig, 'maxIterations' | 'nInit'>

/**
 * The progress of the newest run for the taskbar: without an end while it prepares, then the share of the
 * iterations it may make at most, restart by restart; no bar once it is over.
 */
export class RunProgress {
  readonly #show: (bar: number) => void
  readonly #plans = new Map<string, Plan>()

  /** @param show takes a share from 0 to 1, `noBar` or `endlessBar`. */
  constructor(show: (bar: number) => void) {
    this.#show = show
  }

  /** What a run was asked to do, without which its share is not known. */
  expect(runId: string, plan: Plan): void {
    this.#plans.set(runId, plan)
  }

  take(event: RunEvent): void {
    if (event.kind === 'phase') {
      if (event.restart === 0 && event.phase !== 'iterating') this.#show(endlessBar)
    } else if (event.kind === 'iterations') {
      const last = event.rows.at(-1)
      if (last) this.#show(this.#share(event.runId, last.run, last.iteration))
    } else {
      this.#plans.delete(event.runId)
      this.#show(noBar)
    }
  }

  /** The engine is gone, and its runs with it. */
  stop(): void {
    this.#plans.clear()
    this.#show(noBar)
  }

  #share(runId: string, restart: number, iteration: number): number {
    const plan = this.#plans.get(runId)
    if (!plan) return endlessBar
    return Math.min(1, (restart + iteration / plan.maxIterations) / plan.nInit)
  }
}
