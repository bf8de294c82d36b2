import { describe, expect, it } from 'vitest'
import { iterationRow, record } from '../../test/fixtures'
import { engineProfile } from '../../test/quality'
import { historyTable, matrixTable, tipsTable } from '@/plots/plot-table'
import { readProfile } from '@/plots/profile/read-profile'
import { scatterTable } from '@/plots/scatter/scatter-table'
import type { PlotColumn } from '@/plots/plot-column'
import { historySummary, matrixSummary, phasesSummary, scatterSummary } from './plot-summaries'

const name = (cluster: number): string => `c${cluster}`
const profile = readProfile([engineProfile()], 150)!

describe('plots in words', () => {
  it('say from where to where a quantity went', () => {
    const rows = [iterationRow(1, 90), iterationRow(2, 80), { ...iterationRow(1, 95), run: 1 }]
    expect(historySummary(rows.slice(0, 2), 'inertia', 0)).toBe(
      'From 90 in the first iteration to 80 in iteration 2.',
    )
    expect(historySummary(rows, 'inertia', 0)).toMatch(/iteration 2\. 1 of 2 restarts shown in full\.$/)
    expect(historySummary([], 'inertia', 0)).toBe('No iteration yet.')
  })

  it('name the first centroids and count the others', () => {
    const marks = Array.from({ length: 8 }, (_, cluster) => ({ cluster, x: cluster, y: 0.5 }))
    expect(scatterSummary(marks, name)).toMatch(
      /^Centroids: cluster c0 at 0, 0\.5000; .*cluster c5 .*, and 2 more\.$/,
    )
    expect(scatterSummary([], name)).toBe('')
  })

  it('tell which clusters a feature sets furthest apart', () => {
    expect(matrixSummary(profile, [0, 1], name)).toMatch(/sets clusters c0 and c1 furthest apart/)
  })

  it('tell the total, and the phase that took most', () => {
    expect(phasesSummary(record().timings)).toMatch(/ in all, most of it in \w+ \([\d.]+ %\)\.$/)
  })
})

const axis = (label: string, values: readonly number[], offset: number): PlotColumn => ({
  ...{ axis: { kind: 'row' }, name: label, values: Float32Array.from(values), offset, unit: 1 },
  ...{ min: 0, max: 0 },
})

describe('plots as tables', () => {
  it('have every mark, iteration and feature', () => {
    const tips = [{ x: 0, y: 0, title: 'k = 2', lines: ['inertia 5', 'best'] }]
    expect(tipsTable({ tips }).rows).toEqual([['k = 2', 'inertia 5; best']])
    const rows = [iterationRow(1, 90), iterationRow(2, 80), { ...iterationRow(1, 95), run: 1 }]
    expect(historyTable(rows, 'inertia', 'Inertia')).toMatchObject({
      columns: ['iteration', 'restart 1', 'restart 2'],
      rows: [
        ['1', '90.00', '95.00'],
        ['2', '80.00', '–'],
      ],
    })
    expect(matrixTable(profile, [0], name).rows[0]).toHaveLength(3)
  })

  it('have clusters in place of a million points: size, middle and spread, missing values left out', async () => {
    const x = axis('x', [0, 2, 10, 12, NaN, 5], 1000)
    const y = axis('y', [1, 1, 3, 5, 7, 9], 0)
    const labels = Int32Array.of(0, 0, 1, 1, 1, -1)
    const table = await scatterTable([x, y], labels, ['a', 'b'], 'cluster', () => true)
    expect(table?.rows.map((row) => row.slice(0, 3))).toEqual([
      ['a', '2', '40.0 %'],
      ['b', '2', '40.0 %'],
      ['none', '1', '20.0 %'],
    ])
    expect(table?.rows[1]?.slice(3)).toEqual(['1\u202f011', '1.414', '4.000', '1.414'])
    expect(await scatterTable([x, y], labels, ['a', 'b'], 'cluster', () => false)).toBeNull()
  })
})
