import { LabError } from '@shared/errors'

/** Something that is thrown at, case by case. */
export interface Target {
  /** What one case came to, in a word that is counted. @throws Error when the case found a fault */
  tryCase(seed: number): Promise<string>
  /** Bytes thrown so far, where that is what counts. */
  bytes?(): number
  close(): Promise<void>
}

export interface FuzzReport {
  readonly cases: number
  readonly bytes: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly faults: readonly { readonly seed: number; readonly message: string }[]
}

const maxFaults = 10

/**
 * Tries cases of consecutive seeds until the time is over.
 * @param began gets each seed before it is tried
 */
export async function fuzz(
  target: Target,
  { firstSeed, seconds, began }: { firstSeed: number; seconds: number; began?: (seed: number) => void },
): Promise<FuzzReport> {
  const outcomes: Record<string, number> = {}
  const faults: { seed: number; message: string }[] = []
  const end = performance.now() + seconds * 1000
  let seed = firstSeed
  for (; performance.now() < end && faults.length < maxFaults; seed++) {
    began?.(seed)
    const outcome = await target.tryCase(seed).catch((error: unknown) => {
      faults.push({ seed, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      return 'fault'
    })
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  return { cases: seed - firstSeed, bytes: target.bytes?.() ?? 0, outcomes, faults }
}

/** The code of an error that a person may see. @throws Error for every other one, and for one that is no sentence */
export function codeOf(thrown: unknown): string {
  if (!(thrown instanceof LabError)) throw thrown
  const { kind, code, message } = thrown
  if (kind === 'internal') throw new Error(`a fault of ours: ${message}\n${thrown.details ?? ''}`)
  if (!/[.:?!]$/.test(message)) throw new Error(`no sentence: ${message}`)
  return code
}

/** @throws Error where a case changed what every object inherits */
export function requireCleanPrototypes(): void {
  for (const prototype of [Object.prototype, Array.prototype]) {
    const added = Object.keys(prototype)
    if (added.length > 0) throw new Error(`a prototype was polluted: ${added.join(', ')}`)
  }
}
