import { describe, expect, it } from 'vitest'
import distanceMatrix from '@kernels/variants/distance-matrix/variant'
import fused from '@kernels/variants/fused/variant'
import { freeBytes } from '../../memory'
import { requireWorkspace } from './memory'

const shape = { n: 1_000_000, d: 2, k: 1000 }
const fourGigabytes = 4e9
const memoryOf = (bytes: number) => ({ engine: 'cpu', words: 'memory', freeBytes: bytes }) as const

describe('the memory a variant takes for itself', () => {
  it('is refused in one sentence that names need, limit and what to do', () => {
    expect(() => requireWorkspace(distanceMatrix, shape, memoryOf(2 ** 31))).toThrow(
      expect.objectContaining({
        kind: 'input',
        code: 'cpu.workspace',
        message:
          "The variant 'distance-matrix' would need 3.7 GiB of memory for 1000000 points and k = 1000, but 2.0 GiB are free: choose another variant, a smaller k or fewer rows.",
      }),
    )
  })

  it('is granted to the last byte', () => {
    expect(() => requireWorkspace(distanceMatrix, shape, memoryOf(fourGigabytes))).not.toThrow()
    expect(() => requireWorkspace(distanceMatrix, shape, memoryOf(fourGigabytes - 1))).toThrow(/3\.7 GiB/)
  })

  it('is no matter for a variant that keeps nothing of that size', () => {
    expect(() => requireWorkspace(fused, shape, memoryOf(0))).not.toThrow()
  })

  it('is measured against what this machine has left', () => {
    expect(freeBytes()).toBeGreaterThan(2 ** 20)
    expect(freeBytes()).toBeLessThan(2 ** 50)
  })
})
