import { describe, expect, it } from 'vitest'
import { scanConfig, scannedK, scanRecord, scanRestart } from '../../../test/quality'
import type { BenchmarkTheme } from '../benchmark/benchmark-theme'
import { bareFigure, fileFigure } from '../benchmark/plot'
import { nearestTip } from '../figure/nearest-tip'
import { svgOf } from '../figure/svg'
import { curvePlot } from './curve-plot'
import { scanCurves } from './curves'

const theme: BenchmarkTheme = {
  ...{ ink: '#1d2125', quietInk: '#5a626b', grid: '#eeeeee', ground: '#ffffff', accent: '#1560b8' },
  ...{ neutralPoint: '#8a929b', font: 'sans-serif', error: '#a8231b' },
}
const curves = (change: Parameters<typeof scanRecord>[0] = {}) =>
  scanCurves({ ...scanRecord(change), pending: [] })

describe('the curves of a scan', () => {
  it('are the inertia and the indices that were asked for, in one order', () => {
    const config = scanConfig({ indices: ['gap', 'silhouette'] })
    expect(curves({ config }).map(({ name }) => name)).toEqual(['inertia', 'silhouette', 'gap'])
    expect(curves().map(({ title }) => title)).toEqual([
      'Inertia',
      'Silhouette',
      'Calinski–Harabasz',
      'Davies–Bouldin',
    ])
  })

  it('run through the best restart, with every restart beside it', () => {
    const [inertia] = curves()
    expect(inertia?.points.map(({ k, best }) => [k, best])).toEqual([
      [2, 152],
      [3, 79],
      [4, 57],
    ])
    expect(inertia?.points[0]?.restarts).toEqual([152, 152 * 1.1])
    expect(inertia?.mark).toMatchObject({ k: 3, word: 'knee' })
  })

  it('show the restarts of a k that is not finished, without a line to it', () => {
    const scan = { ...scanRecord({ rows: [scannedK(2, 152)] }), pending: [scanRestart(3, 0, 80)] }
    const [inertia, silhouette] = scanCurves(scan)
    expect(inertia?.points.map(({ k, best }) => [k, best])).toEqual([
      [2, 152],
      [3, null],
    ])
    expect(inertia?.points[1]?.restarts).toEqual([80])
    expect(silhouette?.points).toHaveLength(1)
  })

  it('carry the standard error of a sampled silhouette and of the gap', () => {
    const row = scannedK(2, 152, {
      silhouette: { mean: 0.5, standardError: 0.01, points: 20_000 },
      gap: { gap: 0.3, standardError: 0.02 },
    })
    const config = scanConfig({ indices: ['silhouette', 'gap'] })
    const [, silhouette, gap] = curves({ rows: [row], config })
    expect(silhouette?.points[0]?.error).toBe(0.01)
    expect(gap?.points[0]).toMatchObject({ best: 0.3, error: 0.02 })
  })
})

describe('the plot of a curve', () => {
  const plotOf = (at: number, chosen: number | null = null) => curvePlot(curves()[at]!, chosen)

  it('marks what its rule says, and the k that is looked at', () => {
    const drawn = svgOf(fileFigure(plotOf(0, 4), 720, theme))
    expect(drawn).toContain('knee: 3')
    const { panels } = bareFigure(plotOf(0, 4), 400, theme)
    expect(panels[0]?.layers).toContainEqual({ kind: 'marker', axis: 'x', at: 4, colour: theme.accent })
    expect(panels[0]?.x.min).toBeLessThan(2)
    expect(panels[0]?.y.min).toBe(0)
  })

  it('keeps its axis from the first k on', () => {
    const [early] = scanCurves({ ...scanRecord({ rows: [scannedK(2, 152)] }), pending: [] })
    const ends = (plot: ReturnType<typeof curvePlot>) => bareFigure(plot, 400, theme).panels[0]?.x
    expect(ends(curvePlot(early!, null))).toEqual(ends(plotOf(0)))
  })

  it('tells values in full, with the spread of the restarts', () => {
    expect(plotOf(0).tips[1]).toEqual({
      ...{ x: 3, y: 79, title: 'k = 3' },
      lines: ['79', '2 restarts: 79.00 to 86.90'],
    })
    expect(plotOf(1).summary).toBe('Larger is better. 0.5000 at k = 2, 0.2500 at k = 4; largest at k = 2.')
  })

  it('has a place for every click within its frame', () => {
    const plot = plotOf(0)
    const [panel] = bareFigure(plot, 400, theme).panels
    const { left, top, width } = panel!.frame
    const at = (share: number) => nearestTip(panel!, plot.tips, 'x', { x: left + share * width, y: top + 5 })
    expect([at(0.1), at(0.5), at(0.95)]).toEqual([0, 1, 2])
    expect(nearestTip(panel!, plot.tips, 'x', { x: left - 1, y: top + 5 })).toBeNull()
    expect(nearestTip(panel!, [], 'x', { x: left + 1, y: top + 5 })).toBeNull()
  })
})
