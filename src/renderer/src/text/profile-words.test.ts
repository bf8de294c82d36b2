import { describe, expect, it } from 'vitest'
import { coordinateFormat } from '@/components/result/centroid-cells'
import { record } from '../../test/fixtures'
import { crossTable, engineProfile } from '../../test/quality'
import type { ProfileUnits } from '@/plots/profile/profile'
import type { Statistic } from '@/stores/profile-choices'
import { readProfile } from '@/plots/profile/read-profile'
import { crossAsText, crossView, maxClasses, mostlySentence } from './cross-words'
import { featureFormat, profileFormat } from './feature-format'
import { featureValue, namedFeature } from './feature-words'
import { profileAsText, statisticCell } from './profile-table'
import { clusterSentence, sentenceText } from './profile-words'

const profile = readProfile([engineProfile()], 150)!
const [first, second] = profile.clusters

describe('the sentence about a cluster', () => {
  it('names what sets it apart, with both means, the unit, and by how much', () => {
    expect(sentenceText(clusterSentence(profile, first!, '0'))).toBe(
      'Cluster 0 (50 rows, 33.3 %): petal length 1.000 cm against 4.000 cm elsewhere (4.0 sd lower), width 2.500 against 1.750 (0.5 sd higher).',
    )
    expect(clusterSentence(profile, second!, 'large').lead).toBe('Cluster large (100 rows, 66.7 %)')
  })

  it('says so where nothing does, and where there is nothing to compare with', () => {
    const alike = { ...first!, distinctive: first!.distinctive.map((one) => ({ ...one, difference: 0.1 })) }
    expect(sentenceText(clusterSentence(profile, alike, '0'))).toContain('hardly differs from the other rows')
    const whole = { ...first!, size: 150 }
    expect(clusterSentence(profile, whole, '0').instead).toContain('the only cluster')
    const apart = { ...first!, distinctive: [{ ...first!.distinctive[0]!, difference: -Infinity }] }
    expect(clusterSentence(profile, apart, '0').clauses[0]?.by).toBe('lower, no overlap')
  })
})

describe('features in words', () => {
  it('have their unit from their name', () => {
    expect(namedFeature({ name: 'petal length (cm)' })).toEqual({ name: 'petal length', unit: 'cm' })
    expect(namedFeature({ name: 'mass [kg]' })).toEqual({ name: 'mass', unit: 'kg' })
    expect(namedFeature({ name: 'f(x)y' })).toEqual({ name: 'f(x)y', unit: '' })
    expect(namedFeature({ name: 'town', category: 'York' })).toEqual({ name: 'town = York', unit: '' })
  })

  it('are dates and shares where they are', () => {
    expect(featureValue({ index: 0, name: 'when', dateUnit: 'days' }, 19_800, String)).toBe('2024-03-18')
    expect(featureValue({ index: 0, name: 'town', category: 'York' }, 0.25, String)).toBe('25.0 %')
  })

  it('have the four digits of a column, and more where the clusters lie close together', () => {
    const says = (means: readonly number[], value: number) => featureFormat(means)(value)
    expect(says([1195.149, 519.5], 1195.149)).toBe('1\u202f195')
    expect(says([13.80447, 12.5], 13.80447)).toBe('13.80')
    expect(says([5.006, 5.936, 6.588], 5.936)).toBe('5.936')
    expect(says([1998.213, 2003.75], 1998.213)).toBe('1\u202f998.21')
    expect(says([2.5], 2.5)).toBe('2.500')
    expect(says([1.23456e-9, 2e-9], 1.23456e-9)).toBe('1.235e-9')
    expect(says([1, 2], NaN)).toBe('–')
    expect(says([2.5e9, 1e9], 2.5e9)).toBe('2.500e+9')
    expect(says([0, 0], 0.25)).toBe('0.2500')
  })

  it('read in a profile as in the table of clusters', () => {
    const clusters = profile.clusters.map(({ cluster, size, spreads }) => ({
      ...{ cluster, size, inertia: 1, centroid: spreads.map(({ mean }) => mean) },
    }))
    const features = profile.features.map((name, index) => ({ index, name }))
    for (const [feature, name] of profile.features.entries()) {
      const table = coordinateFormat(record({ clusters, features }), feature)
      const { mean } = first!.spreads[feature]!
      expect(profileFormat(profile, feature, 'file')(mean), name).toBe(table(mean))
    }
  })
})

describe('statistics of a profile', () => {
  it('are in units of the file or standardised', () => {
    const [spread, whole] = [first!.spreads[0]!, profile.whole[0]!]
    const cell = (statistic: Statistic, units: ProfileUnits) =>
      statisticCell(spread, whole, statistic, units, profileFormat(profile, 0, units))
    expect(cell('mean', 'file').text).toBe('1.000 ± 0.500')
    expect(cell('mean', 'standardised').text).toBe('-2.000 ± 0.500')
    expect(cell('quartiles', 'file').text).toBe('0.750 to 1.250')
    expect(cell('range', 'file').text).toBe('0.000 to 2.000')
    expect(cell('spread', 'file').title).toContain('quartiles 0.75, 1.05, 1.25')
  })

  it('go to a spreadsheet in full, all rows first', () => {
    const lines = profileAsText(profile, 'file', String).trim().split('\n')
    expect(lines[0]).toBe('cluster\tfeature\tmean\tsd\tmin\tq25\tmedian\tq75\tmax')
    expect(lines[1]).toMatch(/^all rows\tpetal length \(cm\)\t3\t1\t/)
    expect(lines).toHaveLength(1 + 3 + 6)
  })
})

describe('clusters against classes', () => {
  it('are counts with shares of the cluster or of the class', () => {
    const of = crossView(crossTable(), 'cluster')
    expect(of.rows[0]?.cells).toEqual([
      { count: 48, share: 0.96 },
      { count: 2, share: 0.04 },
    ])
    expect([of.totals, of.total, of.missing]).toEqual([[58, 91], 149, 1])
    expect(crossView(crossTable(), 'class').rows[0]?.cells[0]?.share).toBe(48 / 58)
  })

  it('say in a sentence what a cluster mostly is', () => {
    const of = crossView(crossTable({ counts: Float64Array.of(48, 2, 10, 10), total: 70 }), 'cluster')
    expect(mostlySentence(of, of.rows[0]!, '0')).toBe('Cluster 0: mostly setosa, 48 of 50 rows (96.0 %)')
    expect(mostlySentence(of, of.rows[1]!, '1')).toBe('Cluster 1: most often setosa, 10 of 20 rows (50.0 %)')
  })

  it('count the rarest of very many classes together, and lose no row', () => {
    const categories = Array.from({ length: 100 }, (_, at) => `c${at}`)
    const counts = Float64Array.from(categories, (_, at) => at + 1)
    const many = crossTable({ categories, clusters: 1, counts, missing: Float64Array.of(0), total: 5050 })
    const of = crossView(many, 'cluster')
    expect(of.classes).toHaveLength(maxClasses)
    expect(of.classes.at(-1)).toBe('61 others')
    expect(of.rows[0]?.total).toBe(5050)
  })

  it('go to a spreadsheet with their totals', () => {
    const text = crossAsText(crossView(crossTable(), 'cluster'), 'species', String)
    expect(text.split('\n')[1]).toBe('0\t48\t2\t50')
    expect(text).toContain('total\t58\t91\t149')
  })
})
