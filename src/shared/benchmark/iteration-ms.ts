import type { IterationTime } from './document'

/** The whole of an iteration; the sum of its steps where only they were timed; null without any. */
export function iterationMs({
  totalMs,
  assignMs,
  updateMs,
  convergeMs,
  iterateMs,
}: IterationTime): number | null {
  if (totalMs !== null) return totalMs
  const steps = [assignMs, updateMs, convergeMs, iterateMs].filter((ms) => ms !== null)
  return steps.length === 0 ? null : steps.reduce((sum, ms) => sum + ms, 0)
}
