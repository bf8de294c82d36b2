import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { record, summary } from '../../../test/fixtures'
import RunsList, { type ListedRun } from './RunsList.vue'

let list: VueWrapper
afterEach(() => list.unmount())

const listed = (id: string, totalMs: number, change: Partial<ListedRun> = {}): ListedRun => ({
  record: record({ id, timings: { ...record().timings, totalMs } }),
  open: true,
  mark: null,
  ...change,
})

function show(runs: readonly ListedRun[], shown: string | null): void {
  list = mount(RunsList, {
    props: {
      runs,
      shown,
      onRemove: (id: string) => list.setProps({ runs: runs.filter(({ record: one }) => one.id !== id) }),
    },
    attachTo: document.body,
  })
}

const item = (id: string) => list.find(`[data-run="${id}"]`)
const focused = () => document.activeElement?.closest('[data-run]')?.getAttribute('data-run')

describe('the runs of the session', () => {
  it('shows times on one scale and marks the run shown', () => {
    show([listed('c', 50), listed('b', 100), listed('a', 25)], 'b')
    const widths = list.findAll('.run-bar-time').map((bar) => bar.attributes('style'))
    expect(widths).toEqual(['width: 50%;', 'width: 100%;', 'width: 25%;'])
    expect(list.findAll('[aria-current=true]').map((button) => button.text())).toHaveLength(1)
    expect(item('b').find('[aria-current=true]').exists()).toBe(true)
  })

  it('shows that a run was verified, and what else can be done with it', async () => {
    const mark = { verdict: 'identical', at: '2026-01-02T03:04:05Z', resultSha256: 'ab'.repeat(32) } as const
    show([listed('b', 10, { mark }), listed('a', 10)], 'b')
    const marked = item('b').find('[data-testid=verified-mark]')
    expect(marked.attributes('aria-label')).toBe('Verified: identical, result SHA-256 abababababab…')
    expect(marked.attributes('title')).toContain('ab'.repeat(32))
    expect(item('a').find('[data-testid=verified-mark]').exists()).toBe(false)
    expect(item('a').find('[data-testid=run-menu]').attributes('aria-label')).toMatch(
      /^More for the run with k 3/,
    )
    await item('a').trigger('dragover')
    expect(item('a').classes()).toContain('run-under-file')
  })

  it('compares any run but the one shown', async () => {
    show([listed('b', 10), listed('a', 10)], 'b')
    expect(item('b').find('[data-testid=run-compare]').exists()).toBe(false)
    await item('a').find('[data-testid=run-compare]').trigger('click')
    expect(list.emitted('compare')).toEqual([['a']])
  })

  it('says why a run of a file that is not open cannot be shown, and does not show it', async () => {
    const other = record({ id: 'a', file: { ...summary().file, name: 'wine.csv' } })
    show([listed('b', 10), { record: other, open: false, mark: null }], 'b')
    expect(item('a').text()).toContain('of wine.csv, opened before')
    expect(item('a').find('[data-testid=run-show]').attributes('title')).toContain(
      'open the file and run again',
    )
    expect(item('a').text()).toContain('2.12 ms')
    await item('a').find('[data-testid=run-show]').trigger('click')
    expect(list.emitted('show')).toBeUndefined()
    expect(item('a').find('[data-testid=run-compare]').exists()).toBe(false)
  })

  it('is walked by the arrow keys with one stop for the tab key, and emptied by Delete', async () => {
    show([listed('c', 10), listed('b', 10), listed('a', 10)], 'c')
    const stops = () => list.findAll('button.run-show[tabindex="0"]').length
    expect(stops()).toBe(1)
    await item('c').find('.run-show').trigger('keydown', { key: 'ArrowDown' })
    await flushPromises()
    expect(focused()).toBe('b')
    expect(stops()).toBe(1)
    await item('b').find('.run-show').trigger('keydown', { key: 'Delete' })
    await flushPromises()
    expect(list.emitted('remove')).toEqual([['b']])
    expect(focused()).toBe('a')
  })

  it('draws only the runs in sight of a long session', () => {
    show(
      Array.from({ length: 2000 }, (_, i) => listed(`run-${i}`, 1 + i)),
      'run-0',
    )
    expect(list.findAll('[data-run]').length).toBeLessThan(60)
  })
})
