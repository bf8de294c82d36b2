import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import type { RunComparison } from '@shared/run-comparison'
import { paletteOf } from '@/plots/palette'
import { asked, record } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import CompareDialog from './CompareDialog.vue'

const a = record({ id: 'a' })
const b = record({
  id: 'b',
  config: asked({ history: true, scaling: 'standardise' }),
  k: 4,
  clusters: [...record().clusters, { cluster: 3, size: 1, inertia: 0, centroid: [1, 2, 3, 4] }],
  timings: { ...record().timings, totalMs: 5.3 },
})
const comparison: RunComparison = {
  rows: 150,
  agreement: 0.9533333333333334,
  adjustedRand: 0.8681,
  features: ['sepal_length'],
  units: 'file',
  pairs: [
    { a: 0, b: 1, sizeA: 39, sizeB: 40, shared: 38, centroidDistance: 0.123456, largestDifference: null },
    {
      a: 1,
      b: 2,
      sizeA: 61,
      sizeB: 60,
      shared: 55,
      centroidDistance: 0.5,
      largestDifference: { feature: 'petal_length', difference: -0.25 },
    },
    { a: 2, b: null, sizeA: 50, sizeB: 0, shared: 0, centroidDistance: null, largestDifference: null },
  ],
}

let dialog: VueWrapper
const at = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`)
afterEach(() => dialog.unmount())

async function show(answer: () => unknown) {
  const { lab, pinia } = freshWindow({ 'run.compare': answer })
  dialog = mount(CompareDialog, {
    props: {
      open: true,
      a,
      b,
      paletteA: paletteOf(3, new Map([[0, { name: 'large' }]])),
      paletteB: paletteOf(4),
    },
    global: { plugins: [pinia] },
    attachTo: document.body,
  })
  await flushPromises()
  return lab
}

describe('two runs side by side', () => {
  it('measures how far they agree and matches their clusters', async () => {
    const lab = await show(() => comparison)
    expect(lab.asked.at(-1)).toEqual({ channel: 'run.compare', params: { a: 'a', b: 'b' } })
    expect(at('compare-measures')?.textContent).toContain('95.3 %')
    expect(at('compare-measures')?.textContent).toContain('0.8681')
    const rows = [...(at('compare-pairs')?.querySelectorAll('tbody tr') ?? [])]
    expect(rows).toHaveLength(3)
    expect(rows[0]?.textContent).toContain('large')
    expect(rows[1]?.textContent).toMatch(/petal_length\s*-0\.2500/)
    expect(rows[2]?.textContent).toContain('no match')
    expect(at('compare')?.textContent).toContain('2 clusters of B without a counterpart: 0, 3.')
  })

  it('sets the facts that differ side by side, and the times against each other', async () => {
    await show(() => comparison)
    const lines = (id: string) =>
      [...(at(id)?.querySelectorAll('tbody tr') ?? [])].map((row) => row.textContent)
    expect(lines('compare-facts')).toEqual(['k34', 'ScalingNoneStandardise', 'Time2.12 ms5.30 ms'])
    expect(lines('compare-alike')).toContain('Seed1')
    expect(at('compare-times')?.textContent).toBe('B took 2.5 times as long as A.')
  })

  it('says that inertias of other scalings cannot be compared, of one feature too', async () => {
    await show(() => comparison)
    expect(at('compare-units')?.textContent).toBe(
      'Their inertias cannot be compared: 4 features are scaled otherwise.',
    )
    const columnScalings = [{ column: 'petal_width', scaling: 'robust' }] as const
    await dialog.setProps({ b: record({ id: 'c', config: asked({ columnScalings }) }) })
    expect(at('compare-units')?.textContent).toContain('petal_width is scaled otherwise')
    expect(at('compare')?.textContent).toContain('None, but petal_width: Robust')
    await dialog.setProps({ b: record({ id: 'd' }) })
    expect(at('compare-units')).toBeNull()
  })

  it('copies all of it with every digit', async () => {
    await show(() => comparison)
    at('compare-copy')?.click()
    const text = String(dialog.emitted('copy')?.[0]?.[0])
    expect(text).toContain('label agreement\t0.9533333333333334\n')
    expect(text).toContain('Scaling\tNone\tStandardise\n')
    expect(text).toContain('1\t2\t61\t60\t55\t0.5\tpetal_length\t-0.25\n')
  })

  it('says that no rows are in common rather than an index', async () => {
    await show(() => ({ ...comparison, rows: 0, agreement: 0, adjustedRand: null }))
    expect(at('compare-measures')?.textContent).toContain('no rows in common')
    at('compare-copy')?.click()
    expect(String(dialog.emitted('copy')?.[0]?.[0])).toMatch(/adjusted Rand index\t\n/)
  })

  it('does not let a late failure of other runs hide the newer answer', async () => {
    let fail: (reason: Error) => void = () => undefined
    const first = new Promise((_, reject) => (fail = reject))
    let questions = 0
    await show(() => (questions++ === 0 ? first : comparison))
    await dialog.setProps({ b: { ...b, id: 'c' } })
    await flushPromises()
    fail(new LabError('input', 'run.unknown', 'This run is no longer known: run it again.'))
    await flushPromises()
    expect(at('compare-problem')).toBeNull()
    expect(at('compare-measures')?.textContent).toContain('0.8681')
  })

  it('says in one sentence why two runs cannot be compared, and still shows their facts', async () => {
    await show(() => {
      throw new LabError('input', 'compare.files', 'These runs are of different files; compare runs of one.')
    })
    expect(at('compare-problem')?.textContent).toBe('These runs are of different files; compare runs of one.')
    expect(at('compare-facts')).not.toBeNull()
    expect(at('compare-copy')?.hasAttribute('disabled')).toBe(true)
  })
})
