import type { Evidence } from '@shared/dataset'

/** A detected property of a file, and why. */
export interface Found<T> {
  readonly value: T
  readonly evidence: Evidence
}

/** What to say of a property: `set` is what the person chose, undefined when it was left to detection. */
export function evidence(set: unknown, because: string, doubtful = false): Evidence {
  if (set !== undefined) return { because: 'Set by hand.', overridden: true, doubtful: false }
  return { because, overridden: false, doubtful }
}

export function given<T>(value: T): Found<T> {
  return { value, evidence: evidence(value, '') }
}

export function found<T>(value: T, because: string, doubtful = false): Found<T> {
  return { value, evidence: evidence(undefined, because, doubtful) }
}
