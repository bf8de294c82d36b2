import { describe, expect, it } from 'vitest'
import { probeOf } from '@shared/regimes'
import type { CpuFacts, PlanQuestion, Regime } from '@shared/plan'
import { makePlan, planOfBuilt, type PlannedVariant } from './make-plan'

const device: CpuFacts = { engine: 'cpu', name: 'Xeon', threads: 4, isa: 'avx512' }
const ask = (n: number, d = 2, k = 5): PlanQuestion<CpuFacts> => ({ shape: { n, d, k }, device, hints: {} })

const table: readonly Regime<CpuFacts>[] = [
  {
    name: 'cells',
    summary: 'Cells of the plane.',
    refuses: ({ shape }) => (shape.d === 2 ? null : 'It takes two features.'),
    chosen: ({ shape, hints }) => {
      if (shape.n < 1000 || hints.findings?.clustered === false) return null
      return hints.findings?.clustered ? 'The points lie in clusters.' : 'Points may lie in clusters.'
    },
    workspaceBytes: ({ shape }) => 4 * shape.n,
    probe: (question) => probeOf(table, question, 'clustered'),
  },
  { name: 'tiled', summary: 'Tiles.', refuses: () => null, chosen: () => 'Any shape.' },
]
const variant: PlannedVariant = { id: 'ours', regimes: { cpu: table }, workspaceBytes: () => 7 }

describe('makePlan', () => {
  it('takes the first row that can run and is not passed over', () => {
    expect(makePlan(variant, ask(10))).toEqual({
      variant: 'ours',
      regime: 'tiled',
      reason: 'Any shape.',
      workspaceBytes: 7,
      predictedMs: null,
      probe: null,
    })
    expect(makePlan(variant, ask(2000, 3)).regime).toBe('tiled')
  })

  it('names the probe of the data and what runs where it finds nothing', () => {
    const { regime, workspaceBytes, probe } = makePlan(variant, ask(2000))
    expect({ regime, workspaceBytes }).toEqual({ regime: 'cells', workspaceBytes: 8000 })
    expect(probe).toEqual({ name: 'clustered', otherwise: 'tiled' })
  })

  it('takes the regime that is forced, whatever the table would choose, and no probe', () => {
    const { regime, reason, probe } = makePlan(variant, ask(10), 'cells')
    expect({ regime, reason, probe }).toEqual({
      regime: 'cells',
      reason: 'It was asked for by name.',
      probe: null,
    })
  })

  it('says why a forced regime cannot run', () => {
    expect(() => makePlan(variant, ask(10, 3), 'cells')).toThrow(
      "The regime 'cells' of 'ours' cannot run on Xeon: It takes two features.",
    )
    expect(() => makePlan(variant, ask(10), 'cell')).toThrow(
      "Expected one of cells, tiled for the regime of ours on cpu but received 'cell'.",
    )
  })

  it('refuses where no regime can run', () => {
    const narrow = { ...variant, regimes: { cpu: table.slice(0, 1) } }
    expect(() => makePlan(narrow, ask(10, 3))).toThrow(
      "The variant 'ours' cannot run on Xeon: It takes two features.",
    )
  })

  it('gives a variant without a table its one way', () => {
    const studied = { id: 'openmp' }
    expect(makePlan(studied, ask(10))).toMatchObject({ regime: 'as-studied', probe: null })
    expect(makePlan(studied, ask(10), 'as-studied').regime).toBe('as-studied')
    expect(() => makePlan(studied, ask(10), 'tiled')).toThrow(/one of as-studied/)
  })
})

describe('planOfBuilt', () => {
  it('has the reason of what was found', () => {
    expect(planOfBuilt(variant, ask(2000), 'cells')?.reason).toBe('The points lie in clusters.')
    expect(planOfBuilt(variant, ask(2000), 'tiled')?.reason).toBe('Any shape.')
  })

  it('is null for what no finding leads to', () => {
    expect(planOfBuilt(variant, ask(10), 'cells')).toBeNull()
  })
})
