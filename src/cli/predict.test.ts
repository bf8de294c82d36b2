import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCli } from './run-cli'

let folder = ''

// What `auto` learns about this machine must not land in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-predict-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function command(...args: string[]): Promise<{ status: number; out: string; said: string }> {
  let [out, said] = ['', '']
  const status = await runCli(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (said += text) },
    signal: new AbortController().signal,
    env: {},
  })
  return { status, out, said }
}

const at = (...names: string[]): string => join(folder, ...names)
const cells = (name: string): string[][] =>
  Papa.parse<string[]>(readFileSync(at(name), 'utf8'), { skipEmptyLines: true }).data

/** Clusters a file and answers where its run.json is. */
async function clustered(file: string, ...options: string[]): Promise<string> {
  const { status, said } = await command('cluster', file, ...options, '-o', at('model'), '--force')
  expect(status, said).toBe(0)
  return at('model', 'run.json')
}

async function predicted(file: string, model: string, ...options: string[]) {
  const answer = await command(
    'predict',
    file,
    '--model',
    model,
    '-o',
    at('assigned.csv'),
    '--json',
    ...options,
  )
  expect(answer.status, answer.said).toBe(0)
  return JSON.parse(answer.out) as {
    n: number
    dropped_rows: number
    filled_cells: number
    distance: number
    training_distance: number
    clusters: { size: number; share: number; training_share: number }[]
    features: { name: string; range: [number, number]; below: number; above: number; missing: number }[]
    warnings: string[]
    files: string[]
  }
}

function rows(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}

const two = ['a,b,note', '0,10,x', '1,11,y', '100,500,z', '101,502,w']

describe('rows that were clustered themselves', () => {
  it.each([
    ['examples/iris.csv', '-k', '3'],
    ['examples/iris.csv', '-k', '4', '--scaling', 'unit-length'],
    ['examples/iris.csv', '-k', '3', '--one-hot', 'species', '--scaling', 'robust'],
    ['examples/wine.csv', '-k', '5', '--scaling', 'min-max'],
  ])('get the labels and distances they had: %s %s %s %s', async (file, ...options) => {
    const model = await clustered(file, ...options)
    const { n, distance, training_distance: trained, warnings } = await predicted(file, model)
    expect(readFileSync(at('assigned.csv'), 'utf8')).toBe(readFileSync(at('model', 'labels.csv'), 'utf8'))
    expect(n).toBe(cells('assigned.csv').length - 1)
    expect(distance).toBeCloseTo(trained, 9)
    expect(warnings).toEqual([])
  })
})

it('a run in float64 gives its rows the same clusters, and distances to the last digits', async () => {
  const options = ['-k', '5', '--scaling', 'min-max', '--variant', 'sequential', '--precision', 'float64']
  const model = await clustered('examples/wine.csv', ...options)
  await predicted('examples/wine.csv', model)
  const [before, after] = [cells(join('model', 'labels.csv')), cells('assigned.csv')]
  expect(after.map((row) => row.slice(0, -1))).toEqual(before.map((row) => row.slice(0, -1)))
  after.slice(1).forEach((row, i) => expect(Number(row.at(-1))).toBeCloseTo(Number(before[i + 1].at(-1)), 14))
})

describe('rows of another file', () => {
  it('find their columns by name, whatever their order', async () => {
    writeFileSync(at('old.csv'), rows(two))
    writeFileSync(at('new.csv'), rows(['more,b,a', 'p,501,100', 'q,9,1']))
    const model = await clustered(at('old.csv'), '-k', '2', '--init', 'first-k', '--features', 'a,b')
    await predicted(at('new.csv'), model)
    const before = cells(join('model', 'labels.csv'))
    const [near, far] = [before[1][3], before[3][3]]
    expect(cells('assigned.csv').map((row) => row.slice(0, 4))).toEqual([
      ['more', 'b', 'a', 'cluster'],
      ['p', '501', '100', far],
      ['q', '9', '1', near],
    ])
  })

  it('get no cluster where a value is missing, or the kept mean where that filled gaps', async () => {
    writeFileSync(at('old.csv'), rows([...two, ',500,v']))
    writeFileSync(at('new.csv'), rows(['a,b', '1,', '100,500']))
    const dropping = await clustered(at('old.csv'), '-k', '2', '--features', 'a,b')
    const dropped = await predicted(at('new.csv'), dropping)
    expect(dropped.features.reduce((sum, { missing }) => sum + missing, 0)).toBe(1)
    expect([dropped.n, dropped.dropped_rows]).toEqual([1, 1])
    expect(cells('assigned.csv')[1].slice(2)).toEqual(['', ''])
    expect(dropped.warnings[0]).toMatch(/^1 row with missing values in the features got no cluster/)
    const filling = await clustered(at('old.csv'), '-k', '2', '--features', 'a,b', '--missing', 'mean')
    const filled = await predicted(at('new.csv'), filling, '--force')
    expect([filled.n, filled.filled_cells]).toEqual([2, 1])
  })

  it('are counted against what was clustered: shares, distances, ranges, unknown texts', async () => {
    writeFileSync(at('old.csv'), rows(['a,kind', '0,x', '1,x', '9,y', '10,y']))
    writeFileSync(at('new.csv'), rows(['a,kind', '10,y', '11,y', '40,z', '-3,y']))
    const model = await clustered(at('old.csv'), '-k', '2', '--features', 'a', '--one-hot', 'kind')
    const { features, clusters, warnings } = await predicted(at('new.csv'), model)
    expect(features[0]).toEqual({ name: 'a', range: [0, 10], below: 1, above: 2, missing: 0 })
    expect(clusters.map(({ share }) => share).sort()).toEqual([0.25, 0.75])
    expect(clusters.map(({ training_share: share }) => share)).toEqual([0.5, 0.5])
    expect(warnings.join('\n')).toMatch(/The column 'kind' has texts .* never seen: 'z'\./)
    expect(warnings.join('\n')).toMatch(/3 rows \(75 %\) with a value of 'a' outside 0 to 10/)
    expect(warnings.join('\n')).toMatch(/times as far from their centroids as those of old\.csv/)
  })

  it('are said to be shared out otherwise where chance does not explain it', async () => {
    writeFileSync(at('old.csv'), rows(['a', '0', '1', '9', '10']))
    writeFileSync(at('few.csv'), rows(['a', '9', '10', '9', '10']))
    writeFileSync(at('many.csv'), rows(['a', ...Array.from({ length: 50 }, (_, i) => String(9 + (i % 2)))]))
    const model = await clustered(at('old.csv'), '-k', '2')
    expect((await predicted(at('few.csv'), model)).warnings).toEqual([])
    const { warnings } = await predicted(at('many.csv'), model, '--force')
    expect(warnings).toContainEqual(expect.stringMatching(/has 100 % of the rows; it had 50 %/))
  })

  it('may lie far beyond what was clustered', async () => {
    writeFileSync(at('old.csv'), rows(['a', '1', '2', '9', '10']))
    writeFileSync(at('new.csv'), rows(['a', '1e30', '-1e30', '0', '11', '12']))
    const model = await clustered(at('old.csv'), '-k', '2')
    await predicted(at('new.csv'), model)
    const of = new Map(cells(join('model', 'labels.csv')).map(([a, cluster]) => [a, cluster]))
    expect(cells('assigned.csv').map((row) => row[1])).toEqual([
      'cluster',
      ...['10', '1', '1', '10', '10'].map((a) => of.get(a)),
    ])
  })

  it('may hold dates, in the unit that was clustered', async () => {
    writeFileSync(at('old.csv'), rows(['when', '2024-01-01', '2024-01-03', '2025-06-01', '2025-06-02']))
    writeFileSync(at('new.csv'), rows(['when', '2025-06-30', '2024-02-01']))
    writeFileSync(at('times.csv'), rows(['when,a', '2025-06-30 10:00:00,1', '2024-02-01 11:30:00,2']))
    const model = await clustered(at('old.csv'), '-k', '2', '--features', 'when')
    await predicted(at('new.csv'), model)
    const of = new Map(cells(join('model', 'labels.csv')).map(([day, cluster]) => [day, cluster]))
    expect(cells('assigned.csv').map((row) => row[1])).toEqual([
      'cluster',
      of.get('2025-06-01'),
      of.get('2024-01-01'),
    ])
    const { status, said } = await command('predict', at('times.csv'), '--model', model)
    expect(status).toBe(2)
    expect(said).toMatch(/^The column 'when' of times\.csv holds seconds .* made of days .*\.\n$/)
  })

  it('keep their distance from an empty file and from clusters that were dropped', async () => {
    writeFileSync(at('old.csv'), rows(['a', '1', '1', '9', '9']))
    const model = await clustered(at('old.csv'), '-k', '4', '--init', 'first-k', '--empty', 'drop')
    const { clusters } = await predicted(at('old.csv'), model)
    expect(clusters.map(({ size }) => size).reduce((sum, size) => sum + size)).toBe(4)
    expect(readFileSync(at('assigned.csv'), 'utf8')).toBe(readFileSync(at('model', 'labels.csv'), 'utf8'))
  })
})

describe('what cannot be', () => {
  it('names the column that is missing, and leaves nothing behind', async () => {
    writeFileSync(at('old.csv'), rows(two))
    writeFileSync(at('new.csv'), rows(['a,c', '1,2', '3,4']))
    const model = await clustered(at('old.csv'), '-k', '2', '--features', 'a,b')
    const { status, said } = await command(
      'predict',
      at('new.csv'),
      '--model',
      model,
      '-o',
      at('assigned.csv'),
    )
    expect(status).toBe(2)
    expect(said).toBe(
      "new.csv has no column 'b', which the clustering was made of: rename or add it (there are 'a', 'c').\n",
    )
    expect(readdirSync(folder).sort()).toEqual(['model', 'new.csv', 'old.csv'])
  })

  it('names every column that is missing at once', async () => {
    writeFileSync(at('old.csv'), rows(two))
    writeFileSync(at('new.csv'), rows(['A,B', '1,2', '3,4']))
    const model = await clustered(at('old.csv'), '-k', '2', '--features', 'a,b')
    const { status, said } = await command('predict', at('new.csv'), '--model', model)
    expect(status).toBe(2)
    expect(said).toBe(
      "new.csv lacks columns that the clustering was made of: rename or add 'a', 'b' (there are 'A', 'B').\n",
    )
  })

  it('names a column of texts', async () => {
    writeFileSync(at('old.csv'), rows(two))
    writeFileSync(at('new.csv'), rows(['a,b', 'one,2', 'two,4']))
    const model = await clustered(at('old.csv'), '-k', '2', '--features', 'a,b')
    const { status, said } = await command('predict', at('new.csv'), '--model', model)
    expect(status).toBe(2)
    expect(said).toMatch(/^The column 'a' of new\.csv holds no numbers: .*\.\n$/)
  })

  it.each([
    ['{', /^run\.json is no run\.json that this program can use \(.*JSON.*\): .*\.\n$/],
    ['{"format":"centroid-lab-run","version":1}', /\(file: .*\)/],
    ['{"format":"centroid-lab-run","version":9}', /\(version: .*\)/],
  ])('says what is wrong with a model: %s', async (text, sentence) => {
    writeFileSync(at('run.json'), text)
    const { status, said } = await command('predict', 'examples/iris.csv', '--model', at('run.json'))
    expect(status).toBe(2)
    expect(said).toMatch(sentence)
  })

  it('asks before it replaces a file, and never replaces the data', async () => {
    writeFileSync(at('old.csv'), rows(two))
    const model = await clustered(at('old.csv'), '-k', '2', '--features', 'a,b')
    writeFileSync(at('assigned.csv'), 'mine')
    const args = ['predict', at('old.csv'), '--model', model, '-o']
    const refused = await command(...args, at('assigned.csv'))
    expect(refused.status).toBe(2)
    expect(refused.said).toMatch(/exists: add --force to replace it, or choose another file with -o\.\n$/)
    expect((await command(...args, at('old.csv'), '--force')).said).toMatch(/is the data file itself/)
    expect(readFileSync(at('assigned.csv'), 'utf8')).toBe('mine')
  })

  it('asks for a model', async () => {
    const { status, said } = await command('predict', 'examples/iris.csv')
    expect([status, said]).toEqual([
      2,
      'Expected a run.json or a session for --model but received nothing.\n',
    ])
  })
})
