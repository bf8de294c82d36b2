import { describe, expect, it } from 'vitest'
import { column } from '../../test/fixtures'
import {
  filteredMissingHint,
  filteredSentence,
  filterInWords,
  missingHint,
  scalingHint,
  wantsScaling,
} from './preparation'

const gapped = (name: string, missing: number) => column(0, name, { missing })

describe('what a policy for missing cells does', () => {
  it('is the number of rows, counted where several features have gaps', () => {
    const one = [gapped('age', 12), gapped('height', 0)]
    expect(missingHint('drop', one, 200)).toBe('12 of 200 rows will be left out (6.0 %).')
    const two = [gapped('age', 12), gapped('height', 5)]
    expect(missingHint('drop', two, 200)).toBe('Counting the rows that will be left out…')
    expect(missingHint('drop', two, 200, 14)).toBe('14 of 200 rows will be left out (7.0 %).')
    expect(missingHint('drop', two, 14, 14)).toContain('Every row will be left out')
  })

  it('counts cells where they are filled or refused', () => {
    const two = [gapped('age', 12), gapped('height', 5)]
    expect(missingHint('mean', two, 200)).toBe('17 missing cells will be filled with the mean of the column.')
    expect(missingHint('median', two, 200)).toContain('the median of the column')
    expect(missingHint('refuse', two, 200)).toBe('17 cells missing: a run will be refused.')
    expect(missingHint('refuse', [gapped('age', 0)], 200)).toBe('No cell of the chosen features is missing.')
  })
})

describe('what a scaling does', () => {
  it('names the feature that decides where none is chosen', () => {
    const wide = column(0, 'proline', { min: 278, max: 1680 })
    const narrow = column(1, 'hue', { min: 0.48, max: 1.71 })
    expect(scalingHint({ scaling: 'none' }, [narrow, wide])).toBe(
      'proline dominates the distance: its range is 1\u202f402, that of hue 1.23.',
    )
    expect(wantsScaling({ scaling: 'none' }, [narrow, wide])).toBe(true)
    expect(wantsScaling({ scaling: 'none' }, [narrow])).toBe(false)
    expect(wantsScaling({ scaling: 'standardise' }, [narrow, wide])).toBe(false)
    expect(scalingHint({ scaling: 'none' }, [narrow])).toBe('Values are used unscaled.')
    expect(scalingHint({ scaling: 'none' }, [])).toBe('Values are used unscaled.')
    expect(scalingHint({ scaling: 'standardise' }, [narrow, wide])).toContain('z-score')
  })

  it('says how many features have their own, and speaks of the others', () => {
    const wide = column(0, 'proline', { min: 278, max: 1680 })
    const narrow = column(1, 'hue', { min: 0.48, max: 1.71 })
    const own = (name: string) => ({ column: name, scaling: 'robust' }) as const
    expect(scalingHint({ scaling: 'none', columnScalings: [own('proline')] }, [narrow, wide])).toBe(
      'Values are used unscaled. 1 feature has a scaling of its own.',
    )
    const both = { scaling: 'none', columnScalings: [own('proline'), own('hue')] } as const
    expect(scalingHint(both, [narrow, wide])).toBe('2 features have a scaling of their own.')
  })
})

describe('what a filter does', () => {
  it('is the number of rows it leaves out', () => {
    expect(filteredSentence(61, 150)).toBe('61 of 150 rows left out (40.7 %).')
    expect(filteredSentence(0, 150)).toBe('Every one of the 150 rows is kept.')
    expect(filteredSentence(150, 150)).toContain('No row is kept')
    expect(filteredSentence(null, 150)).toBe('Counting the rows…')
  })

  it('leaves fewer rows with missing cells, which are counted', () => {
    expect(filteredMissingHint('drop', 89, 5)).toBe('5 of 89 rows will be left out (5.6 %).')
    expect(filteredMissingHint('drop', 89, null)).toContain('Counting')
    expect(filteredMissingHint('mean', 89, 0)).toBe('No cell of the chosen features is missing.')
    expect(filteredMissingHint('mean', 89, 5)).toBe(
      'The missing cells of 5 rows will be filled with the mean of the column.',
    )
    expect(filteredMissingHint('refuse', 89, 1)).toBe('1 row with missing cells: a run will be refused.')
  })
})

describe('a filter in words', () => {
  it('counts rows that were picked, however few', () => {
    const picked = { kind: 'not-rows', numbers: '3,5-6' } as const
    expect(filterInWords({ join: 'all', parts: [picked] })).toBe('all but 3 picked rows')
    const compared = { kind: 'compare', column: 'age', comparison: '>', value: '9' } as const
    expect(filterInWords({ join: 'all', parts: [compared, { ...picked, kind: 'rows' }] })).toBe(
      'age > 9 and only 3 picked rows',
    )
  })
})
