import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { record } from '../../../test/fixtures'
import type { ListedRun, RunsRow } from '@/text/runs-list'
import RunsList from './RunsList.vue'

let list: VueWrapper
afterEach(() => list.unmount())

const listed = (id: string, totalMs: number, change: Partial<ListedRun> = {}): RunsRow => ({
  kind: 'run',
  points: '',
  run: {
    record: record({ id, timings: { ...record().timings, totalMs } }),
    ...{ datasetId: 'd1', number: 1, note: '', silhouette: null, mark: null, ...change },
  },
})
const head = (id: string, name: string): RunsRow => ({
  kind: 'dataset',
  group: { id, name, file: 'there' },
  runs: 1,
})

function show(rows: readonly RunsRow[], shown: string | null): void {
  const isOf = (row: RunsRow, id: string) => row.kind === 'run' && row.run.record.id === id
  list = mount(RunsList, {
    props: {
      ...{ rows, shown, open: 'd1' },
      onRemove: (id: string) => list.setProps({ rows: rows.filter((row) => !isOf(row, id)) }),
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
      /^More for the run #1 k 3/,
    )
    expect(item('a').findAll('[data-testid=run-menu]')).toHaveLength(1)
    await item('a').trigger('dragover')
    expect(item('a').classes()).toContain('run-under-file')
  })

  it('compares any run but the one shown', async () => {
    show([listed('b', 10), listed('a', 10)], 'b')
    expect(item('b').find('[data-testid=run-compare]').exists()).toBe(false)
    await item('a').find('[data-testid=run-compare]').trigger('click')
    expect(list.emitted('compare')).toEqual([['a']])
  })

  it('stand under their datasets: a run of another one shows it, and is not compared', async () => {
    show(
      [head('d1', 'iris.csv'), listed('b', 10), head('d2', 'wine.csv'), listed('a', 10, { datasetId: 'd2' })],
      'b',
    )
    expect(list.findAll('[data-testid=run-dataset]').map((one) => one.text())).toEqual([
      'iris.csv1 run',
      'wine.csv1 run',
    ])
    await item('a').find('[data-testid=run-show]').trigger('click')
    expect(list.emitted('show')).toEqual([['a', 'd2']])
    expect(item('a').find('[data-testid=run-compare]').exists()).toBe(false)
    await item('b').find('.run-show').trigger('keydown', { key: 'ArrowDown' })
    await flushPromises()
    expect(focused()).toBe('a')
    await list.findAll('[data-testid=run-dataset]')[1]?.trigger('click')
    expect(list.emitted('dataset')).toEqual([['d2']])
  })

  it('take a note in place: Enter keeps it, Escape the one before', async () => {
    show([listed('b', 10, { note: 'old' })], 'b')
    expect(item('b').text()).toContain('old')
    await item('b').find('.run-show').trigger('keydown', { key: 'F2' })
    const field = list.find<HTMLInputElement>('[data-testid=run-note-field]')
    expect(field.element.value).toBe('old')
    await field.setValue('the best one')
    await field.trigger('keydown', { key: 'Enter' })
    await flushPromises()
    expect(list.emitted('note')).toEqual([['b', 'the best one']])
    expect(focused()).toBe('b')
    await item('b').find('.run-show').trigger('keydown', { key: 'F2' })
    await list.find('[data-testid=run-note-field]').trigger('keydown', { key: 'Escape' })
    expect(list.emitted('note')).toHaveLength(1)
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
