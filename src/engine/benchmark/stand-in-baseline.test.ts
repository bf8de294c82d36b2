import { expect, it } from 'vitest'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { withStandInBaseline } from './stand-in-baseline'

const document = comparisonDocument()
const key = 'cuda/hybrid-parallel'
const suite = { ...document.suite, baseline: key }

/** The first cell for CUDA, skipped or not, and for WebGPU. */
function planned(cudaSkipped: string | null, webgpuSkipped: string | null) {
  const [cell] = document.plan
  return [
    { ...cell, contender: key, skipped: cudaSkipped },
    { ...cell, contender: 'webgpu/hybrid-parallel', skipped: webgpuSkipped },
  ]
}

it('takes the same variant on WebGPU as the baseline where CUDA cannot run, and says so', () => {
  const found = withStandInBaseline({ ...document, suite, plan: planned('No CUDA.', null) }).suite
  expect(found.baseline).toBe('webgpu/hybrid-parallel')
  expect(found.description).toContain('cuda/hybrid-parallel does not run here: webgpu/hybrid-parallel is the')
})

it('leaves a baseline that runs, one that nothing can stand in for, and one that is not of CUDA', () => {
  for (const plan of [planned(null, null), planned('No CUDA.', 'No WebGPU.')]) {
    const given = { ...document, suite, plan }
    expect(withStandInBaseline(given)).toBe(given)
  }
  expect(withStandInBaseline(document)).toBe(document)
})
