import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeExport } from '@engine/export'
import { runOf } from '@engine/export/testing/run-of'
import type { RunResult } from '@engine/run/types'
import type { ImportOverrides } from '@shared/dataset'
import { parseFilter } from '@shared/row-filter/parse-filter'
import type { RunConfig } from '@shared/run-config'
import { keptRunFrom } from './kept-run'
import { runSchema } from './run-schema'
import { runJsonSchema } from './testing/json-schema'

const page = 'docs/run.schema.json'
const never = new AbortController().signal
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-schema-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let compiled: ValidateFunction | null = null
/** Of the schema as it lies in the folder of documents. */
function validator(): ValidateFunction {
  const schema = JSON.parse(readFileSync(page, 'utf8')) as object
  return (compiled ??= new Ajv({ allErrors: true, strict: true }).compile(schema))
}

/** run.json as it is written, parsed. */
async function written(result: RunResult): Promise<Record<string, unknown>> {
  const path = join(folder, 'run.json')
  await writeExport(result, 'run', path, { replace: true, signal: never })
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
}

function problems(value: unknown): readonly string[] {
  const isRun = validator()
  return isRun(value) ? [] : (isRun.errors ?? []).map((one) => `${one.instancePath} ${one.message}`)
}

it('stands in docs/run.schema.json as the program has it (vitest -u writes it)', async () => {
  await expect(runJsonSchema()).toMatchFileSnapshot(join(process.cwd(), page))
})

const mixed =
  'day,size,kind,price\n2024-01-05,1,a,"1,5"\n2024-02-01,2,b,"2,5"\n2024-03-09,9,a,\n2024-04-01,8,c,"4"\n'

const runs: [string, string, Partial<RunConfig>, ImportOverrides][] = [
  ['as it is', 'examples/iris.csv', {}, {}],
  [
    'every scaling of its own',
    'examples/wine.csv',
    { scaling: 'robust', columnScalings: [{ column: 'ash', scaling: 'min-max' }] },
    {},
  ],
  ['rows of unit length', 'examples/iris.csv', { scaling: 'unit-length' }, {}],
  [
    'a filter and texts as features',
    'examples/iris.csv',
    { oneHot: ['species'], filter: parseFilter('sepal_length > 5 and species in (setosa, virginica)') },
    {},
  ],
  [
    'dates, filled cells and types by hand',
    'mixed.csv',
    { k: 2, missing: 'mean', features: ['day', 'size', 'price'] },
    { columnTypes: { 3: 'numeric' }, decimal: ',', delimiter: ',', header: true },
  ],
  [
    'numbers that were asked for',
    'examples/iris.csv',
    {
      workers: 16,
      variant: 'partial-sums',
      regime: 'as-studied',
      device: 'cpu',
      centroidsFile: 'start.csv',
      init: 'file',
    },
    {},
  ],
]

describe('an independent validator takes every run.json that is written', () => {
  it.each(runs)('%s', async (_, file, config, overrides) => {
    writeFileSync(join(folder, 'mixed.csv'), mixed)
    const path = file.includes('/') ? file : join(folder, file)
    const run = await written(await runOf(path, config, { overrides }))
    expect(problems(run)).toEqual([])
    expect(v.safeParse(runSchema, run).issues).toBeUndefined()
    expect(keptRunFrom(run, 'run.json').results.k).toBe(config.k ?? 3)
  })

  it('of a dropped cluster, a lost device and a partial-sums run', async () => {
    const result = await runOf('examples/iris.csv', {}, { dropped: [1] })
    const position = { run: 0, iteration: 1 }
    const on = { engine: 'cpu', device: 'cpu', deviceName: 'A processor', variant: 'fused', regime: null }
    const record = {
      ...result.record,
      variant: 'partial-sums',
      resultSha256: 'a'.repeat(64),
      engineSegments: [{ ...on, engine: 'cpu', from: position, to: position } as const],
    }
    const run = await written({ ...result, record })
    expect(problems(run)).toEqual([])
    expect(run['centroids']).toContain(null)
  })
})

it('refuses a key that it does not have, and one that is missing, however deep', async () => {
  const run = await written(await runOf('examples/iris.csv'))
  const parts = ['file', 'import', 'preparation', 'configuration', 'machine', 'results']
  expect(problems({ ...run, more: 1 })).not.toEqual([])
  for (const part of parts) {
    const inner = run[part] as Record<string, unknown>
    expect(problems({ ...run, [part]: { ...inner, more: 1 } }), part).not.toEqual([])
    const [, ...rest] = Object.entries(inner)
    expect(problems({ ...run, [part]: Object.fromEntries(rest) }), part).not.toEqual([])
  }
})
