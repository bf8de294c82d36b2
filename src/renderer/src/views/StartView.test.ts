import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { LabError } from '@shared/errors'
import { afterEach, describe, expect, it } from 'vitest'
import { channelsOf, freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useDatasetStore } from '@/stores/dataset'
import StartView from './StartView.vue'

let view: VueWrapper

afterEach(() => view.unmount())
const at = (id: string) => view.find(`[data-testid="${id}"]`)

async function start(answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab, pinia } = freshWindow(answers)
  await useAppStore().start(() => undefined)
  useDatasetStore().subscribe()
  view = mount(StartView, { global: { plugins: [pinia] } })
  return lab
}

describe('the first screen', () => {
  it('says in one sentence that a recent file is gone, and keeps it in reach', async () => {
    await start({
      'app.preview': () => {
        throw new LabError('input', 'csv.not-found', 'The file old.csv does not exist: choose another file.')
      },
    })
    await at('recent-measurements 2024.csv').trigger('click')
    await flushPromises()
    expect(at('error-message').text()).toBe('The file old.csv does not exist: choose another file.')
    expect(at('import-again').exists()).toBe(false)
    expect(at('recent-measurements 2024.csv').text()).toContain('/home/ada/data')
  })

  it('leads from a refused file back to how it is read', async () => {
    await start({
      'app.open': () => {
        throw new LabError('input', 'csv.ragged', 'In odd.csv 5 of 7 rows have another number of cells.')
      },
    })
    await at('sample-iris.csv').trigger('click')
    await flushPromises()
    await at('import-again').trigger('click')
    expect(useDatasetStore().review).toMatchObject({ source: { token: 's1' }, again: false })
  })

  it('opens a folder of steps as well', async () => {
    const lab = await start({ 'app.choose-steps': () => null })
    await at('open-steps').trigger('click')
    expect(channelsOf(lab)).toContain('app.choose-steps')
  })

  it('has the files of whoever comes back before the samples', async () => {
    await start()
    expect(view.findAll('.start-lists h2').map((title) => title.attributes('id'))).toEqual([
      'recent-title',
      'samples-title',
    ])
  })

  it('clears the recent files, and follows the menu when that does', async () => {
    let recent = [{ token: 'r1', name: 'old.csv', folder: '/data', kind: 'file' as const }]
    const lab = await start({
      'app.recent': () => recent,
      'app.forget-recent': () => {
        recent = []
        return null
      },
    })
    await at('clear-recent').trigger('click')
    await flushPromises()
    expect(channelsOf(lab)).toContain('app.forget-recent')
    expect(at('recent-old.csv').exists()).toBe(false)
    lab.emit('app.recent-changed', [{ token: 'r2', name: 'new.csv', folder: '/data', kind: 'file' }])
    await flushPromises()
    expect(at('recent-new.csv').exists()).toBe(true)
  })

  it('offers what was worked on before, and discards it only when asked twice', async () => {
    const session = { name: 'iris.csv', folder: '/data', lastUsed: '2026-01-02T10:00:00Z', isCutOff: false }
    let kept = [1, 2, 3, 4].map((runs) => ({ ...session, id: `d${runs}`, name: `file ${runs}.csv`, runs }))
    const lab = await start({
      'app.kept-sessions': () => kept,
      'app.continue-session': () => null,
      'app.discard-session': ({ id }) => {
        kept = kept.filter((each) => each.id !== id)
        return null
      },
    })
    await flushPromises()
    expect(at('kept-sessions').text()).toContain('3 runs')
    expect(at('kept-file 4.csv').exists()).toBe(false)
    await at('kept-all').trigger('click')
    expect(at('kept-file 4.csv').exists()).toBe(true)
    await at('kept-file 2.csv').trigger('click')
    expect(lab.asked.at(-1)).toEqual({ channel: 'app.continue-session', params: { id: 'd2' } })
    await at('discard-file 1.csv').trigger('click')
    expect(channelsOf(lab)).not.toContain('app.discard-session')
    expect(at('discard-file 1.csv').text()).toBe('Discard permanently')
    // A hand that goes elsewhere did not mean it.
    await at('discard-file 1.csv').trigger('blur')
    expect(at('discard-file 1.csv').text()).toBe('Discard')
    await at('discard-file 1.csv').trigger('click')
    await at('discard-file 1.csv').trigger('click')
    await flushPromises()
    expect(at('kept-file 1.csv').exists()).toBe(false)
    expect(at('kept-file 2.csv').exists()).toBe(true)
  })

  it('tells how far loading is, in rows, bytes and a share, and lets it be stopped', async () => {
    const lab = await start({ 'app.open': () => new Promise(() => undefined) })
    await at('sample-iris.csv').trigger('click')
    await flushPromises()
    expect(at('loading').text()).toContain('Looking at the file…')
    lab.emit('dataset.progress', { path: '', rows: 120_000, bytes: 3 * 2 ** 20, totalBytes: 12 * 2 ** 20 })
    await flushPromises()
    expect(at('loading').text()).toContain('120\u202f000 rows so far, 3.0 MiB of 12 MiB (25 %)')
    expect(view.find('progress').attributes('value')).toBe('0.25')
    await at('cancel-loading').trigger('click')
    expect(at('drop-zone').exists()).toBe(true)
    expect(channelsOf(lab)).toContain('app.cancel-open')
  })
})
