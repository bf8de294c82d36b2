import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { engineIds } from '@shared/variant'
import { runCli } from './run-cli'

let folder = ''

// What `auto` learns about this machine must not land in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-cli-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Said {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

async function lab(args: readonly string[], signal = new AbortController().signal): Promise<Said> {
  const said = { stdout: '', stderr: '' }
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    signal,
    env: {},
  })
  return { status, ...said }
}

const iris = ['cluster', 'examples/iris.csv', '-k', '3', '--init', 'first-k', '--stop', 'labels']

/** One sentence, no stack, no result. */
function expectSentence({ stdout, stderr }: Said, pattern: RegExp): void {
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^[^\n]+\.\n$/)
  expect(stderr).not.toMatch(/\n\s+at |internal/)
  expect(stderr).toMatch(pattern)
}

describe('without a command', () => {
  it('--help offers what there is and nothing else', async () => {
    const { status, stdout } = await lab(['--help'])
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /cluster.*\n.*scan.*\n.*judge.*\n.*predict.*\n.*verify.*\n.*generate.*\n(.*\n)?.*engines/,
    )
    expect(stdout).not.toMatch(/train|classify/)
  })

  it('cluster --help names every option', async () => {
    const { stdout } = await lab(['cluster', '--help'])
    const options =
      '-k -o --engine --device --variant --init --centroids --seed --stop --tolerance --max-iterations'
    const more =
      '--n-init --empty --features --scaling --missing --delimiter --decimal --no-header --encoding --timing --quote --header --format --column-type'
    for (const option of `${options} ${more} --history --steps --force --json`.split(' ')) {
      expect(stdout).toContain(option)
    }
  })

  it('--version tells the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await lab(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('nothing, or what is no command, is wrong use', async () => {
    expect((await lab([])).status).toBe(2)
    const said = await lab(['train'])
    expect(said.status).toBe(2)
    expectSentence(said, /cluster, scan, judge, predict, verify, generate, (\w+, )?engines/)
  })
})

describe('the window', () => {
  it('needs a file and a display', async () => {
    const missing = await lab([join(folder, 'none.csv')])
    expect(missing.status).toBe(2)
    expectSentence(missing, /none\.csv/)
    const noDisplay = await lab(['examples/iris.csv'])
    expect(noDisplay.status).toBe(1)
    expectSentence(noDisplay, /display.*cluster examples\/iris\.csv/)
  })
})

describe('cluster', () => {
  it('warns of rows with stray quotes and of lines above the table, in --json and in run.json', async () => {
    const path = join(folder, 'stray.csv')
    const row = (i: number) => `${i % 7};${i % 5};${i === 97 ? '"Acme" Ltd' : i === 8997 ? '"Foo"' : 'plain'}`
    writeFileSync(path, ['sep=;', 'x;y;name', ...Array.from({ length: 10_000 }, (_, i) => row(i))].join('\n'))
    const { status, stdout } = await lab(['cluster', path, '-k', '3', '-o', join(folder, 'out'), '--json'])
    expect(status).toBe(0)
    const warnings = [
      "Row 1 is 'sep=;', which names the delimiter: it is no data.",
      'Row 100: a quote stands in the middle of a cell; the cell was read as text.',
      'Not used as features: name (not numeric).',
    ]
    expect(JSON.parse(stdout)).toMatchObject({ n: 10_000, warnings })
    const document: unknown = JSON.parse(readFileSync(join(folder, 'out', 'run.json'), 'utf8'))
    expect(document).toMatchObject({
      import: { doubtful_rows: 1, warnings: warnings.slice(0, 2) },
      results: { warnings },
    })
  })

  it('prints one object with the keys of the specification', async () => {
    const { status, stdout } = await lab([...iris, '--json'])
    expect(status).toBe(0)
    const object: unknown = JSON.parse(stdout)
    expect(object).toMatchObject({
      ...{
        n: 150,
        d: 4,
        k: 3,
        seed: 1,
        stopped: 'labels',
        converged: true,
        sizes: [39, 61, 50],
        warnings: ['Not used as features: species (not numeric).'],
      },
      ...{ engine: expect.any(String), device: expect.any(String), variant: expect.any(String) },
      ...{ deterministic: true, iterations: expect.any(Number) },
      centroids: [expect.any(Array), expect.any(Array), expect.any(Array)],
    })
    expect(object).toHaveProperty('inertia', expect.closeTo(78.8557, 3))
    const phases = ['load', 'upload', 'init', 'assign', 'update', 'converge', 'download', 'total']
    for (const phase of phases) expect(object).toHaveProperty(`timings.${phase}_ms`)
  })

  it('prints a table, why it stopped and what really ran', async () => {
    const { stdout } = await lab(iris)
    expect(stdout).toMatch(/iris\.csv: 150 points, 4 features, k = 3/)
    expect(stdout).toMatch(/cluster +size +inertia +sepal_length/)
    expect(stdout).toMatch(/Inertia +78\.8557/)
    expect(stdout).toMatch(/Stopped +after \d+ iterations by the rule labels/)
    expect(stdout).toMatch(/Seed +1/)
    expect(stdout).toMatch(/Computed on .+ variant \S+, float32/)
  })

  it('starts from random coordinates, the same on every engine, others for another seed', async () => {
    const start = async (seed: string, ...more: string[]) => {
      const args = [
        '--init',
        'random-box',
        '--max-iterations',
        '1',
        '--stop',
        'none',
        '--seed',
        seed,
        '--json',
      ]
      const { stdout } = await lab(['cluster', 'examples/iris.csv', '-k', '12', ...args, ...more])
      return (JSON.parse(stdout) as { centroids: number[][] }).centroids
    }
    const centroids = await start('5', '--engine', 'cpu', '--variant', 'fused')
    expect(await start('5', '--engine', 'cpu', '--variant', 'openmp')).toEqual(centroids)
    expect(await start('6', '--engine', 'cpu', '--variant', 'fused')).not.toEqual(centroids)
    // Empty clusters keep their place, which is no row of the file but lies in its box.
    const box = [[4.3, 7.9], [2, 4.4], [1, 6.9], [0.1, 2.5]] // prettier-ignore
    const isInside = (value: number, j: number) => value >= box[j][0] - 1e-6 && value <= box[j][1] + 1e-6
    expect(centroids).toHaveLength(12)
    expect(centroids.every((centroid) => centroid.every(isInside))).toBe(true)
    const { status, stderr } = await lab([
      'cluster',
      'examples/iris.csv',
      '-k',
      '151',
      '--init',
      'random-box',
    ])
    expect([status, stderr]).toEqual([2, expect.stringMatching(/k is 151 but iris\.csv has only 150/)])
  })

  it.each(['cosine', 'manhattan', 'chebyshev'])(
    'refuses the distance %s with the reason, and takes euclidean',
    async (distance) => {
      for (const command of ['cluster', 'bench']) {
        const said = await lab([command, 'examples/iris.csv', '-k', '3', '--distance', distance])
        expect(said.status).toBe(2)
        expectSentence(said, new RegExp(`--distance ${distance}.*the mean .* Euclidean distance`))
        expectSentence(said, /the scaling unit-length/)
        const other = await lab([command, 'examples/iris.csv', '-k', '3', `--metric=${distance}`])
        expectSentence(other, new RegExp(`--metric ${distance}`))
      }
      const { status } = await lab([...iris, '--distance', 'euclidean', '--engine', 'cpu'])
      expect(status).toBe(0)
    },
  )

  it('shows the iterations with --history', async () => {
    const { stdout } = await lab([...iris, '--history'])
    expect(stdout).toMatch(/run +iteration +inertia +max_shift +changed/)
    expect(stdout).toMatch(/\n +0 +1 +\S+ +\S+ +150 /)
  })

  it('says that one start was tried where others may end elsewhere', async () => {
    const drawn = ['cluster', 'examples/iris.csv', '-k', '3']
    expect((await lab(drawn)).stdout).toContain(
      'Note: one start was tried. --n-init 10 keeps the best of ten.',
    )
    for (const more of [['--n-init', '3'], ['--init', 'first-k'], ['--json']])
      expect((await lab([...drawn, ...more])).stdout).not.toContain('Note:')
  })

  it('warns of rows that were left out, with their number, and of nothing where none was', async () => {
    const path = join(folder, 'gaps.csv')
    writeFileSync(path, 'a,b\n1.5,2\n2.5,\n3.5,n/a\n4.5,1\n5.5,6,7\n6.5,3\n')
    const args = ['cluster', path, '-k', '2', '--features', 'a,b']
    const left = await lab([...args, '--json', '-o', join(folder, 'gaps')])
    const warnings = [
      '1 row of the file was left out: too many or too few cells, in row 6.',
      '2 rows of the file were left out: missing values in the selected columns, the first in row 3.',
      "Column b: 1 cell is no number and counts as missing, 'n/a' in row 4.",
    ]
    expect(JSON.parse(left.stdout)).toMatchObject({ n: 3, warnings })
    const document: unknown = JSON.parse(readFileSync(join(folder, 'gaps', 'run.json'), 'utf8'))
    expect(document).toMatchObject({ results: { warnings } })
    expect((await lab(args)).stdout).toContain(`Warning: ${warnings[1]}`)
    const filled = await lab([...args, '--missing', 'mean', '--json'])
    expect(JSON.parse(filled.stdout)).toMatchObject({ n: 5, warnings: [warnings[0], warnings[2]] })
  })

  it.each([
    ['cannot be done', ['-k', '151'], 'run.k-too-large', /^k is 151 but iris\.csv has only 150 /],
    ['is wrong use', ['-k', '3', '--no-such'], 'argument.option', /--no-such/],
  ])(
    'says what %s as one object where one was asked for, so that no program parses prose',
    async (...row) => {
      const [, options, code, sentence] = row
      const { status, stdout, stderr } = await lab(['cluster', 'examples/iris.csv', '--json', ...options])
      expect([status, stdout]).toEqual([2, ''])
      const message = expect.stringMatching(sentence) as string
      expect(JSON.parse(stderr)).toEqual({ error: { kind: 'input', code, message } })
    },
  )

  it('clusters the rows that a filter keeps, and says which it does not', async () => {
    const out = join(folder, 'out')
    const args = ['--filter', 'species != setosa and petal_length < 6', '-o', out]
    const said = await lab([...iris.slice(0, 3), '2', ...args, '--json'])
    const result = JSON.parse(said.stdout) as Record<string, unknown>
    expect(result).toMatchObject({ n: 89, filtered_rows: 61 })
    expect(result['warnings']).toContain(
      '61 rows of the file were left out: the filter species != setosa and petal_length < 6 does not keep them, the first in row 2.',
    )
    const labels = Papa.parse<string[]>(readFileSync(join(out, 'labels.csv'), 'utf8').trim()).data.slice(1)
    expect(labels.filter((row) => row[5] === '')).toHaveLength(61)
    expect(labels.every((row) => (row[5] === '') === (row[4] === 'setosa' || Number(row[2]) >= 6))).toBe(true)
    const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as Record<string, unknown>
    expect(run).toMatchObject({
      preparation: { dropped_rows: 0, filtered_rows: 61 },
      configuration: { filter: 'species != setosa and petal_length < 6' },
    })
    expect(run['command_line']).toContain('species != setosa and petal_length < 6')
    const text = (await lab([...iris.slice(0, 3), '2', '--filter', 'species = setosa'])).stdout
    expect(text).toContain('50 points (100 rows left out by the filter), 4 features')
  })

  it('makes features of the texts of a column, whose centroids are shares and can be read again', async () => {
    const out = join(folder, 'out')
    const said = await lab([
      ...iris,
      '--one-hot',
      'species',
      '--history',
      '--steps',
      '1',
      '-o',
      out,
      '--json',
    ])
    expect(JSON.parse(said.stdout)).toMatchObject({ n: 150, d: 7 })
    const centroids = join(out, 'centroids.csv')
    const [header, ...rows] = Papa.parse<string[]>(readFileSync(centroids, 'utf8').trim()).data
    expect(header.slice(-3)).toEqual(['species=setosa', 'species=versicolor', 'species=virginica'])
    const shares = rows.map((row) => row.slice(-3).map(Number))
    for (const row of shares) expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 6)
    const points = Papa.parse<string[]>(readFileSync(join(out, 'step-1-points.csv'), 'utf8').trim()).data
    expect([points[1].slice(0, 7), points[150].slice(4, 7)]).toEqual([
      ['5.1', '3.5', '1.4', '0.2', '1', '0', '0'],
      ['0', '0', '1'],
    ])
    const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as Record<string, unknown>
    expect(run).toMatchObject({ configuration: { one_hot: ['species'] } })
    expect((run['features'] as unknown[])[4]).toMatchObject({
      ...{ index: 4, name: 'species=setosa', category: 'setosa', scaling: 'one-hot' },
    })
    const again = await lab([...iris.slice(0, 2), '--one-hot', 'species', '--centroids', centroids, '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ k: 3, d: 7, iterations: 1 })
  })

  it('clusters dates as numbers where they are asked for, and says their order and unit', async () => {
    const data = join(folder, 'visits.csv')
    const rows = Array.from({ length: 40 }, (_, i) => `${i < 20 ? 3 : 9}/${1 + (i % 20)}/2024,${i % 7}`)
    writeFileSync(data, ['when,x', ...rows].join('\n'))
    const out = join(folder, 'out')
    const args = ['cluster', data, '-k', '2', '--features', 'when', '--init', 'first-k', '-o', out]
    const said = await lab(args)
    expect(said.stdout).toContain('(when in days since 1970-01-01)')
    expect(said.stdout).toContain('Column when: dates are read month first, as days since 1970-01-01')
    const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as Record<string, unknown>
    expect(run['features']).toMatchObject([{ name: 'when', unit: 'days since 1970-01-01' }])
    const days = (run['centroids'] as number[][]).map(([day]) => Math.round(day)).toSorted()
    // The middles of 1 to 20 March and of 1 to 20 September 2024.
    expect(days).toEqual([19_793, 19_977])
    const other = await lab([
      'cluster',
      data,
      '-k',
      '2',
      '--json',
      '--column-type',
      'when=date-dmy',
      '--features',
      'when',
    ])
    expect(JSON.parse(other.stdout)).toMatchObject({ n: 24 })
    const plain = JSON.parse((await lab(['cluster', data, '-k', '2', '--json'])).stdout) as Record<
      string,
      unknown
    >
    expect(plain).toMatchObject({ d: 1 })
    expect(plain['warnings']).toContain('Not used as features: when (date).')
  })

  it('a filter that cannot be read, or asked of a column, ends with 2 and one sentence', async () => {
    const refused = await lab([...iris, '--filter', 'petal_width >'])
    expect(refused.status).toBe(2)
    expectSentence(refused, /cannot be read at character 14: the end is there where a value is expected/)
    const unfit = await lab([...iris, '--filter', 'species > 3'])
    expect(unfit.status).toBe(2)
    expectSentence(unfit, /species > 3 .*use =, !=, in or contains/)
  })

  it('says so when it has not converged', async () => {
    const { stdout } = await lab([...iris, '--max-iterations', '2'])
    expect(stdout).toMatch(/NOT converged/)
  })

  it('writes the files asked for, which another parser reads back', async () => {
    const out = join(folder, 'new', 'results')
    const args = [...iris, '--history', '--steps', '2', '-o', out, '--json']
    const { status, stdout } = await lab(args)
    expect(status).toBe(0)
    const steps = ['step-1-centroids.csv', 'step-1-points.csv', 'step-2-centroids.csv', 'step-2-points.csv']
    const files = [
      'centroids.csv',
      'history-centroids.csv',
      'history.csv',
      'labels.csv',
      'run.json',
      ...steps,
    ]
    expect(readdirSync(out).sort()).toEqual(files)
    const labels = Papa.parse<string[]>(readFileSync(join(out, 'labels.csv'), 'utf8').trimEnd()).data.slice(1)
    const sizes = [0, 1, 2].map((cluster) => labels.filter((row) => row[5] === String(cluster)).length)
    expect(sizes).toEqual([39, 61, 50])
    expect(JSON.parse(stdout)).toMatchObject({ files: expect.any(Array), history: expect.any(Array) })
  })

  it('leaves no step of a longer run beside those that replace it', async () => {
    const steps = (count: string) => lab([...iris, '--steps', count, '--force', '-o', folder])
    expect((await steps('3')).status).toBe(0)
    expect((await steps('1')).status).toBe(0)
    expect(readdirSync(folder).filter((name) => name.startsWith('step'))).toEqual([
      'step-1-centroids.csv',
      'step-1-points.csv',
    ])
  })

  it('refuses files that exist before it works, unless given otherwise', async () => {
    writeFileSync(join(folder, 'labels.csv'), 'mine')
    const said = await lab([...iris, '-o', folder])
    expect(said.status).toBe(2)
    expectSentence(said, /labels\.csv already exists: add --force/)
    expect(readdirSync(folder)).toEqual(['labels.csv'])
    expect((await lab([...iris, '-o', folder, '--force'])).status).toBe(0)
    expect(readFileSync(join(folder, 'labels.csv'), 'utf8')).toContain('setosa')
  })

  it('takes k from a centroid file that it wrote itself', async () => {
    await lab([...iris, '-o', folder])
    const again = ['cluster', 'examples/iris.csv', '--centroids', join(folder, 'centroids.csv'), '--json']
    const { status, stdout } = await lab([...again, '--stop', 'labels'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ k: 3, sizes: [39, 61, 50] })
  })
})

it('a headed file gives its own k', async () => {
  const data = join(folder, 'study.txt')
  writeFileSync(data, '6\n2\n2\n0 0\n0 1\n1 0\n9 9\n9 8\n8 9\n')
  const { status, stdout } = await lab(['cluster', data, '--json'])
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ n: 6, d: 2, k: 2, sizes: [3, 3] })
})

describe('engines', () => {
  it('lists every engine with its devices and variants, or the reason why it is not there', async () => {
    const { status, stdout } = await lab(['engines', '--json'])
    expect(status).toBe(0)
    const { engines } = JSON.parse(stdout) as { engines: Record<string, unknown>[] }
    expect(engines.map(({ id }) => id)).toEqual(engineIds)
    for (const { available, reason, devices } of engines) {
      expect(available ? reason : typeof reason).toBe(available ? null : 'string')
      expect(available).toBe(Array.isArray(devices) && devices.length > 0)
    }
    const text = await lab(['engines'])
    for (const { id } of engines)
      expect(text.stdout).toMatch(new RegExp(`^${String(id)}: (not )?available`, 'm'))
  })
})

describe('bad input', () => {
  it('of the data ends with 2 and one sentence', async () => {
    const empty = join(folder, 'empty.csv')
    writeFileSync(empty, '')
    const cases: readonly (readonly [args: readonly string[], pattern: RegExp])[] = [
      [['cluster', join(folder, 'none.csv'), '-k', '3'], /none\.csv/],
      [['cluster', empty, '-k', '3'], /empty\.csv/],
      [['cluster', folder, '-k', '3'], /folder|directory/],
      [['cluster', 'examples/iris.csv'], /-k/],
      [['cluster', 'examples/iris.csv', '-k', '151'], /150/],
      [['cluster', 'examples/iris.csv', '-k', '3', '--features', 'petal'], /petal/],
      [['cluster', 'examples/iris.csv', '-k', '3', '--variant', 'warp'], /warp/],
    ]
    for (const [args, pattern] of cases) {
      const said = await lab(args)
      expect([args, said.status]).toEqual([args, 2])
      expectSentence(said, pattern)
    }
  })

  it('missing cells that are refused: the row, the column, and every other policy by its option', async () => {
    const path = join(folder, 'gap.csv')
    writeFileSync(path, 'a,b\n1.5,2\n2.5,\n4.5,1\n')
    const said = await lab(['cluster', path, '-k', '2', '--features', 'a,b', '--missing', 'refuse'])
    expect(said.status).toBe(2)
    expectSentence(said, /Row 3, column 'b' of gap\.csv/)
    for (const policy of ['drop', 'mean', 'median']) expect(said.stderr).toContain(`--missing ${policy}`)
  })

  it('an engine that is not there ends with 1', async () => {
    const said = await lab([...iris, '--engine', 'cuda'])
    expect(said.status).toBe(1)
    expectSentence(said, /cuda|CUDA/)
  })

  it.each([
    ['a file ends with 2', 'file', 2],
    ['a place below a file ends with 1', join('file', 'below'), 1],
  ])('-o onto %s, before any work', async (_, out, status) => {
    writeFileSync(join(folder, 'file'), '')
    const said = await lab([...iris, '-o', join(folder, out)])
    expect(said.status).toBe(status)
    expectSentence(said, /file/)
  })
})

it('a cancelled run ends with 130 and leaves nothing', async () => {
  const controller = new AbortController()
  const rows = Array.from({ length: 20_000 }, (_, i) => `${Math.sin(i)},${Math.cos(i * 7)},${i % 97}`)
  const data = join(folder, 'big.csv')
  writeFileSync(data, `a,b,c\n${rows.join('\n')}\n`)
  setTimeout(() => controller.abort(), 300)
  const endless = ['--stop', 'none', '--max-iterations', '100000000']
  const out = join(folder, 'out')
  const said = await lab(['cluster', data, '-k', '50', ...endless, '-o', out], controller.signal)
  expect(said.status).toBe(130)
  expectSentence(said, /Cancelled/)
  expect(readdirSync(folder)).toEqual(['big.csv'])
})

describe('a file that is no text', () => {
  const files = 'tests/formats/files'
  const table = (ending: string) => ['cluster', `${files}/table-lz4.${ending}`, '-k', '2']

  it.each(['parquet', 'arrow', 'arrows'])(
    '%s gives the clusters of the same table as CSV',
    async (ending) => {
      const options = ['--stop', 'labels', '--json']
      const [columns, text] = [
        await lab([...table(ending), ...options]),
        await lab([...table('csv'), ...options]),
      ]
      expect(columns.status).toBe(0)
      const results = ({ stdout }: Said) => (JSON.parse(stdout) as { centroids: unknown }).centroids
      expect(results(columns)).toBeDefined()
      expect(results(columns)).toEqual(results(text))
    },
  )

  it('has no delimiter: who gives one is told in one sentence', async () => {
    const said = await lab([...table('parquet'), '--delimiter', ';'])
    expect(said.status).not.toBe(0)
    expectSentence(said, /table-lz4\.parquet has no text, so that no delimiter can be set for it/)
  })

  it('is compared as any other file', async () => {
    const bench = ['bench', `${files}/table-lz4.parquet`, '-k', '2', '--variants', 'sequential']
    const { status, stdout, stderr } = await lab([...bench, '--repeats', '1'])
    expect(stderr).not.toContain('cannot')
    expect(status).toBe(0)
    expect(stdout).toContain('table-lz4.parquet')
  })
})
