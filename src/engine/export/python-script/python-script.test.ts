import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import type { RunResult } from '@engine/run/types'
import type { ImportOverrides } from '@shared/dataset'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { pythonScript } from './python-script'

const never = new AbortController().signal
/** Another one may be named, where scikit-learn is not in that of the system. */
const python = process.env['CENTROID_LAB_PYTHON'] ?? 'python3'
const has = (module: string): boolean => {
  try {
    execFileSync(python, ['-c', `import ${module}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const [hasPython, hasNumpy, hasSklearn] = [has('csv'), has('numpy'), has('sklearn')]
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-python-'))
  const missing = hasSklearn ? null : hasNumpy ? 'scikit-learn' : hasPython ? 'numpy' : 'Python'
  if (missing)
    console.warn(
      `Copy as Python is not run: ${missing} is missing (CENTROID_LAB_PYTHON names another python3)`,
    )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function clustered(
  path: string,
  wanted: Partial<RunConfig>,
  overrides: ImportOverrides = {},
): Promise<RunResult> {
  const dataset = await openDataset(resolve(path), overrides, () => undefined, never)
  const config: RunConfig = { ...defaultRunConfig, engine: 'cpu', variant: 'fused', ...wanted }
  return runKmeans(dataset, config, { phase: () => undefined, iterations: () => undefined }, never)
}

/** A label for each row of the dataset, -1 for those left out. */
function rowLabels({ dataset, labels, points }: RunResult): number[] {
  const all = new Array<number>(dataset.rows).fill(-1)
  labels.forEach((label, point) => (all[points.rows?.[point] ?? point] = label))
  return all
}

function scriptOf(result: RunResult): string {
  const script = join(folder, 'again.py')
  writeFileSync(script, pythonScript(result))
  return script
}

/** The labels that scikit-learn gives. */
function labelsInPython(result: RunResult): number[] {
  const out = join(folder, 'labels.txt')
  execFileSync(python, [scriptOf(result), out], { stdio: ['ignore', 'pipe', 'inherit'] })
  return readFileSync(out, 'utf8').trim().split('\n').map(Number)
}

/** A NumPy file of float64 rows. */
function npy(values: readonly number[], d: number): Uint8Array {
  const head = `{'descr': '<f8', 'fortran_order': False, 'shape': (${values.length / d}, ${d}), }`
  const header = `${head.padEnd(117)}\n`
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0])
  return Buffer.concat([start, Buffer.from(header), Buffer.from(Float64Array.from(values).buffer)])
}

/** Files that are written one way or another; all of them have rows for three clusters. */
const files: Readonly<Record<string, () => string | Uint8Array>> = {
  'written.csv': () =>
    [
      'sep=;',
      '# prices of a shop',
      'day;price;share;kind',
      ...[
        '3.1.2024;1.580,30 €;12 %;a',
        '5.1.2024;1.600,00 €;11 %;a',
        '',
        '1.6.2024;20,5 €;80 %;b',
        '7.6.2024;;70 %;b',
        '9.6.2024;31,25 €;75 %;b',
        '11.12.2024;-400 €;5 %;c',
        '19.12.2024;-380,50 €;6 %;?',
      ],
    ].join('\n'),
  'quoted.csv': () => "a,b,'c, d'\n1,2,'x\ny'\n2,3,z\n10,20,'it''s'\n11,21,z\n-5,4,x\n-6,5,x\nlong,1,2,3\n",
  'blanks.txt': () => '6\n2\n2\n1.5  2\n 1.25\t2.5\n9 9 \n9.5 8.75\n1e1 9\n1 3\n',
  'utf16.csv': () => Buffer.from('\ufeffä,b\n1,2\n2,1\n30,31\n33,30\n-9,-8\n-8,-8\n', 'utf16le'),
  'table.npy': () => npy([1, 2, 2, 1, 30, 31, 33, 30, -9, -8, -8, -8], 2),
  'packed.csv.gz': () => gzipSync('x,y\n1,1\n2,2\n50,50\n51,52\n-9,-9\n-8,-10\n'),
}

function file(name: string): string {
  const make = files[name]
  if (make === undefined) return name
  const path = join(folder, name)
  writeFileSync(path, make())
  return path
}

const filter = parseFilter
const cases: [string, string, Partial<RunConfig>, ImportOverrides][] = [
  ['iris as it is', 'examples/iris.csv', {}, {}],
  [
    'wine standardised, the best of several starts',
    'examples/wine.csv',
    { scaling: 'standardise', nInit: 4, k: 4 },
    {},
  ],
  ['digits, many features', 'examples/digits.csv', { k: 10, seed: 3 }, {}],
  ['another stop rule', 'examples/iris.csv', { stop: 'coordinate-shift', tolerance: 0.05, k: 5 }, {}],
  ['few iterations', 'examples/wine.csv', { stop: 'none', maxIterations: 3, scaling: 'min-max' }, {}],
  ['rows of unit length', 'examples/iris.csv', { scaling: 'unit-length' }, {}],
  [
    'texts as features, a scaling of its own',
    'examples/iris.csv',
    {
      oneHot: ['species'],
      scaling: 'robust',
      columnScalings: [{ column: 'sepal_width', scaling: 'min-max' }],
    },
    {},
  ],
  [
    'a filter',
    'examples/iris.csv',
    {
      filter: filter(
        '(sepal_length > 5 or species = setosa) and not rows(3-5,60) and petal_width between 0.1 and 2.3',
      ),
      k: 2,
    },
    {},
  ],
  [
    'a filter of texts',
    'examples/iris.csv',
    { filter: filter('species in (setosa, virginica) or species contains color'), k: 3 },
    {},
  ],
  [
    'dates, units, a missing cell that is filled',
    'written.csv',
    { missing: 'mean', features: ['day', 'price', 'share'], scaling: 'standardise' },
    {},
  ],
  [
    'a missing cell whose row is dropped',
    'written.csv',
    { features: ['price', 'share'], scaling: 'min-max', filter: filter('kind is not missing') },
    {},
  ],
  ['quotes, and a record that is too long', 'quoted.csv', {}, { quote: "'" }],
  ['the headed format', 'blanks.txt', { k: 2 }, { format: 'headed' }],
  ['UTF-16', 'utf16.csv', {}, {}],
  ['columns of NumPy', 'table.npy', {}, {}],
  ['a packed file', 'packed.csv.gz', {}, {}],
  ['mini-batch: the centroids of the run', 'examples/wine.csv', { variant: 'mini-batch' }, {}],
  ['float64', 'examples/iris.csv', { variant: 'sequential', precision: 'float64' }, {}],
  ['k-means|| and farthest', 'examples/digits.csv', { init: 'k-means||', empty: 'farthest', k: 12 }, {}],
]

describe.skipIf(!hasSklearn)('scikit-learn gives every row the label that it has here', () => {
  it.each(cases)('%s', { timeout: 60_000 }, async (_, name, config, overrides) => {
    const result = await clustered(file(name), config, overrides)
    expect(labelsInPython(result)).toEqual(rowLabels(result))
  })
})

/** What stands before scikit-learn has its turn, ended by the sums of the points. */
function readingHalf(result: RunResult): string {
  const [reading = ''] = pythonScript(result).split(/\n(?:# Start|# The best|# mini-batch)/)
  return `${reading.replaceAll(/^from sklearn.*\n/gm, '')}\nprint(len(used), *(repr(float(x)) for x in X.sum(axis=0)))\n`
}

describe.skipIf(!hasNumpy)('with numpy alone the reading half makes the same points', () => {
  it.each(cases)('%s', { timeout: 60_000 }, async (_, name, config, overrides) => {
    const result = await clustered(file(name), config, overrides)
    const { n, d, x } = result.points
    const said = execFileSync(python, ['-c', readingHalf(result)], { encoding: 'utf8' })
    const [count, ...sums] = said.trim().split(' ').map(Number)
    expect(count).toBe(n)
    const own = Array.from({ length: d }, (_unused, j) => {
      let sum = 0
      for (let point = 0; point < n; point++) sum += x[point * d + j]
      return sum
    })
    sums.forEach((sum, j) => expect(Math.abs(sum - own[j])).toBeLessThan(1e-6 * n))
  })
})

it.skipIf(!hasPython)('is Python, whatever columns and files are called', async () => {
  const path = join(folder, `o"d'd\\n é.csv`)
  writeFileSync(path, '"a""b","c\\d",é\n1,2,3\n4,5,6\n9,9,9\n')
  const script = scriptOf(await clustered(path, { k: 2 }))
  execFileSync(python, [
    '-c',
    'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read())',
    script,
  ])
})
