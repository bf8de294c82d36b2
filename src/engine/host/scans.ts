import type { Scan } from '@engine/scan/scan'
import { LabError } from '@shared/errors'

interface KeptScan {
  readonly scan: Scan
  readonly datasetId: string
  /** Of the part under way; null while nothing runs. */
  controller: AbortController | null
}

/** The scans of the session, by id; freed with their dataset. */
export class Scans {
  readonly #kept = new Map<string, KeptScan>()

  add(datasetId: string, scan: Scan): void {
    this.#kept.set(scan.id, { scan, datasetId, controller: null })
  }

  /** @throws LabError `scan.unknown` */
  get(scanId: string): Scan {
    return this.#entry(scanId).scan
  }

  /** The newest first. */
  of(datasetId: string): Scan[] {
    const made = [...this.#kept.values()].filter((entry) => entry.datasetId === datasetId)
    return made.map(({ scan }) => scan).reverse()
  }

  /**
   * Carries out a part of a scan with a signal that `cancel` aborts.
   * @throws LabError `scan.unknown`
   */
  async during<T>(scanId: string, until: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const entry = this.#entry(scanId)
    const controller = new AbortController()
    entry.controller = controller
    try {
      return await work(AbortSignal.any([controller.signal, until]))
    } finally {
      if (entry.controller === controller) entry.controller = null
    }
  }

  /** @throws LabError `scan.working` where one works on the dataset */
  requireIdle(datasetId: string): void {
    const working = [...this.#kept.values()].some(
      (entry) => entry.datasetId === datasetId && entry.controller !== null,
    )
    if (!working) return
    throw new LabError(
      'input',
      'scan.working',
      'A scan of this file is under way: wait for it, or cancel it first.',
    )
  }

  datasetOf(scanId: string): string {
    return this.#entry(scanId).datasetId
  }

  /** Cancelling a scan that is over changes nothing. */
  cancel(scanId: string): void {
    this.#entry(scanId).controller?.abort()
  }

  forget(scanId: string): void {
    this.#kept.get(scanId)?.controller?.abort()
    this.#kept.delete(scanId)
  }

  releaseMadeOn(datasetId: string): void {
    for (const [scanId, entry] of this.#kept) if (entry.datasetId === datasetId) this.forget(scanId)
  }

  #entry(scanId: string): KeptScan {
    const entry = this.#kept.get(scanId)
    if (entry !== undefined) return entry
    throw new LabError('input', 'scan.unknown', 'This scan is no longer known: run it again.')
  }
}
