/** What running a kept run again gave. */
export const verdicts = ['identical', 'within-bound', 'different'] as const
export type Verdict = (typeof verdicts)[number]

/** One thing that differs, as numbers or words of the two runs. */
export interface Difference {
  readonly what: string
  readonly kept: string
  readonly now: string
}

/** A kept run and the same run made again. */
export interface RunVerification {
  readonly verdict: Verdict
  /** Of the kept result; null where an earlier version did not keep it. */
  readonly keptSha256: string | null
  readonly resultSha256: string
  readonly differences: readonly Difference[]
  /** Why the results may differ, a sentence each; empty where they do not. */
  readonly reasons: readonly string[]
}

/** What stays of a verification with the run. */
export interface VerificationMark {
  readonly verdict: Verdict
  /** ISO 8601. */
  readonly at: string
  readonly resultSha256: string
}
