import type { BenchmarkDocument } from '@shared/benchmark/document'
import { speedupsOf } from '@shared/benchmark/speedups'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { limitedDocument } from '@shared/benchmark/testing/limited-document'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freshWindow } from '../../../test/mount'
import { installSight } from '../../../test/sight'
import TimesTable from './TimesTable.vue'

let table: VueWrapper
afterEach(() => table.unmount())

function show(document: BenchmarkDocument, baseline = document.suite.baseline, attachTo?: Element) {
  const { pinia } = freshWindow()
  const current = document.state === 'running' ? (document.plan[1] ?? null) : null
  table = mount(TimesTable, {
    props: { document, baseline, speedups: speedupsOf(document, baseline), current },
    ...(attachTo ? { attachTo } : {}),
    global: { plugins: [pinia] },
  })
}
const document = comparisonDocument()
const rowsOf = (contender: string) => table.findAll(`[data-testid="bench-row-${contender}"]`)
const columnAt = (key: string) =>
  table.findAll('thead th').findIndex((head) => head.find(`[data-testid="bench-sort-${key}"]`).exists()) - 1
const cell = (row: ReturnType<typeof rowsOf>[number], key: string) =>
  row.findAll('td')[columnAt(key)]?.text() ?? ''

describe('the table of execution times', () => {
  it('shows who disagrees in red, with its sentence and no speed-up', () => {
    show(document)
    const bad = rowsOf('cuda:0/global-atomics').filter((row) => row.attributes('data-state') === 'disagrees')
    expect(bad).toHaveLength(1)
    expect(bad[0]!.classes()).toContain('bench-row-disagrees')
    expect(cell(bad[0]!, 'median')).not.toBe('–')
    expect(cell(bad[0]!, 'speedup')).toBe('disagrees')
    const remark = bad[0]!.element.nextElementSibling
    expect(remark?.className).toContain('bench-row-disagrees')
    expect(remark?.textContent).toContain('No speed-up: 12 of 150 labels are not the nearest.')
    const good = rowsOf('cpu/fused')[0]!
    expect(cell(good, 'speedup')).toMatch(/^12\.\d/)
  })

  it('says why a row was skipped or failed', () => {
    show(document)
    expect(table.text()).toContain('Skipped: python3 has no numpy here.')
    expect(table.text()).toContain('Failed: The device was lost.')
  })

  it('marks what is scaled from fewer iterations, and says what was not run', () => {
    show(limitedDocument())
    const scaled = rowsOf('cpu/sequential')[0]!
    expect(cell(scaled, 'median')).toBe('≈ 120.0')
    expect(cell(scaled, 'iterations')).toBe('5 of 20')
    expect(cell(scaled, 'iteration')).toBe('5.401')
    expect(cell(scaled, 'agreement')).toBe('not compared')
    expect(scaled.findAll('td')[columnAt('agreement')]?.attributes('title')).toBe(
      'not compared: 5 of 20 iterations',
    )
    expect(scaled.findAll('td')[columnAt('median')]?.attributes('title')).toBe(
      '120, scaled from 5 of 20 iterations',
    )
    const fused = rowsOf('cpu/fused')[0]!
    expect(cell(fused, 'median')).not.toContain('≈')
    expect(cell(fused, 'speedup')).toMatch(/^≈ 12\.\d/)
    expect(cell(rowsOf('cpu/fused')[1]!, 'speedup')).toMatch(/^12\.\d/)
    expect(rowsOf('outside/numpy').at(-1)?.text()).toMatch(/ ?Not run: 14 h predicted on 16 threads; /)
  })

  it('names the regime that ran, with the reason in the title', () => {
    show(document)
    expect(table.findAll('thead th')[1]?.text()).toBe('Regime')
    const regimeOf = (contender: string) => rowsOf(contender)[0]!.get('[data-testid=bench-regime]')
    expect(regimeOf('cpu/fused').text()).toBe('tiled')
    expect(regimeOf('cpu/fused').attributes('title')).toBe(
      'tiled: Few centroids: every distance is computed.',
    )
    expect(regimeOf('cpu/sequential').text()).toBe('as-studied')
    expect(regimeOf('outside/numpy').text()).toBe('')
    expect(regimeOf('outside/numpy').attributes('title')).toBeUndefined()
  })

  it('refers speed-ups to another baseline', () => {
    show(document, 'cpu/fused')
    expect(cell(rowsOf('cpu/fused')[0]!, 'speedup')).toBe('1')
    expect(Number.parseFloat(cell(rowsOf('cpu/sequential')[0]!, 'speedup'))).toBeLessThan(0.1)
  })

  it('shows published figures beside the measured ones', () => {
    show(document)
    expect(cell(rowsOf('cpu/sequential')[0]!, 'published')).toBe('412.0')
    expect(rowsOf('cuda:0/global-atomics')[0]!.findAll('td').at(-1)?.text()).toBe('51.00')
  })

  it('shows what is published of CUDA beside WebGPU where there is no CUDA, and says so', () => {
    const moved = { engine: 'webgpu', device: 'webgpu:0', contender: 'webgpu/global-atomics' } as const
    const onWebGpu = <T extends { engine: unknown }>(one: T): T =>
      one.engine === 'cuda' ? { ...one, ...moved } : one
    show({ ...document, plan: document.plan.map(onWebGpu), rows: document.rows.map(onWebGpu) })
    const published = rowsOf('webgpu/global-atomics')[0]!.findAll('td').at(-1)!
    expect(published.text()).toBe('51.00 (CUDA)')
    expect(published.attributes('title')).toContain('Printed for CUDA 1. WebGPU stands in for CUDA')
  })

  it('says to what the published speed-ups refer', () => {
    show(document, 'cpu/fused')
    const head = table.find('[data-testid=bench-sort-published-speedup]')
    expect(head.text()).toContain('of the study')
    expect(head.attributes('title')).toContain('over its own baseline')
  })

  it('marks published times that are of more points than those here', () => {
    const heading = () => table.find('[data-testid=bench-sort-published]').text()
    show(document)
    expect(heading()).not.toContain('full size')
    table.unmount()
    show({ ...document, suite: { ...document.suite, scale: 0.1 } })
    expect(heading()).toContain('full size')
  })

  it('gives the level of the intervals, or says that levels differ', () => {
    show(document)
    const head = () => table.find('[data-testid=bench-sort-interval]').text()
    const level = /^Interval \((\d+) %\)/u.exec(head())?.[1]
    const shown = rowsOf('cpu/fused')[0]!.findAll('td')[columnAt('interval')]
    expect(shown?.attributes('title')).toContain(`${level} % interval`)
    table.unmount()
    show({
      ...document,
      rows: document.rows.map((row, i) => (i < 4 ? { ...row, totalsMs: row.totalsMs.slice(0, 2) } : row)),
    })
    expect(head()).toContain('levels differ')
  })

  it('sorts within a dataset and k, what has no number last', async () => {
    show(document)
    await table.find('[data-testid=bench-sort-median]').trigger('click')
    // One part a frame.
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame)
    const columns = table
      .findAll('[data-chunk]')
      .map((body) =>
        body
          .findAll('tr[data-testid]')
          .map((row) => row.attributes('data-testid')?.replace('bench-row-', '')),
      )
    expect(columns[0]).toEqual(['cuda:0/global-atomics', 'cpu/fused', 'cpu/sequential', 'outside/numpy'])
    expect(columns[1]?.at(-1)).toBe('cuda:0/global-atomics')
    expect(table.find('[aria-sort=ascending]').text()).toContain('Median')
  })

  it('reaches its last part also while changes come in every frame', async () => {
    show(document)
    const lastNames = () =>
      table
        .findAll('[data-chunk]')
        .at(-1)
        ?.findAll('tr[data-testid]')
        .map((row) => row.attributes('data-testid'))
    const planned = lastNames()
    // The next change is there before the next frame.
    vi.stubGlobal('requestAnimationFrame', () => 0)
    for (const key of ['median', 'mean', 'min', 'max']) {
      await table.find(`[data-testid=bench-sort-${key}]`).trigger('click')
    }
    vi.unstubAllGlobals()
    expect(lastNames()).toHaveLength(4)
    expect(lastNames()).not.toEqual(planned)
  })

  it('has a place for what is still to come', () => {
    show({ ...document, state: 'running', rows: document.rows.slice(0, 1) })
    const states = table.findAll('tr[data-state]').map((row) => row.attributes('data-state'))
    expect(states.slice(0, 3)).toEqual(['measured', 'running', 'waiting'])
    expect(table.text()).toContain('Waiting; about 100 ms')
  })
  it('draws of a long one what is near the sight, and keeps the room of the rest', async () => {
    installSight(700)
    vi.stubGlobal('requestAnimationFrame', (draw: () => void) => void Promise.resolve().then(draw))
    const sets = Array.from({ length: 300 }, (_, i) => `set ${i}`)
    const four = document.plan.slice(0, 4)
    const plan = sets.flatMap((dataset) => four.map((cell) => ({ ...cell, dataset })))
    const scrolls = window.document.createElement('div')
    scrolls.dataset['scrolls'] = ''
    show(
      { ...document, plan, rows: plan.map((cell, i) => ({ ...document.rows[i % 4]!, ...cell })) },
      undefined,
      scrolls,
    )
    const drawn = () => table.findAll('[data-chunk]').map((body) => Number(body.attributes('data-chunk')))
    const gaps = () => table.findAll('.bench-gap').map(({ element }) => element.parentElement?.style.height)
    await flushPromises()
    expect(drawn()).toEqual([0, 1, 2, 3])
    expect(gaps()).toEqual([`${296 * 132}px`])
    // As if 200 parts were above the sight.
    const beginning = table.find('[data-gap]').element
    vi.spyOn(beginning, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -200 * 132, 700, 0))
    scrolls.dispatchEvent(new Event('scroll'))
    await flushPromises()
    expect(drawn()).toEqual([196, 197, 198, 199, 200, 201, 202, 203])
    expect(gaps()).toEqual([`${196 * 132}px`, `${96 * 132}px`])
    expect(table.text()).toContain('set 200')
    vi.unstubAllGlobals()
  })
})
