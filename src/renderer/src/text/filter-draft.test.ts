import { parseFilter } from '@shared/row-filter/parse-filter'
import { describe, expect, it } from 'vitest'
import { column } from '../../test/fixtures'
import { draftOfFilter, filterColumns, filterOf, newGroup, operatorsOf } from './filter-draft'

const height = column(0, 'height')
const name = column(1, 'name', { type: 'text', min: null, max: null })
const town = column(2, 'town', { type: 'categorical', min: null, max: null, categories: 3 })

describe('a filter in the controls', () => {
  it('is the same filter again, whatever is in it', () => {
    const text =
      'height > 1.5 and (town = York or town contains am) and height between 1 and 2 and town in (York, "Ely, Cambs", "say ""a""") and town is missing and height is not missing'
    const filter = parseFilter(text)
    expect(filterOf(draftOfFilter(filter, height))).toEqual(filter)
  })

  it('is none while a value is missing in a condition or in a group', () => {
    const draft = draftOfFilter(null, height)
    expect(filterOf(draft)).toBeNull()
    const [first] = draft.parts
    if (!first || 'conditions' in first) throw new Error('no condition')
    first.value = ' 1.8 '
    expect(filterOf(draft)).toEqual(parseFilter('height = 1.8'))
    first.operator = 'between'
    expect(filterOf(draft)).toBeNull()
    first.high = '2'
    draft.parts.push(newGroup(town, 'any'))
    expect(filterOf(draft)).toBeNull()
  })

  it('is of columns whose cells are kept, and asks only what they can answer', () => {
    expect(filterColumns([height, name, town])).toEqual([height, town])
    expect(operatorsOf(height)).toContain('<=')
    expect(operatorsOf(height)).not.toContain('contains')
    expect(operatorsOf(town)).toEqual(['=', '!=', 'one-of', 'contains', 'missing', 'present'])
  })
})
