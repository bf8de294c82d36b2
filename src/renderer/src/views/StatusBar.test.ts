import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import { nextTick } from 'vue'
import { freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
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
