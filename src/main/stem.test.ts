import { expect, it } from 'vitest'
import { stemOf } from './stem'

it.each([
  ['/home/ada/iris.csv', 'iris'],
  ['/home/ada/survey 2026.csv.gz', 'survey 2026'],
  ['/home/ada/points.v2.parquet', 'points.v2'],
  ['/home/ada/no-ending', 'no-ending'],
  ['/home/ada/.csv', '.csv'],
])('files made of %s begin with %s', (path, stem) => {
  expect(stemOf(path)).toBe(stem)
})
