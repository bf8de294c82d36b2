import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { writeExport } from '@engine/export/index'
import { runKmeans } from '@engine/run/run-kmeans'
import type { ImportOverrides } from '@shared/dataset'
import { exportFileNames, type ExportKind } from '@shared/ipc'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { runCli } from './run-cli'

const signal = new AbortController().signal
const nothing = () => undefined
let folder = ''

// What `auto` learns about this machine must not land in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-repeat-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Single quotes, a decimal comma, a header that looks like data and numbers that count up: all detected wrongly. */
const hardFile = Array.from({ length: 40 }, (_, i) => {
  const far = i % 2 === 0 ? 10 : -10
  return `${i};'${far},${i % 10}';${i % 7 === 0 ? 'none' : far + (i % 3)};'x;${i}'`
})
const hardOverrides: ImportOverrides = {
  ...{ format: 'delimited', delimiter: ';', decimal: ',', quote: "'", header: true, encoding: 'latin1' },
  columnTypes: { 0: 'numeric', 2: 'numeric', 3: 'text' },
}

/** A run as the window has it, without a window: the same engine, every file written. */
async function windowRun(path: string, overrides: ImportOverrides, config: RunConfig): Promise<string> {
  const dataset = await openDataset(path, overrides, nothing, signal)
  const result = await runKmeans(dataset, config, { phase: nothing, iterations: nothing }, signal)
  const kinds: ExportKind[] = ['centroids', 'labels', 'run']
  if (config.history) kinds.push('history')
  if (config.centroidHistory) kinds.push('history-centroids')
  for (const kind of kinds) {
    const to = join(dirname(path), exportFileNames[kind])
    await writeExport(result, kind, to, { replace: false, onProgress: nothing, signal })
  }
  return dirname(path)
}

/** What run.json says, carried out beside the file. */
async function repeat(original: string): Promise<string> {
  const { command_line: line } = JSON.parse(text(original, 'run.json')) as { command_line: string[] }
  const [program, command, file, ...options] = line
  expect(program).toBe('centroid-lab')
  const again = join(original, 'again')
  let said = ''
  const status = await runCli([command, join(original, file), ...options, '-o', again], {
    stdout: { write: nothing },
    stderr: { write: (message) => (said += message) },
    signal,
    env: {},
  })
  expect(status, said).toBe(0)
  return again
}

const text = (...path: string[]): string => readFileSync(join(...path), 'utf8')

/** history.csv up to its times. */
function untimed(history: string): string[][] {
  return Papa.parse<string[]>(history).data.map((row) => row.slice(0, 5))
}

/** run.json without times, what was left to `auto`, and the devices looked at to settle that. */
function untimedRun(run: string): Record<string, unknown> {
  const {
    command_line,
    file,
    import: read,
    features,
    preparation,
    results,
  } = JSON.parse(run) as Record<string, object>
  const { timings: _timings, ...result } = results as Record<string, unknown>
  return { command_line, file, read, features, preparation, result }
}

describe('the command line in run.json', () => {
  it('repeats a run of the window: hard to read, everything set by hand, history kept', async () => {
    const path = join(folder, '-hard file.csv')
    writeFileSync(path, hardFile.join('\n'), 'latin1')
    const original = await windowRun(path, hardOverrides, {
      ...defaultRunConfig,
      ...{ k: 3, seed: 11, nInit: 2, scaling: 'standardise', missing: 'mean', stop: 'labels', tolerance: 0 },
      ...{ history: true, centroidHistory: true, timing: 'iterations' },
    })
    const again = await repeat(original)
    for (const file of ['centroids.csv', 'labels.csv', 'history-centroids.csv']) {
      expect(text(again, file)).toBe(text(original, file))
    }
    expect(untimed(text(again, 'history.csv'))).toEqual(untimed(text(original, 'history.csv')))
    expect(untimedRun(text(again, 'run.json'))).toEqual(untimedRun(text(original, 'run.json')))
  })

  it('tells what was set by hand, and the types by column', async () => {
    const path = join(folder, 'hard.csv')
    writeFileSync(path, hardFile.join('\n'), 'latin1')
    const original = await windowRun(path, hardOverrides, defaultRunConfig)
    expect(JSON.parse(text(original, 'run.json'))).toMatchObject({
      import: {
        overrides: {
          ...{ delimiter: ';', decimal: ',', quote: "'", header: true, encoding: 'latin1' },
          column_types: [
            { index: 0, name: '0', type: 'numeric' },
            { index: 2, name: 'none', type: 'numeric' },
            { index: 3, name: 'x;0', type: 'text' },
          ],
        },
      },
    })
  })

  it('repeats a run that kept only its iterations', async () => {
    const path = join(folder, 'plain.csv')
    writeFileSync(path, 'a,b\n1,2\n2,1\n9,8\n8,9\n5,5\n')
    const original = await windowRun(path, {}, { ...defaultRunConfig, k: 2, history: true })
    const again = await repeat(original)
    expect(untimed(text(again, 'history.csv'))).toEqual(untimed(text(original, 'history.csv')))
    expect(() => text(again, 'history-centroids.csv')).toThrow('ENOENT')
  })

  it('repeats a run with a number of workers of its own', async () => {
    const path = join(folder, 'plain.csv')
    writeFileSync(
      path,
      `a,b\n${Array.from({ length: 40 }, (_, i) => `${i % 7},${(i * i) % 11}`).join('\n')}\n`,
    )
    const config = {
      ...defaultRunConfig,
      k: 3,
      engine: 'webgpu',
      variant: 'partial-sums',
      workers: 7,
    } as const
    const original = await windowRun(path, {}, config)
    const {
      command_line: line,
      configuration,
      results,
    } = JSON.parse(text(original, 'run.json')) as {
      readonly command_line: string[]
      readonly configuration: object
      readonly results: object
    }
    expect(line.join(' ')).toContain('--variant partial-sums --workers 7')
    expect(configuration).toMatchObject({ workers: 7 })
    expect(results).toMatchObject({ workers: 7 })
    const again = await repeat(original)
    expect(text(again, 'labels.csv')).toBe(text(original, 'labels.csv'))
    expect(untimedRun(text(again, 'run.json'))).toEqual(untimedRun(text(original, 'run.json')))
  })

  it('names a column of a file without a header by its place', async () => {
    const path = join(folder, 'bare.csv')
    writeFileSync(path, '1,7,2\n2,7,1\n9,7,8\n8,7,9\n')
    const overrides: ImportOverrides = { header: false, columnTypes: { 1: 'numeric', 2: 'text' } }
    const original = await windowRun(path, overrides, { ...defaultRunConfig, k: 2 })
    expect(text(original, 'centroids.csv')).toContain('column 1,column 2\n')
    expect(text(await repeat(original), 'centroids.csv')).toBe(text(original, 'centroids.csv'))
  })
})

it('says which columns there are when a type is for none of them', async () => {
  let said = ''
  const io = { stdout: { write: nothing }, stderr: { write: (message: string) => (said = message) } }
  const args = ['cluster', 'examples/iris.csv', '-k', '3', '--column-type', 'petal=numeric']
  expect(await runCli(args, { ...io, signal, env: {} })).toBe(2)
  expect(said).toMatch(/^iris\.csv has no column 'petal' .*'petal_length'.*\.\n$/)
})
