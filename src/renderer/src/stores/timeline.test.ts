import { beforeEach, describe, expect, it, vi } from 'vitest'
import { asked, record, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useAppStore } from './app'
import { usePointsStore } from './points'
import { useTimelineStore } from './timeline'

const source = { datasetId: 'data-1', features: null, missing: 'drop' } as const
const kept = record({ config: asked({ history: true, centroidHistory: true }), iterations: 12 })

async function opened(answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab } = freshWindow(answers)
  const points = usePointsStore()
  await points.adopt(summary())
  const timeline = useTimelineStore()
  await timeline.setAxes(points.x, points.y)
  await timeline.adopt(kept, 150)
  return { lab, points, timeline }
}

describe('the time line', () => {
  it('stands at the result with its labels, and knows how many iterations there are', async () => {
    const { lab, timeline } = await opened()
    expect([timeline.position, timeline.last]).toEqual([12, 12])
    expect(timeline.labels).toHaveLength(150)
    expect(lab.asked.map(({ channel }) => channel)).toContain('run.labels')
  })

  it('shows the labels an iteration assigned and the centroids after it', async () => {
    const { timeline } = await opened()
    await timeline.go(5)
    expect(timeline.labels?.[0]).toBe(5 % 3)
    expect([...(timeline.centroids ?? [])]).toEqual([30, 31, 32, 33, 34, 35])
    expect(timeline.trails?.upTo).toBe(5)
  })

  it('starts at the initial centroids, which have no labels', async () => {
    const { timeline } = await opened()
    await timeline.go(0)
    expect(timeline.labels).toBeNull()
    expect(timeline.centroids?.[0]).toBe(0)
  })

  it('asks for the newest position only while it is scrubbed', async () => {
    const { lab, timeline } = await opened()
    await Promise.all([1, 2, 3, 4, 5, 6].map((position) => timeline.go(position)))
    const iterations = lab.asked.flatMap(({ channel, params }) =>
      channel === 'run.iteration-labels' ? [(params as { iteration: number }).iteration] : [],
    )
    expect(iterations).toEqual([1, 6])
    expect(timeline.loaded).toBe(6)
  })

  it('does not ask twice for what it has seen', async () => {
    const { lab, timeline } = await opened()
    await timeline.go(3)
    await timeline.go(4)
    const before = lab.asked.length
    await timeline.go(3)
    expect(lab.asked.length).toBe(before)
  })

  it('is not there for a run that kept no centroids', async () => {
    freshWindow()
    const timeline = useTimelineStore()
    await timeline.adopt(record(), 150)
    expect(timeline.available).toBe(false)
    expect(timeline.labels).toHaveLength(150)
  })

  it('ends with the result, one step beyond what a cut history kept', async () => {
    const values = new Float64Array(8 * 6)
    const { timeline } = await opened({
      'run.trail': ({ start, count }: { start: number; count: number }) => ({
        kept: 8,
        values: start === 0 && count > 0 ? values : new Float64Array(),
      }),
    })
    expect([timeline.kept, timeline.last, timeline.position]).toEqual([7, 8, 8])
    await timeline.go(7)
    expect(timeline.labels?.[0]).toBe(7 % 3)
    await timeline.go(99)
    expect(timeline.position).toBe(8)
    expect(timeline.centroids).toBeNull()
  })

  it('shows the next result although the labels of one before it failed', async () => {
    const { timeline } = await opened({
      'run.iteration-labels': () => {
        throw new Error('lost')
      },
    })
    await expect(timeline.go(3)).rejects.toThrow('lost')
    await timeline.adopt({ ...kept, id: 'run-2' }, 150)
    expect(timeline.labels).toHaveLength(150)
  })

  it('has no centroids on components that were fitted to other points', async () => {
    const { points, timeline } = await opened()
    const standardised = { ...source, scaling: 'standardise' } as const
    await points.project(standardised)
    await points.show('x', { kind: 'component', component: 0 })
    await timeline.setAxes(points.x, points.y)
    expect(timeline.centroids).toBeNull()
  })
})

describe('playing', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it('goes from the start to the result and stops there', async () => {
    const { timeline } = await opened()
    timeline.play()
    expect(timeline.position).toBe(0)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(timeline.position).toBe(12)
    expect(timeline.playing).toBe(false)
  })

  it('stops and says why where an iteration cannot be had', async () => {
    const { timeline } = await opened({
      'run.iteration-labels': () => {
        throw new Error('lost')
      },
    })
    timeline.play()
    await vi.advanceTimersByTimeAsync(5000)
    expect(timeline.playing).toBe(false)
    expect(useAppStore().error?.message).toBeTruthy()
  })
})
