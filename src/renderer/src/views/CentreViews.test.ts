import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installFakePainter } from '../../test/fake-painter'
import { asked, iterationRow, record, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { installSight } from '../../test/sight'
import { useDatasetStore } from '@/stores/dataset'
import { useFiguresStore } from '@/stores/figures'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useSettingsStore } from '@/stores/settings'
import { useStepsStore } from '@/stores/steps'
import { useTimelineStore } from '@/stores/timeline'
import CentreViews from './CentreViews.vue'

let page: VueWrapper
beforeEach(() => {
  installFakePainter()
  installSight(700)
})
afterEach(() => {
  page.unmount()
  document.body.innerHTML = ''
})

/** A finished run; the views of the tabs that `stubs` names are not mounted, as those of a tab that is not chosen. */
async function showRun(
  view: 'clusters' | 'steps',
  stubs: readonly string[],
  config = asked({ history: true, centroidHistory: true }),
) {
  const { lab, pinia } = freshWindow({ 'app.open': () => summary(), 'steps.close': () => null })
  const main = document.createElement('main')
  document.body.append(main)
  useSettingsStore().values.view = view
  const dataset = useDatasetStore()
  await dataset.open('s1', 'iris.csv')
  const loaded = dataset.summary ?? summary()
  await usePointsStore().adopt(loaded)
  page = mount(CentreViews, { global: { plugins: [pinia], stubs: [...stubs] }, attachTo: main })
  const history = Array.from({ length: 12 }, (_, i) => iterationRow(i + 1, 100 - i))
  const done = record({ k: 3, iterations: 12, history, config })
  useRunStore().result = { record: done, datasetId: loaded.id, asked: config }
  await useTimelineStore().adopt(done, loaded.rows)
  await flushPromises()
  return lab
}

const names = () => useFiguresStore().ofResult.map(({ name }) => name)
async function drawing(name: 'clusters' | 'steps') {
  const { bytes } = await useFiguresStore().entry(name)!.image('svg')
  return new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'image/svg+xml')
}
const all = ['clusters', 'inertia', 'shift', 'changed', 'steps']

describe('the plots of a result', () => {
  it('are all there though none is on screen', async () => {
    await showRun('clusters', ['ClustersView', 'StepsView'])
    expect(names()).toEqual(all)
    const clusters = await drawing('clusters')
    expect(clusters.documentElement.textContent).toContain('sepal_width against sepal_length')
    expect(clusters.querySelectorAll('[clip-path] circle, [clip-path] path').length).toBeGreaterThan(150)
    const steps = await drawing('steps')
    expect(steps.querySelectorAll('clipPath')).toHaveLength(6)
    // 150 points and a centroid of each shape, six times over: the places of centroids were waited for.
    expect(steps.querySelectorAll('[clip-path] circle, [clip-path] path')).toHaveLength(6 * (150 + 3 + 3))
  })

  it('are the ones on screen where there are such, and all there when the tab is left', async () => {
    await showRun('steps', ['ClustersView'])
    expect(names()).toEqual(all)
    const shown = useFiguresStore().entry('steps')
    useSettingsStore().values.view = 'clusters'
    await flushPromises()
    expect(names()).toEqual(all)
    expect(useFiguresStore().entry('steps')).not.toBe(shown)
  })

  it('are those of the result also while another folder is shown', async () => {
    await showRun('steps', ['ClustersView'])
    const folder = { id: 'f', name: 'mine', features: ['a', 'b'], ranges: [], steps: [] }
    useStepsStore().folder = folder
    await flushPromises()
    const { entry, ofResult } = useFiguresStore()
    expect(names()).toEqual(all)
    expect(ofResult.at(-1)).not.toBe(entry('steps'))
  })

  it('have no steps where no centroids were kept', async () => {
    await showRun('steps', ['ClustersView'], asked({ history: true, centroidHistory: false }))
    expect(names()).toEqual(['clusters', 'inertia', 'shift', 'changed'])
  })
})
