import { describe, expect, it } from 'vitest'
import { iterationRow, record } from '../../test/fixtures'
import { tickLabel } from './axis'
import { marksOfCentroids, marksOfRecord } from './centroid-marks'
import { historyDatasets, historyLines } from './history-chart'
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
        places: [
          { x: 1, y: 9 },
          { x: 2, y: 5 },
        ],
      },
      { run: 1, places: [{ x: 1, y: 8 }] },
    ])
  })

  it('marks the leading restart with the accent', () => {
    expect(historyDatasets(rows, 'inertia', 1, theme).map(({ borderColor }) => borderColor)).toEqual(['silver', 'blue'])
  })
})

describe('centroids on the scatter plot', () => {
  it('stand on the two shown columns', () => {
    const marks = marksOfRecord(record(), { x: 'petal_length', y: 'sepal_width' })
    expect(marks[2]).toEqual({ cluster: 2, x: 1.462, y: 3.428 })
  })

  it('have no place on an axis that is no feature, nor when their cluster was dropped', () => {
    expect(marksOfRecord(record(), { x: 'row', y: 'sepal_width' })).toEqual([])
    const [first, ...rest] = record().clusters
    const dropped = record({ clusters: [{ ...first, centroid: null }, ...rest] })
    expect(marksOfRecord(dropped, { x: 'sepal_length', y: 'sepal_width' })).toHaveLength(2)
  })

  it('are read from the rows of a run under way', () => {
    const marks = marksOfCentroids(Float64Array.of(1, 2, 3, 4), ['a', 'b'], { x: 'b', y: 'a' })
    expect(marks).toEqual([
      { cluster: 0, x: 2, y: 1 },
      { cluster: 1, x: 4, y: 3 },
    ])
  })

  it('may come in any order of x', () => {
    // Chart.js takes unparsed data for sorted and then leaves out what lies outside that order.
    const whole = { minX: 0, maxX: 1, minY: 0, maxY: 1 }
    expect(scatterChart(theme, whole, () => []).options?.parsing).not.toBe(false)
  })

  it('wear the shape and colour of their cluster', () => {
    const data = centroidDataset([{ cluster: 1, x: 0, y: 0 }], 3, theme)
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
  })
})
