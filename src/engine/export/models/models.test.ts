import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import { exportFileNames, type ExportKind } from '@shared/ipc'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { writeExport } from '../index'
import { byPmml } from './testing/pmml-interpreter'
import {
  byOnnxRuntime,
  byPython,
  labelledBy,
  pythonWithNumpy,
  tableOf,
  type Labelled,
} from './testing/readers'

const { signal } = new AbortController()
const nothing = () => undefined
const python = await pythonWithNumpy()
if (python === null)
  console.warn('SKIPPED: model.py needs a python3 with numpy (apt-get install python3-numpy)')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-models-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cpu = { ...defaultRunConfig, engine: 'cpu', variant: 'fused' } as const
const gaps = 'a,b,kind\n1,2,x\n2,,y\n9,8,x\n,9,\n5,5,"<&""z"\n1.5,2.5,y\n'
const huge = `a,b\n${Array.from({ length: 30 }, (_, i) => `${1.6e9 + (i % 5)},${i % 7}`).join('\n')}\n`

interface Case {
  readonly name: string
  readonly file: string | { readonly text: string }
  readonly config: RunConfig
}

const cases: readonly Case[] = [
  { name: 'iris', file: 'examples/iris.csv', config: { ...cpu, k: 3 } },
  { name: 'wine, standardised', file: 'examples/wine.csv', config: { ...cpu, k: 3, scaling: 'standardise' } },
  { name: 'iris on the sphere', file: 'examples/iris.csv', config: { ...cpu, k: 4, scaling: 'unit-length' } },
  {
    name: 'iris in float64',
    file: 'examples/iris.csv',
    config: { ...cpu, k: 3, scaling: 'min-max', variant: 'sequential', precision: 'float64' },
  },
  {
    name: 'texts and gaps left out',
    file: { text: gaps },
    config: { ...cpu, k: 2, features: ['a', 'b'], oneHot: ['kind'], scaling: 'robust' },
  },
  {
    name: 'texts and gaps filled',
    file: { text: gaps },
    config: { ...cpu, k: 2, features: ['b', 'a'], oneHot: ['kind'], missing: 'mean' },
  },
  { name: 'a large offset', file: { text: huge }, config: { ...cpu, k: 5 } },
  {
    name: 'a dropped cluster',
    file: { text: 'a,b\n1,1\n1,1\n9,8\n9,9\n' },
    config: { ...cpu, k: 4, init: 'first-k', empty: 'drop' },
  },
]

interface Exported {
  readonly own: Labelled
  readonly file: string
  readonly path: (kind: ExportKind) => string
}

async function exported({ file, config }: Case): Promise<Exported> {
  const own = mkdtempSync(join(folder, 'case-'))
  const path = typeof file === 'string' ? file : join(own, 'data.csv')
  if (typeof file !== 'string') writeFileSync(path, file.text)
  const dataset = await openDataset(path, {}, nothing, signal)
  const result = await runKmeans(dataset, config, { phase: nothing, iterations: nothing }, signal)
  const at = (kind: ExportKind) => join(own, exportFileNames[kind])
  for (const kind of ['labels', 'model-python', 'model-pmml', 'model-onnx'] as const) {
    await writeExport(result, kind, at(kind), { replace: false, signal })
  }
  return { own: labelledBy(readFileSync(at('labels'), 'utf8')), file: path, path: at }
}

/** Rows of the table in docs/guide.md, by the name of the case. */
const agreed = new Map<string, Map<Reader, string>>()
type Reader = 'onnxruntime' | 'numpy' | 'PMML'

function note(one: Case, reader: Reader, found: Labelled, own: Labelled): void {
  const equal = own.labels.filter((label, row) => label === found.labels[row]).length
  const cells = agreed.get(one.name) ?? new Map<Reader, string>()
  agreed.set(one.name, cells.set(reader, `${equal} of ${own.labels.length}`))
}

/** As the guide has it. */
function agreementTable(): string {
  const cell = (cells: ReadonlyMap<Reader, string>, reader: Reader) => cells.get(reader) ?? '-'
  const rows = [...agreed].map(([name, cells]) =>
    [name, ...(['onnxruntime', 'numpy', 'PMML'] as const).map((reader) => cell(cells, reader))].join(' | '),
  )
  const head = ['data', 'ONNX Runtime', 'python3 with numpy', 'interpreter of PMML'].join(' | ')
  return [head, '--- | --- | --- | ---', ...rows].map((row) => `| ${row} |`).join('\n')
}

function expectSame(found: Labelled, own: Labelled): void {
  expect(found.labels).toEqual(own.labels)
  const largest = Math.max(...own.distances.filter((distance) => !Number.isNaN(distance)))
  found.distances.forEach((distance, row) => {
    if (Number.isNaN(own.distances[row])) expect(distance).toBeNaN()
    else expect(Math.abs(distance - own.distances[row])).toBeLessThanOrEqual(1e-13 * largest)
  })
}

describe.each(cases)('$name: labels and distances of labels.csv', (one) => {
  let made: Exported
  beforeAll(async () => {
    made = await exported(one)
  })

  it.skipIf(python === null)('by numpy', async () => {
    const found = await byPython(python ?? '', made.path('model-python'), made.file)
    note(one, 'numpy', found, made.own)
    expectSame(found, made.own)
  })

  it('by an interpreter of PMML', () => {
    const model = readFileSync(made.path('model-pmml'), 'utf8')
    const found = byPmml(model, tableOf(readFileSync(made.file, 'utf8')))
    note(one, 'PMML', found, made.own)
    expectSame(found, made.own)
  })

  it('by ONNX Runtime', async () => {
    const table = tableOf(readFileSync(made.file, 'utf8'))
    const used = one.config.features
    const named =
      used === null ? table : Object.fromEntries([...used, 'kind'].map((name) => [name, table[name]]))
    const found = await byOnnxRuntime(readFileSync(made.path('model-onnx')), named)
    note(one, 'onnxruntime', found, made.own)
    expectSame(found, made.own)
  })
})

/** `npm run test:models` prints it. */
it.skipIf(python === null)('the table of foreign readers in the guide is what they answered', () => {
  if (process.env['CENTROID_LAB_PRINT_TABLE']) console.warn(agreementTable())
  expect(readFileSync('docs/guide.md', 'utf8')).toContain(agreementTable())
})
