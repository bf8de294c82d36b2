import { expect, it } from 'vitest'
import type { Entry, Report } from './entry'
import { machineName, markdown, plainTable } from './report'

const configuration = { name: 'E', table: 'cpu', n: 1_000_000, d: 8, k: 400 } as const
const fast: Entry = {
  configuration,
  engine: 'cuda',
  device: 'cuda:0',
  variant: 'fused',
  outcome: 'measured',
  reason: null,
  openMs: 12.3456,
  labelsChecked: 20_000,
  centroidError: 0,
  iteration: { best: 0.16, median: 0.17, stretches: [0.16, 0.17, 0.18], iterations: 100 },
  floorMs: 0.1,
  run: { ms: 1234.56, runs: 3, iterations: 57, converged: true },
}
const slow: Entry = {
  ...fast,
  variant: 'eigen',
  outcome: 'unsuitable',
  reason: 'Needs 14 GiB | too much.',
  openMs: null,
  iteration: null,
  run: null,
}
const report: Report = {
  date: '2026-11-21T10:00:00.000Z',
  commit: 'abc123',
  machine: {
    cpu: 'Some Processor',
    cores: 2,
    memoryBytes: 1,
    os: 'Linux',
    devices: ['cpu: Some Processor', 'cuda:0: NVIDIA H200', 'webgpu:0: SwiftShader (software)'],
    versions: { app: '0.1.0' },
  },
  secondsPerEntry: 60,
  scale: 1,
  floors: {
    'cuda:0': {
      productsPerMs: 32e9,
      bytesPerMs: 4.45e9,
      matrixProductsPerMs: 3e11,
      cacheBytes: 0,
      minMs: 0,
    },
  },
  entries: [slow, fast],
}

it('the Markdown table has the fastest first, ratios to the floor, and why something is missing', () => {
  const lines = markdown(report).split('\n')
  expect(lines).toContain('## E: N = 1,000,000, d = 8, k = 400')
  expect(lines).toContain('Floor of cuda:0: 0.1000 ms.')
  const rows = lines.filter((line) => line.startsWith('| '))
  expect(rows.slice(2)).toEqual([
    '| fused | cuda:0 | 0.1600 | 0.1700 | 1.60 | 1235 | 57 | 12.35 |  |',
    '| eigen | cuda:0 | - | - | - | - | - | - | UNSUITABLE: Needs 14 GiB \\| too much. |',
  ])
  expect(markdown(report)).toContain('cuda:0 32000.0 G multiply-adds/s, 4450.0 GB/s')
  expect(markdown(report)).toContain('commit abc123')
})

it('the table of the terminal names the configuration in each line', () => {
  expect(plainTable(report).split('\n')[1]).toMatch(/^E +fused +cuda:0 +0\.1600 /)
})

it('an unknown floor leaves the ratio open', () => {
  const unknown = markdown({ ...report, entries: [{ ...fast, floorMs: null }] })
  expect(unknown).toContain('Floor of cuda:0: unknown.')
  expect(unknown).toContain('| 0.1600 | 0.1700 | - |')
})

it('files are named after the first GPU that took part, else the processor', () => {
  expect(machineName(report.machine, ['cpu', 'cuda:0'])).toBe('nvidia-h200')
  expect(machineName(report.machine, ['cpu'])).toBe('some-processor')
})
