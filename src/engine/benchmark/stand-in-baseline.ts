import type { BenchmarkDocument } from '@shared/benchmark/document'

type Planned = Pick<BenchmarkDocument, 'suite' | 'plan'>

/**
 * Where a machine has no CUDA, a baseline of CUDA leaves every speed-up empty: the same variant on WebGPU becomes the baseline,
 * where it takes part, and the description says so.
 */
export function withStandInBaseline<T extends Planned>(document: T): T {
  const { suite, plan } = document
  const { baseline } = suite
  if (!baseline.startsWith('cuda') || runsOf(plan, baseline)) return document
  const instead = `webgpu/${baseline.slice(baseline.indexOf('/') + 1)}`
  if (!runsOf(plan, instead)) return document
  const sentence = `${baseline} does not run here: ${instead} is the baseline in its place.`
  const description = `${suite.description} ${sentence}`.trimStart()
  return { ...document, suite: { ...suite, baseline: instead, description } }
}

function runsOf(plan: BenchmarkDocument['plan'], key: string): boolean {
  return plan.some(({ contender, skipped }) => contender === key && skipped === null)
}
