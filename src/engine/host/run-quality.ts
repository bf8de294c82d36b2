import { centroidDistances } from '@engine/quality/outliers'
import { profilesOf, type Profiles } from '@engine/quality/profiles'
import type { PointSilhouettes } from '@engine/quality/silhouettes'
import type { RunResult } from '@engine/run/types'

/** What was computed of the last runs that somebody looked at, so that looking again costs nothing. */
const maxRuns = 4

interface Kept {
  profiles?: Promise<Profiles>
  distances?: Promise<Float32Array>
  silhouettes?: PointSilhouettes
}

/** Profiles, distances and silhouettes of runs, computed when somebody asks and kept for a few runs. */
export class RunQuality {
  readonly #kept = new Map<string, Kept>()

  /** @param onShare of who asks first */
  profiles(result: RunResult, signal: AbortSignal, onShare?: (share: number) => void): Promise<Profiles> {
    const kept = this.#of(result.record.id)
    kept.profiles ??= profilesOf(result, signal, onShare).catch((error: unknown) => {
      delete kept.profiles
      throw error
    })
    return kept.profiles
  }

  distances(result: RunResult, signal: AbortSignal): Promise<Float32Array> {
    const kept = this.#of(result.record.id)
    kept.distances ??= centroidDistances(result, signal).catch((error: unknown) => {
      delete kept.distances
      throw error
    })
    return kept.distances
  }

  silhouettes(runId: string): PointSilhouettes | undefined {
    return this.#of(runId).silhouettes
  }

  keep(runId: string, silhouettes: PointSilhouettes): void {
    this.#of(runId).silhouettes = silhouettes
  }

  forget(runId: string): void {
    this.#kept.delete(runId)
  }

  #of(runId: string): Kept {
    const kept = this.#kept.get(runId) ?? {}
    this.#kept.delete(runId)
    this.#kept.set(runId, kept)
    for (const [oldest] of [...this.#kept].slice(0, -maxRuns)) this.#kept.delete(oldest)
    return kept
  }
}
