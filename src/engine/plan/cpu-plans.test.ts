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
  ['fused', 100_000, 2, 5, 'ordered-boxes'],
  ['fused', 1_000_000, 2, 3, 'ordered-boxes'],
  ['fused', 50_000, 2, 512, 'ordered-boxes'],
  ['fused', 50_000, 2, 5000, 'tiled-scores'],
  ['fused', 1_000_000, 3, 250, 'ordered-boxes'],
  ['fused', 1_000_000, 3, 10, 'ordered-boxes'],
  ['fused', 100_000, 5, 64, 'ordered-boxes'],
  ['fused', 100_000, 5, 5, 'tiled'],
  ['fused', 300_000, 8, 400, 'ordered-boxes'],
  ['fused', 100_000, 8, 20, 'tiled'],
  ['fused', 100_000, 16, 128, 'tiled-scores'],
  ['fused', 200_000, 64, 256, 'projected-scores'],
  ['fused', 20_000, 64, 256, 'tiled-scores'],
  ['fused', 200_000, 64, 20, 'tiled-scores'],
  ['fused', 200_000, 47, 20, 'tiled'],
  ['fused', 1000, 20_000, 64, 'tiled'],
  ['openmp', 1000, 4, 3, 'as-studied'],
] as const

describe('plans for the processor', () => {
  it.each(documented)('%s of %i x %i, k = %i: %s', (id, n, d, k, regime) => {
    const plan = planOf(id, n, d, k)
    expect(plan.regime).toBe(regime)
    expect(plan.reason).toMatch(/^[A-Z].*\.$/)
  })

  it('boxes of more than five features hang on a probe of the data', () => {
    expect(planOf('fused', 50_000, 5, 400).probe).toBeNull()
    const { probe } = planOf('fused', 300_000, 8, 400)
    expect(probe).toEqual({ name: 'narrow-boxes', otherwise: 'tiled-scores' })
    const reason = (built: string) => planOfBuilt(variantOf('fused'), ask(300_000, 8, 400), built)?.reason
    expect(reason('ordered-boxes')).toBe('The points lie so that boxes of neighbours lie in few clusters.')
    expect(reason('tiled-scores')).toBe('From 32 centroids on, scores take less than distances.')
  })

  it('boxes are not made for a few iterations', () => {
    const { shape } = ask(1_000_000, 2, 10)
    const regimeOf = (iterations: number) =>
      makePlan(variantOf('fused'), { shape, device, hints: { iterations } }).regime
    expect([1, 6, 8, 300].map(regimeOf)).toEqual(['tiled', 'tiled', 'ordered-boxes', 'ordered-boxes'])
  })

  it('projections hang on a probe of the data', () => {
    const { probe } = planOf('fused', 50_000, 768, 1000)
    expect(probe).toEqual({ name: 'few-directions', otherwise: 'tiled-scores' })
    const reason = (built: string) => planOfBuilt(variantOf('fused'), ask(50_000, 768, 1000), built)?.reason
    expect(reason('projected-scores')).toMatch(/^The points vary along so few directions/)
    expect(reason('tiled-scores')).toBe('From 32 centroids on, scores take less than distances.')
  })

  it('says why a regime cannot be forced', () => {
    expect(() => makePlan(variantOf('fused'), ask(1000, 9, 9), 'ordered-boxes')).toThrow(
      "The regime 'ordered-boxes' of 'fused' cannot run on Xeon: The filter of boxes is proven for up to 8 features.",
    )
  })
})
