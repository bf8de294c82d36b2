import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import type { StepsFolder } from '@shared/steps'
import { painted, installFakePainter } from '../../test/fake-painter'
import { iterationRow, record, summary } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
import { installSight, see } from '../../test/sight'
import { useAppStore } from '@/stores/app'
import { useDatasetStore } from '@/stores/dataset'
import { useFiguresStore } from '@/stores/figures'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useSettingsStore } from '@/stores/settings'
import { useStepsStore } from '@/stores/steps'
import { useTimelineStore } from '@/stores/timeline'
import StepsView from './StepsView.vue'

const folder: StepsFolder = {
  id: 'steps-1',
  name: 'my steps',
  features: ['length', 'width', 'height'],
  ranges: [
    { min: 0, max: 10 },
    { min: 0, max: 5 },
    { min: -1, max: 1 },
  ],
  steps: [1, 2].map((iteration) => ({
    iteration,
    points: 4,
    clusters: [0, 2],
    centroids: [
      [1, 2, 0],
      [9, 4, 0.5],
    ],
  })),
}

const folderAnswers = {
  'app.choose-steps': () => ({ token: 'f1', name: 'my steps', kind: 'folder' }),
  'app.open-steps': () => folder,
  'steps.values': ({ count }: { count: number }) => ({
    values: Float32Array.from({ length: count }, (_, row) => row),
    offset: 0,
    exponent: 0,
  }),
  'steps.labels': ({ count }: { count: number }) => ({
    labels: Int32Array.from({ length: count }, (_, row) => (row % 2) * 2),
  }),
  'steps.close': () => null,
} as const

let page: VueWrapper
const at = (id: string) => page.find(`[data-testid="${id}"]`)
const panels = () => page.findAll('[data-testid^="step-"][data-drawn]')
const sizeOfK3 = { k: 3, iterations: 12 }

function show(answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab, pinia } = freshWindow({ 'app.open': () => summary(), ...answers })
  const main = document.createElement('main')
  document.body.append(main)
  page = mount(StepsView, { global: { plugins: [pinia] }, attachTo: main })
  return lab
}

/** A finished run of twelve iterations on the sample. */
async function showRun(answers: Parameters<typeof freshWindow>[0] = {}) {
  const lab = show(answers)
  const history = Array.from({ length: 12 }, (_, i) => iterationRow(i + 1, 100 - i))
  const config = { ...record().config, centroidHistory: true }
  const done = record({ ...sizeOfK3, history, config })
  const dataset = useDatasetStore()
  await dataset.open('s1', 'iris.csv')
  const loaded = dataset.summary ?? summary()
  await usePointsStore().adopt(loaded)
  useRunStore().result = { record: done, datasetId: loaded.id, asked: config }
  await useTimelineStore().adopt(done, loaded.rows)
  await flushPromises()
  return lab
}

async function inSight(from: number, to: number): Promise<void> {
  see(
    panels()
      .slice(from, to)
      .map(({ element }) => element),
  )
  await flushPromises()
}

beforeEach(() => {
  installFakePainter()
  installSight(700)
})
afterEach(() => {
  page.unmount()
  document.body.innerHTML = ''
})

describe('the steps of a run', () => {
  it('stand side by side with what each iteration came to, as many as were asked for', async () => {
    await showRun()
    expect(panels()).toHaveLength(6)
    expect(panels()[2]?.text()).toContain('Iteration 3')
    expect(panels()[2]?.text()).toContain('inertia 98')
    expect(panels()[2]?.text()).toContain('10 points changed')
    expect(at('steps-title').text()).toBe('Iterations 1 to 6 of 12: sepal_width against sepal_length')
    await at('step-count').setValue('2')
    expect(panels()).toHaveLength(2)
    expect(useSettingsStore().values.stepCount).toBe(2)
  })

  it('say what is wrong with a number and keep what is shown', async () => {
    await showRun()
    await at('step-count').setValue('65')
    expect(page.text()).toContain('Give a whole number from 1 to 64.')
    expect(panels()).toHaveLength(6)
  })

  it('are drawn when they come into sight and not before, each with its own labels', async () => {
    const lab = await showRun()
    const asked = () =>
      lab.asked
        .filter(({ channel }) => channel === 'run.iteration-labels')
        .map(({ params }) => (params as { iteration: number }).iteration)
    expect(painted).toHaveLength(0)
    await inSight(0, 2)
    expect(asked()).toEqual([1, 2])
    expect(painted.map(({ drawn }) => drawn)).toEqual([150, 150])
    expect(painted[0]?.pixels).not.toEqual(painted[1]?.pixels)
    expect(panels().map((panel) => panel.attributes('data-drawn'))).toEqual([
      ...['true', 'true'],
      ...['false', 'false', 'false', 'false'],
    ])
  })

  it('have one scale, and the centroids of their own iteration where that scale says', async () => {
    await showRun({
      'run.trail': ({ start, count }) => ({
        kept: 13,
        values: Float64Array.from({ length: Math.min(count, 13 - start) * 6 }, (_, i) =>
          i % 2 === 0 ? 4.3 + (start + Math.floor(i / 6)) * 0.3 : 2,
        ),
      }),
    })
    await inSight(0, 3)
    const [first, , third] = painted.map(({ picture }) => picture)
    expect(first?.view).toEqual(third?.view)
    const { minX = 0, maxX = 1, width = 1 } = first?.view ?? {}
    // Columns come relative to an offset of 3.
    const pixel = (value: number) => (width * (value - 3 - minX)) / (maxX - minX)
    expect(first?.marks?.spots[0]?.left).toBeCloseTo(pixel(4.6), 3)
    expect(third?.marks?.spots[0]?.left).toBeCloseTo(pixel(5.2), 3)
    expect(first?.marks?.spots.map(({ shape }) => shape)).toEqual(['circle', 'square', 'triangle'])
  })

  it('lead to the iteration in the time line', async () => {
    await showRun()
    await panels()[3]?.find('button').trigger('click')
    expect(page.emitted('open')).toEqual([[4]])
  })

  it('are saved as pairs of files', async () => {
    const lab = await showRun({ 'app.export-steps': () => ({ folder: '/home/ada/steps', files: 12 }) })
    await at('export-steps').trigger('click')
    await flushPromises()
    expect(lab.asked).toContainEqual({
      channel: 'app.export-steps',
      params: { runId: 'run-1', steps: 6 },
    })
    expect(useAppStore().message).toBe('Saved 12 files into steps')
  })

  it('are one figure, all panels and not only those in sight', async () => {
    await showRun()
    const { list } = useFiguresStore()
    expect(list.map(({ name }) => name)).toEqual(['steps'])
    const { bytes } = await list[0]!.image('svg')
    const drawn = new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'image/svg+xml')
    expect(drawn.querySelectorAll('clipPath')).toHaveLength(6)
    expect(drawn.documentElement.textContent).toContain('Iteration 6')
    // 150 points and a centroid of each shape, six times over.
    const shapes = drawn.querySelectorAll('[clip-path] circle, [clip-path] path')
    expect(shapes.length).toBe(6 * (150 + 3 + 3))
  })

  it('show the sentence of an iteration that cannot be had, and the others', async () => {
    const gone = new LabError('input', 'run.iteration', 'Iteration 2 of this result was not kept.')
    await showRun({
      'run.iteration-labels': ({ iteration, count }) => {
        if (iteration === 2) throw gone
        return { labels: new Int32Array(count) }
      },
    })
    await inSight(0, 3)
    expect(panels()[1]?.text()).toContain('Iteration 2 of this result was not kept.')
    expect(panels()[2]?.attributes('data-drawn')).toBe('true')
  })
})

describe('without iterations', () => {
  it('the view says what to do, and does it', async () => {
    const lab = show()
    expect(at('steps-empty').text()).toContain('Open a file')
    const dataset = useDatasetStore()
    await dataset.open('s1', 'iris.csv')
    await flushPromises()
    expect(at('steps-empty').text()).toContain('Run the clustering')
    const config = { ...record().config, centroidHistory: false }
    useRunStore().result = { record: record({ config }), datasetId: 'data-1', asked: config }
    await flushPromises()
    expect(at('steps-empty').text()).toContain('kept no centroids')
    useAppStore().hostState = { state: 'ready', pid: 1 }
    await flushPromises()
    await at('run-with-history').trigger('click')
    await flushPromises()
    const asked = lab.asked.find(({ channel }) => channel === 'run.start')?.params
    expect(asked).toMatchObject({ config: { history: true, centroidHistory: true } })
    expect(at('open-steps').exists()).toBe(true)
  })
})

describe('a folder of step pairs', () => {
  const chosen = { token: 'f1', name: 'my steps', kind: 'folder' } as const

  it('is shown on the axes that are chosen, and closed again', async () => {
    const lab = show(folderAnswers)
    await at('open-steps').trigger('click')
    await flushPromises()
    expect(at('steps-title').text()).toBe('2 iterations in my steps: width against length')
    expect(useSettingsStore().values.view).toBe('steps')
    await inSight(0, 1)
    expect(painted.at(-1)?.drawn).toBe(4)
    expect(painted.at(-1)?.picture.marks?.spots).toHaveLength(2)
    await at('steps-axis-y').setValue('2')
    await flushPromises()
    expect(at('steps-title').text()).toContain('height against length')
    expect(lab.asked.findLast(({ channel }) => channel === 'steps.values')?.params).toMatchObject({
      step: 0,
      feature: 2,
    })
    await at('close-steps').trigger('click')
    expect(lab.asked.at(-1)).toEqual({ channel: 'steps.close', params: { stepsId: 'steps-1' } })
    expect(at('steps-empty').exists()).toBe(true)
  })

  it('opens when it is dropped, above a result that stays', async () => {
    await showRun(folderAnswers)
    useStepsStore()
    useDatasetStore().folder = chosen
    await flushPromises()
    expect(panels()).toHaveLength(2)
    expect(at('step-1').find('button').exists()).toBe(false)
    useStepsStore().close()
    await flushPromises()
    expect(panels()).toHaveLength(6)
  })

  it('that cannot be read leaves the one on screen', async () => {
    let broken = false
    const lab = show({
      ...folderAnswers,
      'app.open-steps': () => {
        if (broken) throw new LabError('input', 'steps.none', 'This folder holds no step pairs.')
        return folder
      },
    })
    await useStepsStore().open(chosen)
    broken = true
    await useStepsStore().open(chosen)
    await flushPromises()
    expect(useAppStore().error?.message).toBe('This folder holds no step pairs.')
    expect(panels()).toHaveLength(2)
    expect(channelsOf(lab)).not.toContain('steps.close')
  })

  it('is read again for an engine process that took the place of one that died', async () => {
    let opened = 0
    show({ ...folderAnswers, 'app.open-steps': () => ({ ...folder, id: `steps-${++opened}` }) })
    const app = useAppStore()
    app.hostChanged({ state: 'ready', pid: 1 })
    await useStepsStore().open(chosen)
    await flushPromises()
    expect(useSettingsStore().values.view).toBe('steps')
    useSettingsStore().save({ view: 'clusters' })
    app.hostChanged({ state: 'lost', reason: 'It stopped.' })
    await flushPromises()
    app.hostChanged({ state: 'ready', pid: 2 })
    await flushPromises()
    expect(useStepsStore().folder?.id).toBe('steps-2')
    expect(useSettingsStore().values.view).toBe('clusters')
  })
})
