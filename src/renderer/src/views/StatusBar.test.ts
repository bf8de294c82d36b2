import { flushPromises, mount } from '@vue/test-utils'
import { expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import { asked, iterationRow, record } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useDatasetStore } from '@/stores/dataset'
import { useExportingStore } from '@/stores/exporting'
import { useQuietStore } from '@/stores/quiet'
import { useRunStore } from '@/stores/run'
import StatusBar from './StatusBar.vue'

it('follows the comparison that runs', async () => {
  const { pinia } = freshWindow()
  useAppStore().hostState = { state: 'ready', pid: 1 }
  const benchmark = useBenchmarkStore()
  const bar = mount(StatusBar, { global: { plugins: [pinia] } })
  const says = async () => {
    await nextTick()
    return bar.find('.status-engine').text()
  }
  expect(await says()).toBe('Ready')
  benchmark.runningId = 'one'
  expect(await says()).toBe('Starting the comparison…')
  const cell = { dataset: 'iris.csv', k: 3, contender: 'cpu/fused' }
  const runs = { runsDone: 3, runs: 12, elapsedMs: 1, remainingMs: null }
  benchmark.progress = { kind: 'progress', benchId: 'one', cell, stage: 'measuring', ...runs, atMs: 0 }
  expect(await says()).toBe('Comparing execution times, 25 %')
  benchmark.pending = 'pausing'
  expect(await says()).toBe('Pausing the comparison…')
  benchmark.pending = null
  benchmark.runningId = null
  expect(await says()).toBe('Ready')
  bar.unmount()
})

it('says what runs, on what once that is known, and then what the result was made with', async () => {
  const { lab, pinia } = freshWindow({ 'run.start': () => ({ runId: 'run-1' }), 'run.cancel': () => null })
  useAppStore().hostState = { state: 'ready', pid: 1 }
  const run = useRunStore()
  run.subscribe()
  const bar = mount(StatusBar, { global: { plugins: [pinia] } })
  const says = async () => {
    await flushPromises()
    return bar.find('.status-engine').text()
  }
  const starting = run.start('data-1', asked({ k: 4 }))
  await nextTick()
  expect(bar.find('.status-engine').text()).toBe('Starting the run…')
  await starting
  expect(await says()).toBe('Clustering with k = 4: preparing the data')
  lab.emit('run.event', { kind: 'phase', runId: 'run-1', phase: 'seeding', restart: 0 })
  expect(await says()).toBe('Clustering with k = 4: choosing initial centroids')
  const where = { restart: 0, engine: 'webgpu', device: 'webgpu:0', variant: 'fused' } as const
  const rows = { rows: [iterationRow(1, 9)], centroids: null, elapsedMs: 1, threshold: 0 }
  lab.emit('run.event', { kind: 'iterations', runId: 'run-1', ...where, ...rows })
  expect(await says()).toBe('Clustering with k = 4 on WebGPU · fused: iterating')
  await run.cancel()
  expect(await says()).toBe('Cancelling the run…')
  lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record() })
  expect(await says()).toMatch(/^CPU · AMD EPYC .* · fused, tiled$/)
  const why = /· fused, tiled\. Few centroids: every distance is computed\.$/
  expect(bar.find('.status-engine').attributes('title')).toMatch(why)
  bar.unmount()
})

it('says why what was asked for waits while a run is timed, where it waits for long', async () => {
  vi.useFakeTimers()
  const { lab, pinia } = freshWindow()
  useQuietStore().subscribe()
  const bar = mount(StatusBar, { global: { plugins: [pinia] } })
  const saysAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return bar.find('[role=status]').text()
  }
  lab.emit('bench.quiet', { waiting: 1, resting: false })
  expect(await saysAfter(50)).toBe('')
  lab.emit('bench.quiet', { waiting: 2, resting: false })
  expect(await saysAfter(300)).toContain('your request starts after it')
  lab.emit('bench.quiet', { waiting: 0, resting: false })
  expect(await saysAfter(0)).toBe('')
  bar.unmount()
  vi.useRealTimers()
})

it('tells how far a file is that is read or written, with a way out that names it', async () => {
  const { lab, pinia } = freshWindow({
    'app.preview': () => new Promise(() => undefined),
    'app.cancel-open': () => null,
    'export.cancel': () => null,
  })
  useAppStore().hostState = { state: 'ready', pid: 1 }
  const dataset = useDatasetStore()
  dataset.subscribe()
  const exporting = useExportingStore()
  exporting.subscribe()
  const bar = mount(StatusBar, { global: { plugins: [pinia] } })
  const says = async () => {
    await flushPromises()
    return bar.find('.status-engine').text()
  }
  void dataset.open('token-1', 'large.csv')
  expect(await says()).toBe('Loading large.csv: Looking at the file…')
  lab.emit('dataset.progress', { path: '', rows: 1000, bytes: 2 ** 20, totalBytes: 2 ** 21 })
  expect(await says()).toMatch(/^Loading large\.csv: 1.000 rows so far, 1\.0 MiB of 2\.0 MiB \(50 %\)$/)
  expect(bar.find('[data-testid=status-cancel-loading]').attributes('aria-label')).toBe('Cancel loading')
  await bar.find('[data-testid=status-cancel-loading]').trigger('click')
  expect(await says()).toBe('Ready')
  void exporting.during('run-1', () => new Promise(() => undefined))
  expect(await says()).toBe('Exporting…')
  lab.emit('export.progress', { runId: 'run-1', kind: 'labels', rows: 50, totalRows: 200 })
  expect(await says()).toBe('Writing labels.csv: 50 of 200 rows (25 %)')
  await bar.find('[data-testid=cancel-export]').trigger('click')
  expect(await says()).toBe('Cancelling the export…')
  bar.unmount()
})
