import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LabError } from '@shared/errors'
import { installFakePainter } from '../../../test/fake-painter'
import type { FakeLab, FakeOptions } from '../../../test/fake-lab'
import { column, irisColumns, record, summary } from '../../../test/fixtures'
import { channelsOf, freshWindow } from '../../../test/mount'
import { crossTable, engineProfile, scanRecord } from '../../../test/quality'
import { installSight } from '../../../test/sight'
import { useColouringStore } from '@/stores/colouring'
import { useDatasetStore } from '@/stores/dataset'
import { useProfileChoicesStore, type ProfilePart } from '@/stores/profile-choices'
import { useProfileStore } from '@/stores/profile'
import { useRunStore } from '@/stores/run'
import { useScanStore } from '@/stores/scan'
import { useSettingsStore } from '@/stores/settings'
import { useViewPlots } from '../view-plots'
import ProfilesView from './ProfilesView.vue'

let page: VueWrapper
let lab: FakeLab
const at = (testId: string) => page.find(`[data-testid="${testId}"]`)
const classes = column(4, 'species', { type: 'categorical', proposed: false, categories: 2 })

afterEach(() => {
  page.unmount()
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

async function show(part: ProfilePart, answers: FakeOptions['answers'] = {}, withClasses = true) {
  installFakePainter()
  installSight(700)
  const columns = withClasses ? [...irisColumns.slice(0, 4), classes] : irisColumns.slice(0, 4)
  const window = freshWindow({
    'app.open': () => summary({ columns }),
    'run.profile': () => engineProfile(),
    'run.silhouettes': () => ({
      ...{ mean: 0.5, standardError: null, points: 150 },
      clusters: [0, 1].map((cluster) => ({ cluster, size: 75, mean: 0.5 + cluster / 10 })),
    }),
    'run.cancel-silhouettes': () => null,
    'run.silhouette-values': ({ count }) => ({ values: new Float32Array(count).fill(0.4) }),
    'run.cross-table': () => crossTable(),
    'dataset.categories': () => ['setosa', 'virginica'],
    'dataset.category-codes': ({ count }) => ({ codes: new Int32Array(count) }),
    ...answers,
  })
  lab = window.lab
  const dataset = useDatasetStore()
  await dataset.open('s1', 'iris.csv')
  useColouringStore().adopt(dataset.summary!)
  useProfileStore().subscribe()
  useProfileChoicesStore().part = part
  const main = document.createElement('main')
  document.body.append(main)
  page = mount(ProfilesView, { global: { plugins: [window.pinia] }, attachTo: main })
  const done = record({ k: 2 })
  useRunStore().result = { record: done, datasetId: dataset.summary!.id, asked: done.config }
  await flushPromises()
  await flushPromises()
}

describe('a profile that takes its time', () => {
  it('shows its share, and is computed again after a cancel', async () => {
    let fail = (_: unknown): void => undefined
    let slow = true
    await show('summary', {
      'run.profile': () => (slow ? new Promise((_, reject) => (fail = reject)) : engineProfile()),
      'run.cancel-profile': () => null,
    })
    expect(at('profile-progress').text()).toContain('Computing the profiles…')
    lab.emit('run.quality-progress', { runId: 'run-1', what: 'silhouettes', share: 0.9 })
    await flushPromises()
    expect(page.find('[data-testid=profile-cancel]').exists()).toBe(false)
    lab.emit('run.quality-progress', { runId: 'run-1', what: 'profile', share: 0.25 })
    await flushPromises()
    expect(at('profile-progress').text()).toContain('25.0 % of the features')
    await at('profile-cancel').trigger('click')
    expect(lab.asked.at(-1)).toEqual({ channel: 'run.cancel-profile', params: { runId: 'run-1' } })
    fail(new LabError('cancelled', 'cancelled', 'Cancelled.'))
    await flushPromises()
    slow = false
    await at('profile-again').trigger('click')
    await flushPromises()
    expect(page.find('[data-testid=card-profile-heatmap]').exists()).toBe(true)
  })
})

describe('the plots of the views', () => {
  it('are there for an export of everything, whatever is on screen', async () => {
    await show('statistics')
    const scan = useScanStore()
    const done = useRunStore().result!.record
    const names = async () => (await useViewPlots()(done)).map(({ name }) => name)
    expect(await names()).toEqual(['profile-heatmap', 'profile-parallel', 'profile-silhouette'])
    scan.shown = { ...scanRecord(), pending: [] }
    expect(await names()).toEqual([
      ...['scan-inertia', 'scan-silhouette', 'scan-calinski-harabasz', 'scan-davies-bouldin'],
      ...['profile-heatmap', 'profile-parallel', 'profile-silhouette'],
    ])
    const { bytes } = await (await useViewPlots()(done))[0]!.image('svg')
    expect(new TextDecoder().decode(bytes)).toContain('Inertia over k: iris.csv')
  })
})

describe('the summary', () => {
  it('says of each cluster what sets it apart, its neighbour and its silhouette', async () => {
    await show('summary')
    const words = at('sentence-0').text().replace(/\s+/g, ' ')
    expect(words).toContain('Cluster 0 (50 rows, 33.3 %): petal length 1.000 cm against 4.000 cm elsewhere')
    expect(at('cluster-sentences').text()).toContain('Nearest: cluster 1, 3.200 away. Silhouette 0.500.')
    expect(page.find('[data-testid=card-profile-heatmap]').exists()).toBe(true)
  })

  it('is that of the result on screen, asked for once', async () => {
    await show('summary')
    const count = () => channelsOf(lab).filter((channel) => channel === 'run.profile').length
    expect(count()).toBe(1)
    const next = record({ id: 'run-2', k: 2 })
    const passed = record({ id: 'run-1b', k: 2 })
    for (const one of [passed, next])
      useRunStore().result = { record: one, datasetId: 'data-1', asked: next.config }
    await flushPromises()
    // What is shown stays until the new one rests.
    expect(at('cluster-sentences').exists()).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await flushPromises()
    expect([count(), at('profiles-view').attributes('data-result')]).toEqual([2, 'run-2'])
  })

  it('asks until it has all clusters', async () => {
    const one = (start: number) => engineProfile({ start, count: 1 })
    await show('summary', { 'run.profile': ({ start }) => one(start) })
    expect(page.findAll('.cluster-sentence')).toHaveLength(2)
  })

  it('says what went wrong, and tries again', async () => {
    let broken = true
    const answer = () => {
      if (broken) throw new LabError('internal', 'x', 'The file has changed.')
      return engineProfile()
    }
    await show('summary', { 'run.profile': answer })
    expect(page.text()).toContain('The file has changed.')
    broken = false
    await at('profile-again').trigger('click')
    await flushPromises()
    expect(at('cluster-sentences').exists()).toBe(true)
  })

  it('says how to come to clusters where there are none', async () => {
    await show('summary')
    useRunStore().result = null
    await flushPromises()
    expect(at('profiles-empty').text()).toContain('choose k and press Run')
  })
})

describe('the other parts', () => {
  it('have statistics in units of the file or standardised', async () => {
    await show('statistics')
    expect(at('profile-table').text()).toContain('1.000 ± 0.500')
    await at('units-standardised').setValue(true)
    expect(at('profile-table').text()).toContain('-2.000 ± 0.500')
    await at('profile-statistic').setValue('quartiles')
    expect(at('profile-table').text()).toContain('-2.250 to -1.750')
  })

  it('plot the features that are ticked', async () => {
    await show('plots')
    expect(page.findAll('[data-testid^=card-profile-box]')).toHaveLength(3)
    await page.findAll('.feature-ticks input')[2]!.setValue(false)
    expect(page.findAll('[data-testid^=card-profile-box]')).toHaveLength(2)
  })

  it('say whether silhouettes are exact, and compute them exactly on request', async () => {
    let asked = ''
    await show('silhouettes', {
      'run.silhouettes': ({ extent }) => {
        asked = extent
        const error = extent === 'exact' ? null : 0.002
        return {
          mean: 0.5,
          standardError: error,
          points: 90,
          clusters: [{ cluster: 0, size: 90, mean: 0.5 }],
        }
      },
    })
    expect(page.text()).toContain('From a sample of 90 rows, standard error 0.002000')
    await at('silhouette-exact').trigger('click')
    await flushPromises()
    expect([asked, page.text().includes('Exact, over every pair of 90 rows')]).toEqual(['exact', true])
  })

  it('cross the clusters with known classes, and colour the plot by them', async () => {
    await show('classes')
    expect(at('cross-measures').text()).toContain('0.7123')
    expect(at('cross-table').text()).toContain('96.0 %')
    expect(page.text()).toContain('Cluster 0: mostly setosa, 48 of 50 rows (96.0 %).')
    await at('colour-by-class').trigger('click')
    await flushPromises()
    expect(useColouringStore().classes?.texts).toEqual(['setosa', 'virginica'])
    expect(useColouringStore().palette?.name(1)).toBe('virginica')
    expect(useSettingsStore().values.view).toBe('clusters')
  })

  it('say that a file has no classes', async () => {
    await show('classes', {}, false)
    expect(at('no-classes').text()).toContain('no column of texts that repeat')
  })
})
