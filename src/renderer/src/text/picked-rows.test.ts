import { parseFilter } from '@shared/row-filter/parse-filter'
import { filterText } from '@shared/row-filter/filter-text'
import { expect, it } from 'vitest'
import { withPickedRows } from './picked-rows'

const left = (filter: string, numbers: string): string =>
  filterText(withPickedRows(filter === '' ? null : parseFilter(filter), 'not-rows', numbers))
const kept = (filter: string, numbers: string): string =>
  filterText(withPickedRows(filter === '' ? null : parseFilter(filter), 'rows', numbers))

it('rows are left out beside what was asked for before', () => {
  expect(left('', '2-4')).toBe('not rows(2-4)')
  expect(left('a > 1 and b = x', '2-4')).toBe('a > 1 and b = x and not rows(2-4)')
  expect(left('a > 1 or b = x', '2-4')).toBe('(a > 1 or b = x) and not rows(2-4)')
})

it('rows left out twice are those of both, rows kept twice those in both', () => {
  expect(left('a > 1 and not rows(2-4)', '4-6,9')).toBe('a > 1 and not rows(2-6,9)')
  expect(kept('rows(2-10)', '8-20')).toBe('rows(8-10)')
  expect(kept('rows(2-4)', '8-9')).toBe('rows(2-4) and rows(8-9)')
  expect(kept('not rows(3)', '2-9')).toBe('not rows(3) and rows(2-9)')
})

it('groups that are joined by or each get the condition', () => {
  expect(left('(a = 1 and b = 2) or (c = 3 and d = 4)', '7')).toBe(
    '(a = 1 and b = 2 and not rows(7)) or (c = 3 and d = 4 and not rows(7))',
  )
})
