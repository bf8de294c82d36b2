import { expect, it } from 'vitest'
import { fileArgument } from './command-line'

it.each([
  [['electron', '--no-sandbox', '/app-1.0', 'data.csv'], '/home/a/data.csv'],
  [['electron', '-r', '/x/loader.js', '/app-1.0', '/data/my table.tsv'], '/data/my table.tsv'],
  [['electron', '../../app-1.0', 'measurements'], '/home/a/measurements'],
  [['centroid-lab', '--user-data-dir=/tmp/a.csv'], null],
  [['electron', '/app-1.0'], null],
])('finds the file among %j', (argv, expected) => {
  expect(fileArgument(argv, ['/app-1.0'], '/home/a')).toBe(expected)
})
