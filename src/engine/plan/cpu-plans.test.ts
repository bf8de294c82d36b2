import { describe, expect, it } from 'vitest'
import { variants } from '@kernels/variants'
import type { CpuFacts } from '@shared/plan'
import { makePlan, planOfBuilt } from './make-plan'

const device: CpuFacts = { engine: 'cpu', name: 'Xeon', threads: 2, isa: 'avx512' }
const variantOf = (id: string) => variants.find((variant) => variant.id === id) ?? { id }
const ask = (n: number, d: number, k: number) => ({ shape: { n, d, k }, device, hints: {} })
const planOf = (id: string, n: number, d: number, k: number) => makePlan(variantOf(id), ask(n, d, k))

/** The shapes of the variants' READMEs and of bench/configurations.ts. */
const documented = [
  ['fused', 100, 2, 5, 'tiled'],
  ['fused', 100_000, 2, 5, 'tiled'],
  ['fused', 50_000, 2, 512, 'tiled-scores'],
  ['fused', 200_000, 64, 256, 'projected-scores'],
  ['fused', 20_000, 64, 256, 'tiled-scores'],
  ['fused', 200_000, 64, 20, 'tiled'],
  ['fused', 1000, 20_000, 64, 'tiled'],
  ['pruned', 100, 2, 5, 'unchanged-centroids'],
  ['pruned', 100_000, 2, 5, 'ordered-boxes'],
  ['pruned', 1_000_000, 3, 250, 'ordered-boxes'],
  ['pruned', 32_768, 2, 250, 'filtered-tree'],
  ['pruned', 50_000, 2, 512, 'filtered-tree'],
  ['pruned', 300_000, 8, 400, 'filtered-tree'],
  ['pruned', 100_000, 8, 20, 'unchanged-centroids'],
  ['pruned', 100_000, 64, 20, 'neighbour-groups'],
  ['pruned', 100_000, 16, 128, 'neighbour-groups'],
  ['pruned', 1000, 9, 7, 'unchanged-centroids'],
  ['pruned', 1000, 20_000, 64, 'unchanged-centroids'],
  ['openmp', 1000, 4, 3, 'as-studied'],
] as const

describe('plans for the processor', () => {
  it.each(documented)('%s of %i x %i, k = %i: %s', (id, n, d, k, regime) => {
    const plan = planOf(id, n, d, k)
    expect(plan.regime).toBe(regime)
    expect(plan.reason).toMatch(/^[A-Z].*\.$/)
  })

  it('a tree of more than three features hangs on a probe of the data', () => {
    expect(planOf('pruned', 50_000, 3, 400).probe).toBeNull()
    const { probe } = planOf('pruned', 300_000, 8, 400)
    expect(probe).toEqual({ name: 'narrow-leaves', otherwise: 'unchanged-centroids' })
    const reason = (built: string) => planOfBuilt(variantOf('pruned'), ask(300_000, 8, 400), built)?.reason
    expect(reason('filtered-tree')).toBe('The points lie so that leaves of a tree leave few distances.')
    expect(reason('unchanged-centroids')).toBe('No other bound pays for this shape and data.')
  })

  it('projections hang on a probe of the data', () => {
    const { probe } = planOf('fused', 50_000, 768, 1000)
    expect(probe).toEqual({ name: 'few-directions', otherwise: 'tiled-scores' })
    const reason = (built: string) => planOfBuilt(variantOf('fused'), ask(50_000, 768, 1000), built)?.reason
    expect(reason('projected-scores')).toMatch(/^The points vary along so few directions/)
    expect(reason('tiled-scores')).toBe('From 32 centroids on, scores take less than distances.')
  })

  it('says why a regime cannot be forced', () => {
    expect(() => makePlan(variantOf('pruned'), ask(1000, 4, 9), 'ordered-boxes')).toThrow(
      "The regime 'ordered-boxes' of 'pruned' cannot run on Xeon: Boxes are made of up to 3 features.",
    )
  })
})
