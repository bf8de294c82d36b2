import { describe, expect, it } from 'vitest'
import { iterationRow } from '../../test/fixtures'
import { dateTick, tickLabel } from './axis'
import { historyDatasets, historyLines } from './history-chart'
import { paletteOf } from './palette'
import { centroidDataset, scatterChart } from './scatter-chart'
import type { PlotTheme } from './theme'

const theme: PlotTheme = {
  ink: 'black',
  quietInk: 'grey',
  grid: 'silver',
  ground: 'white',
  accent: 'blue',
  neutralPoint: 'grey',
  font: 'sans-serif',
}

describe('inertia per iteration', () => {
  const rows = [iterationRow(1, 9), iterationRow(2, 5), iterationRow(1, 8, 1), iterationRow(2, null, 1)]

  it('is one line a restart, without rows that have no inertia', () => {
    expect(historyLines(rows, 'inertia')).toEqual([
      {
        run: 0,
        points: [
          { x: 1, y: 9 },
          { x: 2, y: 5 },
        ],
      },
      { run: 1, points: [{ x: 1, y: 8 }] },
    ])
  })

  it('marks the leading restart with the accent', () => {
    expect(historyDatasets(rows, 'inertia', 1, theme).map(({ borderColor }) => borderColor)).toEqual([
      'silver',
      'blue',
    ])
  })
})

describe('centroids on the scatter plot', () => {
  it('may come in any order of x', () => {
    // Chart.js takes unparsed data for sorted and then leaves out what lies outside that order.
    const whole = { minX: 0, maxX: 1, minY: 0, maxY: 1 }
    expect(
      scatterChart(theme, whole, () => ({
        marks: [],
        palette: paletteOf(1),
        dates: { x: undefined, y: undefined },
      })).options?.parsing,
    ).not.toBe(false)
  })

  it('have long numbers beside them whole, and stay where they are for shorter ones', () => {
    const whole = { minX: 0, maxX: 1, minY: 0, maxY: 1_600_000 }
    const { options } = scatterChart(theme, whole, () => ({
      marks: [],
      palette: paletteOf(1),
      dates: { x: undefined, y: undefined },
    }))
    const fitted = (width: number): number => {
      const axis = { width }
      const scale = options?.scales?.['y'] as { afterFit(axis: { width: number }): void }
      scale.afterFit(axis)
      return axis.width
    }
    expect(fitted(71)).toBe(71)
    expect(fitted(30)).toBe(fitted(44))
  })

  it('wear the shape and colour of their cluster', () => {
    const data = centroidDataset([{ cluster: 1, x: 0, y: 0 }], paletteOf(3), theme)
    expect(data.pointStyle).toEqual(['rect'])
    expect(data.pointBackgroundColor).toEqual(['rgb(230 159 0)'])
  })
})

describe('tick labels', () => {
  it('carry as many decimals as the step needs', () => {
    expect(tickLabel(4.5, 0.5)).toBe('4.5')
    expect(tickLabel(4, 0.05)).toBe('4')
    expect(tickLabel(0.30000000000000004, 0.1)).toBe('0.3')
    expect(tickLabel(12000, 2000)).toBe('12\u202f000')
    expect(tickLabel(2.5e10, 5e9)).toBe('2.5e10')
    expect(tickLabel(-2e-6, 1e-6)).toBe('-2e-6')
  })

  it('are dates where the numbers are, with times within a day', () => {
    const noon = 19_799 * 86_400 + 43_200
    expect(dateTick(19_799, 7, 'days')).toBe('2024-03-17')
    expect(dateTick(19_799.5, 0.5, 'days')).toBe('2024-03-17 12:00')
    expect(dateTick(noon, 86_400, 'seconds')).toBe('2024-03-17')
    expect(dateTick(noon, 3600, 'seconds')).toBe('2024-03-17 12:00')
    expect(dateTick(noon + 5, 5, 'seconds')).toBe('2024-03-17 12:00:05')
  })
})
