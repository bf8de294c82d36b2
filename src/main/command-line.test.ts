import { expect, it } from 'vitest'
import { fileArgument } from './command-line'

it.each([
  [['electron', '--no-sandbox', '/app', 'data.csv'], '/home/a/data.csv'],
  [['electron', '-r', '/x/loader.js', '/app', '/data/my table.tsv'], '/data/my table.tsv'],
  [['centroid-lab', '--user-data-dir=/tmp/a.csv'], null],
  [['electron', '/app'], null],
])('finds the file among %j', (argv, expected) => {
  expect(fileArgument(argv, '/home/a')).toBe(expected)
})
