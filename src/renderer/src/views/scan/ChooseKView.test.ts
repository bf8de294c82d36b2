import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installFakePainter } from '../../../test/fake-painter'
import type { FakeLab } from '../../../test/fake-lab'
import { record, summary } from '../../../test/fixtures'
import { channelsOf, freshWindow } from '../../../test/mount'
import { scanConfig, scannedK, scanRecord, scanRestart } from '../../../test/quality'
import { installSight } from '../../../test/sight'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { isStale, useRunStore } from '@/stores/run'
import { useScanStore } from '@/stores/scan'
import ChooseKView from './ChooseKView.vue'

let page: VueWrapper
let lab: FakeLab
const at = (testId: string) => page.find(`[data-testid="${testId}"]`)
const drawn = async () => {
  await flushPromises()
  await new Promise((resolve) => setTimeout(resolve, 200))
  await flushPromises()
}

beforeEach(async () => {
  installFakePainter()
  installSight(700)
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => setTimeout(act))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  const window = freshWindow({
    'app.open': () => summary(),
    'scan.list': () => [],
    'scan.start': () => ({ scanId: 'scan-1' }),
    'scan.cancel': () => null,
    'scan.resume': () => null,
    'scan.take': ({ k }) => ({ runId: `run-k${k}`, record: record({ id: `run-k${k}`, k }) }),
    'app.export-scan': () => ({ path: '/home/ada/scan.csv', bytes: 900 }),
  })
  lab = window.lab
  useAppStore().hostState = { state: 'ready', pid: 1 }
  const dataset = useDatasetStore()
  await dataset.open('s1', 'iris.csv')
  const loaded = dataset.summary ?? summary()
  useConfigStore().adopt(loaded)
  useRunStore().adopt(loaded.id)
  const scan = useScanStore()
  scan.subscribe()
  await scan.adopt(loaded.id)
  const main = document.createElement('main')
  document.body.append(main)
  page = mount(ChooseKView, { global: { plugins: [window.pinia] }, attachTo: main })
})
afterEach(() => {
  page.unmount()
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

async function scanned(change: Parameters<typeof scanRecord>[0] = {}): Promise<void> {
  await at('scan-start').trigger('click')
  await flushPromises()
  lab.emit('scan.event', { kind: 'done', scanId: 'scan-1', record: scanRecord(change) })
  await drawn()
}

describe('before a scan', () => {
  it('says what one does, and asks for what was typed', async () => {
    expect(at('scan-empty').text()).toContain('every k of a range')
    await at('scan-k-max').setValue('6')
    await at('scan-index-gap').setValue(true)
    await at('scan-start').trigger('click')
    await flushPromises()
    const asked = lab.asked.find(({ channel }) => channel === 'scan.start')?.params
    expect(asked).toMatchObject({
      datasetId: summary().id,
      config: { kMin: 2, kMax: 6, restarts: 10, indices: expect.arrayContaining(['gap']) as unknown },
    })
  })

  it('refuses a range that cannot be, in a sentence', async () => {
    await at('scan-k-max').setValue('1')
    expect(page.find('.field-error').text()).toBe('The largest k must be at least 2, the smallest.')
    expect(at('scan-start').attributes('disabled')).toBeDefined()
  })
})

describe('a scan under way', () => {
  it('shows how far it is, and what is finished', async () => {
    await at('scan-start').trigger('click')
    await flushPromises()
    lab.emit('scan.event', {
      ...{ kind: 'restart', scanId: 'scan-1', restart: scanRestart(2, 0, 152), done: 1, total: 90 },
    })
    const suggestions = { ...scanRecord().suggestions, knee: null }
    lab.emit('scan.event', { kind: 'k', scanId: 'scan-1', row: scannedK(2, 152), suggestions })
    await drawn()
    expect(at('scan-progress').text()).toContain('1 of 9 k, 1 of 90 restarts')
    expect(at('scan-row-2').exists()).toBe(true)
    await vi.waitFor(() => expect(page.findAll('[role=img]')).toHaveLength(4))
    await at('scan-cancel').trigger('click')
    expect(at('scan-progress').text()).toBe('Cancelling the scan…')
    const part = scanRecord({ rows: [scannedK(2, 152)], isComplete: false })
    lab.emit('scan.event', { kind: 'cancelled', scanId: 'scan-1', record: part })
    await drawn()
    expect(page.text()).toContain('(cancelled)')
    await at('scan-resume').trigger('click')
    await flushPromises()
    expect(channelsOf(lab)).toContain('scan.resume')
  })
})

describe('a finished scan', () => {
  it('names every rule, and takes a k over with its run and its settings', async () => {
    await scanned()
    expect(at('scan-suggestions').text()).toContain('knee at k = 3')
    expect(at('scan-agreement').text()).toContain('The rules name 2, 3 and 4')
    await at('scan-use-4').trigger('click')
    await drawn()
    const run = useRunStore()
    expect(run.result?.record.id).toBe('run-k4')
    expect(useConfigStore().draft).toMatchObject({ k: '4', nInit: '2' })
    expect(at('scan-row-4').text()).toContain('in use')
    await at('scan-use-2').trigger('click')
    await drawn()
    await at('scan-use-4').trigger('click')
    await drawn()
    expect(run.results.map((one) => one.record.id)).toEqual(['run-k2', 'run-k4'])
    expect(run.result?.record.id).toBe('run-k4')
  })

  it('keeps the keys where they are: the next button has them, then the word that k is in use', async () => {
    const start = at('scan-start').element as HTMLElement
    start.focus()
    start.click()
    await flushPromises()
    expect(document.activeElement?.getAttribute('data-testid')).toBe('scan-cancel')
    lab.emit('scan.event', { kind: 'done', scanId: 'scan-1', record: scanRecord() })
    await drawn()
    expect(document.activeElement?.getAttribute('data-testid')).toBe('scan-start')
    const use = at('scan-use-4').element as HTMLElement
    use.focus()
    use.click()
    await drawn()
    expect(document.activeElement?.textContent).toBe('in use')
    expect(document.activeElement?.closest('tr')).toBe(at('scan-row-4').element)
  })

  it('takes over what would make the same run again, so that it does not count as changed', async () => {
    await scanned({ config: scanConfig({ run: useConfigStore().config }) })
    await at('scan-use-3').trigger('click')
    await drawn()
    expect(isStale(useRunStore().result, useConfigStore().config)).toBe(false)
  })

  it('says when rows, features or scaling are others now', async () => {
    await scanned({ config: scanConfig({ run: useConfigStore().config }) })
    expect(at('scan-stale').exists()).toBe(false)
    useConfigStore().draft.scaling = 'standardise'
    await flushPromises()
    expect(at('scan-stale').text()).toContain('scan again')
  })

  it('is saved', async () => {
    await scanned()
    await at('export-scan').trigger('click')
    await flushPromises()
    expect(lab.asked.at(-1)).toMatchObject({ channel: 'app.export-scan', params: { scanId: 'scan-1' } })
    expect(useAppStore().message).toBe('Saved scan.csv (900 B)')
  })

  it('looks at one k in all curves', async () => {
    await scanned()
    await at('scan-row-3').trigger('click')
    expect(at('scan-row-3').classes()).toContain('scan-chosen')
    const plot = page.find('[role=img]')
    await plot.trigger('keydown', { key: 'End' })
    await plot.trigger('keydown', { key: 'Enter' })
    expect(at('scan-row-4').classes()).toContain('scan-chosen')
  })
})
