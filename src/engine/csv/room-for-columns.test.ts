import { afterEach, expect, it, vi } from 'vitest'
import { scratchVariable } from '../scratch/scratch-variable'
import { roomForColumns } from './room-for-columns'

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

afterEach(() => vi.unstubAllEnvs())

it('a file lies in memory where its columns and their points do, else in a scratch file, and why is said', () => {
  expect(roomForColumns(table, 64_000_000).location).toBe('memory')
  const room = roomForColumns(table, 24_000_000)
  expect(room.location).toBe('scratch')
  expect(room.reason).toMatch(
    /^The columns \(8 MiB\) lie in a scratch file in .*, because only 23 MiB of memory are free/,
  )
})

it('a file that fits nowhere is reported before it is read, with both sizes', () => {
  vi.stubEnv(scratchVariable, '/dev/null/nowhere')
  expect(() => roomForColumns(table, 24_000_000)).toThrow(
    /big\.csv would need about 8 MiB .* but 23 MiB of memory are free and the scratch folder .* cannot be used/,
  )
  expect(() => roomForColumns(table, 0)).toThrow(
    expect.objectContaining({ kind: 'input', code: 'csv.memory' }),
  )
})

it('columns of text need a byte a row where few of them differ, and no room where all do', () => {
  const classes = table.sample.map(([x], i) => [x, `ab${i % 3}`])
  const names = table.sample.map(([x], i) => [x, `ab${i % 10}${String.fromCharCode(97 + i)}`.slice(0, 4)])
  const fitting = (sample: string[][], free: number) => roomForColumns({ ...table, sample }, free).location
  expect(fitting(classes, 21_000_000)).toBe('memory')
  expect(fitting(classes, 20_900_000)).toBe('scratch')
  expect(fitting(names, 17_800_000)).toBe('memory')
  expect(fitting(names, 17_700_000)).toBe('scratch')
})

it('columns of dates need the room of numbers', () => {
  const dated = (cell: string) => {
    const sample = table.sample.map(([x]) => [x, cell])
    const file16 = { ...table.file, bytes: 1_000_000 * (cell.length + 5) }
    return roomForColumns({ ...table, file: file16, sample }, 16_000_000).reason
  }
  expect(dated('2024-03-17')).toMatch(/columns \(8 MiB\)/)
  expect(dated('17.03.2024 12:30')).toMatch(/columns \(8 MiB\)/)
  expect(dated('2024-03-17T12:30:00.25Z')).toMatch(/columns \(12 MiB\)/)
})

it('text of two bytes a character has half as many rows', () => {
  const wide = { ...table, dialect: { ...dialect, encoding: 'utf-16le' } } as const
  expect(roomForColumns(wide, 24_000_000).location).toBe('memory')
})
