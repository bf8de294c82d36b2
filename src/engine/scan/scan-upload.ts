import type { AnyPoints, HeldPoints } from '../engines/engine'
import type { ResolvedRun } from '../run/types'
import { orAborted } from '../slices'

/** The points of a scan on the device that clusters them: sent once, used by every session and seeding until the end. */
export class ScanUpload {
  #held: HeldPoints | null = null
  #where: string | null = null
  #milliseconds = 0

  /** Of all uploads: more than one where the engine or the device changed on the way. */
  get milliseconds(): number {
    return this.#milliseconds
  }

  /** @throws LabError `cancelled` */
  async to({ engine, device }: ResolvedRun, points: AnyPoints, signal: AbortSignal): Promise<void> {
    const where = `${engine.id} ${device.id}`
    if (where === this.#where) return
    await this.close()
    this.#where = where
    const holding = Promise.resolve(engine.hold?.(points, device.id) ?? null)
    try {
      this.#held = await orAborted(holding, signal)
    } catch (thrown) {
      this.#where = null
      // What is held behind an abort is of no use to anybody.
      holding.then((late) => late?.close()).catch(() => undefined)
      throw thrown
    }
    this.#milliseconds += this.#held?.uploadMs ?? 0
  }

  /** What is still at work there keeps its points until it ends. */
  async close(): Promise<void> {
    const held = this.#held
    this.#held = null
    this.#where = null
    await held?.close()
  }
}
