import { expect, it } from 'vitest'
import { assertFitsInMemory } from './fits-in-memory'

const file = { path: '/data/big.csv', name: 'big.csv', bytes: 8_000_000, sha256: null, modifiedMs: 0 }
const dialect = {
  format: 'delimited',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  header: true,
  decimal: '.',
} as const
// Rows of 8 bytes, so a million rows of two columns: 8 MB.
const table = { file, dialect, names: ['x', 'y'], sample: Array.from({ length: 20 }, () => ['1.5', '2.5']) }

it('a file that would not fit into memory is reported before it is read, with both sizes', () => {
  expect(() => assertFitsInMemory(table, 8_000_000)).not.toThrow()
  expect(() => assertFitsInMemory(table, 4 << 20)).toThrow(
    /big\.csv would need about 8 MiB .* but 4 MiB are free/,
  )
  expect(() => assertFitsInMemory(table, 0)).toThrow(
    expect.objectContaining({ kind: 'input', code: 'csv.memory' }),
  )
})

it('columns of text need no room', () => {
  const sample = table.sample.map(([x]) => [x, 'abc'])
  expect(() => assertFitsInMemory({ ...table, sample }, 4 << 20)).not.toThrow()
})

it('text of two bytes a character has half as many rows', () => {
  expect(() =>
    assertFitsInMemory({ ...table, dialect: { ...dialect, encoding: 'utf-16le' } }, 4 << 20),
  ).not.toThrow()
})
