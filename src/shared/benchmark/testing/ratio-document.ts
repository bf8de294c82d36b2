import type { BenchmarkDocument, Measurement } from '../document'
import type { Publication } from '../suite'
import { comparisonDocument } from './document'

const printed = { k: 5, systems: 'GPU only over hybrid', min: 2.6, mean: 3.2, max: 3.5 }
const ratios = [{ ...printed, contender: 'cuda/irregular-reduction', over: 'cuda/hybrid-parallel' }]
const publication: Publication = { title: 'A study', hardware: '', note: '', times: [], ratios }

/** A published ratio, and times of its two systems on each dataset (GPU only, hybrid), by engine; k = 5. */
export function ratioDocument(
  times: Readonly<Record<string, readonly (readonly [number, number])[]>>,
): BenchmarkDocument {
  const document = comparisonDocument()
  const [some] = document.rows
  const rows = Object.entries(times).flatMap(([engine, pairs]) =>
    pairs.flatMap(([gpuOnly, hybrid], at) => [
      rowOf(some, at, `${engine}/irregular-reduction`, gpuOnly),
      rowOf(some, at, `${engine}/hybrid-parallel`, hybrid),
    ]),
  )
  return { ...document, suite: { ...document.suite, publication }, rows, plan: rows }
}

/** 1000 words an iteration on the first dataset, 2000 on the second, and so on. */
function rowOf(some: Measurement, at: number, contender: string, ms: number): Measurement {
  const [engine, variant] = contender.split('/')
  return {
    ...{ ...some, dataset: `data ${at}`, contender, variant, totalsMs: [ms] },
    hostDeviceBytesPerIteration: 4000 * (at + 1),
    ...{ engine: engine === 'cuda' ? 'cuda' : 'webgpu', device: `${engine}:0` },
  }
}
