import { describe, expect, it } from 'vitest'
import { summary } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
import { usePointsStore } from './points'

const source = {
  datasetId: 'data-1',
  features: ['sepal_length', 'sepal_width', 'petal_length', 'petal_width'],
  missing: 'drop',
  scaling: 'none',
} as const

describe('the points on the plot', () => {
  it('are fetched in pieces of at most 1 MiB', async () => {
    const rows = 600_000
    const { lab } = freshWindow({}, rows)
    const points = usePointsStore()
    await points.adopt(summary({ rows }))
    const fetches = lab.asked.filter(({ channel }) => channel === 'dataset.values')
    expect(fetches).toHaveLength(6)
    for (const { params } of fetches)
      expect((params as { count: number }).count * 4).toBeLessThanOrEqual(1 << 20)
    expect(points.x?.values).toHaveLength(rows)
    expect(points.y?.name).toBe('sepal_width')
  })

  it('set a single feature against the row number', async () => {
    freshWindow()
    const points = usePointsStore()
    const data = summary()
    await points.adopt({ ...data, columns: data.columns.slice(0, 1) })
    expect(points.axes.y).toEqual({ kind: 'row' })
    expect(points.y?.name).toBe('row number')
    expect(points.y?.values[9]).toBe(9)
    expect(points.y?.offset).toBe(1)
  })
})

describe('principal components on the axes', () => {
  it('say how much of the variance they explain, and are fitted once for both axes', async () => {
    const { lab } = freshWindow()
    const points = usePointsStore()
    await points.adopt(summary())
    await points.project(source)
    expect(channelsOf(lab)).not.toContain('projection.fit')
    await Promise.all([
      points.show('x', { kind: 'component', component: 0 }),
      points.show('y', { kind: 'component', component: 1 }),
    ])
    expect(points.x?.name).toBe('PC 1 (92.5 % of variance)')
    expect(points.y?.name).toBe('PC 2 (5.3 % of variance)')
    expect(channelsOf(lab).filter((channel) => channel === 'projection.fit')).toHaveLength(1)
  })

  it('are fitted anew when other points are clustered', async () => {
    const { lab } = freshWindow()
    const points = usePointsStore()
    await points.adopt(summary())
    await points.project(source)
    await points.show('x', { kind: 'component', component: 0 })
    const before = points.x
    await points.project({ ...source, scaling: 'standardise' })
    expect(points.x).not.toBe(before)
    const fits = lab.asked.filter(({ channel }) => channel === 'projection.fit')
    expect(fits.map(({ params }) => (params as { scaling: string }).scaling)).toEqual(['none', 'standardise'])
  })

  it('give way to a feature where only one is left', async () => {
    freshWindow()
    const points = usePointsStore()
    await points.adopt(summary())
    await points.project(source)
    await points.show('y', { kind: 'component', component: 1 })
    await points.project({ ...source, features: ['sepal_width'] })
    expect(points.axes.y).toEqual({ kind: 'column', column: 1 })
  })
})
