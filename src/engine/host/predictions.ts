import { randomUUID } from 'node:crypto'
import type { PredictedRows } from '@engine/predict/predict-rows'
import { LabError } from '@shared/errors'

/** The window shows one at a time; what a page left behind when it went goes when others come. */
const maxKept = 2

/** Rows of other files with their clusters, by id, until they are closed. */
export class Predictions {
  readonly #kept = new Map<string, PredictedRows>()

  add(rows: PredictedRows): string {
    const id = randomUUID()
    this.#kept.set(id, rows)
    for (const old of [...this.#kept.keys()].slice(0, -maxKept)) this.#kept.delete(old)
    return id
  }

  /** @throws LabError `predict.unknown` */
  get(predictionId: string): PredictedRows {
    const found = this.#kept.get(predictionId)
    if (found !== undefined) return found
    throw new LabError(
      'input',
      'predict.unknown',
      'These assigned rows are no longer kept: assign the rows of the file again.',
    )
  }

  close(predictionId: string): void {
    this.#kept.delete(predictionId)
  }
}
