import { createHash } from 'node:crypto'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCentroidFile } from '@engine/csv/centroid-file'
import { openSteps } from '@engine/steps/open-steps'
import type { ExportKind } from '@shared/ipc'
import type { RunRecord } from '@shared/run-record'
import { writeExport } from './index'
import { writeSteps } from './steps'
import { runOf } from './testing/run-of'

const signal = new AbortController().signal
const iris = readFileSync('examples/iris.csv', 'utf8')
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-export-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function source(text: string, name = 'data.csv'): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function exported(result: Awaited<ReturnType<typeof runOf>>, kind: ExportKind): Promise<string[][]> {
  const path = join(folder, `${kind}.out`)
  const { bytes } = await writeExport(result, kind, path, { replace: false, signal })
  const text = readFileSync(path, 'utf8')
  expect(Buffer.byteLength(text)).toBe(bytes)
  return Papa.parse<string[]>(text.trimEnd()).data
}

describe('centroids.csv', () => {
  it('holds the clusters in units of the file', async () => {
    const result = await runOf(source(iris), { k: 3 })
    const [header, ...rows] = await exported(result, 'centroids')
    expect(header.join()).toBe('cluster,size,inertia,sepal_length,sepal_width,petal_length,petal_width')
    expect(rows.map((row) => row.map(Number))).toEqual(
      result.record.clusters.map(({ cluster, size, inertia, centroid }) => [
        cluster,
        size,
        inertia,
        ...(centroid ?? []),
      ]),
    )
    expect(rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(150)
  })

  it('has no row for a dropped cluster, and the others keep their indices', async () => {
    const result = await runOf(source(iris), { k: 3 }, { dropped: [1] })
    const [, ...rows] = await exported(result, 'centroids')
    expect(rows.map((row) => row[0])).toEqual(['0', '2'])
  })

  it('is read again as initial centroids where features have the names of its own columns', async () => {
    const own = ['size', 'inertia', 'cluster']
    const path = source(`${own.join()}\n1,10,5\n2,11,6\n30,50,70\n31,52,71\n`)
    const result = await runOf(path, { k: 2, features: own })
    const { features, clusters } = result.record
    const [header] = await exported(result, 'centroids')
    expect(header.join()).toBe('cluster_1,size_1,inertia_1,size,inertia,cluster')
    const { k, values } = await readCentroidFile(join(folder, 'centroids.out'), features)
    expect([k, ...values]).toEqual([2, ...clusters.flatMap(({ centroid }) => centroid ?? [])])
    const [history] = await exported(result, 'history-centroids')
    expect(history.join()).toBe('run,iteration,cluster_1,size,inertia,cluster')
  })
})

describe('tables in another dialect', () => {
  it.each(['semicolon', 'tab'] as const)('%s: read back to the same numbers', async (dialect) => {
    const result = await runOf(source('x,y\n0.25,1\n0.5,"2,5"\n9.125,2\n9.5,4\n'), { k: 2, features: ['x'] })
    const { features, clusters, n } = result.record
    const path = join(folder, 'centroids')
    await writeExport(result, 'centroids', path, { dialect, replace: false, signal })
    const { values } = await readCentroidFile(path, features)
    expect([...values]).toEqual(clusters.flatMap(({ centroid }) => centroid ?? []))
    await writeSteps(result, folder, 1, { dialect, replace: false, signal })
    const { folder: steps } = await openSteps(folder, signal)
    expect(steps.steps).toMatchObject([{ points: n, clusters: [0, 1] }])
    await writeExport(result, 'labels', join(folder, 'labels'), { dialect, replace: false, signal })
    const [, row] = readFileSync(join(folder, 'labels'), 'utf8').split('\n')
    expect(row).toMatch(dialect === 'tab' ? /^0.25\t1\t0\t0\.\d+$/ : /^0.25;1;0;0,\d+$/)
  })
})

describe('a column named like a formula', () => {
  const text = '=cmd(),-b,note\n-1,-2,=1+1\n-3,-4,@x\n5,6,-\n'
  const neutral = async (kind: ExportKind) => {
    const result = await runOf(source(text), { k: 2, features: ['=cmd()', '-b'], centroidHistory: true })
    const path = join(folder, kind)
    await writeExport(result, kind, path, { replace: true, neutralise: true, signal })
    return { result, lines: readFileSync(path, 'utf8').split('\n') }
  }

  it.each(['centroids', 'history-centroids'] as const)(
    'is text in %s, where numbers stay numbers',
    async (kind) => {
      const { lines } = await neutral(kind)
      expect(lines[0]).toMatch(/,'=cmd\(\),'-b$/)
      expect(lines.slice(1).join()).toMatch(/,-\d/)
      expect(lines.slice(1).join()).not.toContain("'")
    },
  )

  it('is what it was in labels.csv, cells and all', async () => {
    const { lines } = await neutral('labels')
    expect(lines[0]).toBe('=cmd(),-b,note,cluster,distance')
    expect(lines[1]).toMatch(/^-1,-2,=1\+1,/)
  })

  it('is text in the pairs of a step, whose cells are those of the source', async () => {
    const { result } = await neutral('run')
    await writeSteps(result, folder, 1, { replace: true, neutralise: true, signal })
    const [points, centroids] = ['points', 'centroids'].map((what) =>
      readFileSync(join(folder, `step-1-${what}.csv`), 'utf8'),
    )
    expect(points).toMatch(/^'=cmd\(\),'-b,cluster\n-1,-2,/)
    expect(centroids).toMatch(/^cluster,'=cmd\(\),'-b\n/)
  })
})

describe('labels.csv', () => {
  it('keeps every cell and adds the cluster and the distance to its centroid', async () => {
    const result = await runOf(source(iris), { k: 3 })
    const [header, ...rows] = await exported(result, 'labels')
    const [sourceHeader, ...sourceRows] = Papa.parse<string[]>(iris.trimEnd()).data
    expect(header).toEqual([...sourceHeader, 'cluster', 'distance'])
    expect(rows.map((row) => row.slice(0, 5))).toEqual(sourceRows)
    for (const [i, row] of rows.entries()) {
      const centroid = result.record.clusters[Number(row[5])].centroid ?? []
      const distance = Math.hypot(...centroid.map((value, j) => value - Number(sourceRows[i][j])))
      expect(Number(row[6])).toBeCloseTo(distance, 5)
    }
    const inertia = rows.reduce((sum, row) => sum + Number(row[6]) ** 2, 0)
    expect(inertia).toBeCloseTo(result.record.inertia, 9)
  })

  it('keeps odd cells, and loses no row that was left out', async () => {
    const rows = [
      'x,"the, name",y',
      '1,"a ""q""",01.50',
      '2,"two\nlines",',
      '3,c',
      '4,d,5,surplus,"a,b"',
      '\t5 , é,1e1',
    ]
    const more = ['6,f,6.0', '7,g,+7', '8,h,8']
    const result = await runOf(source([...rows, ...more].join('\n')), { k: 2, features: ['x', 'y'] })
    const [header, ...lines] = await exported(result, 'labels')
    expect(header).toEqual(['x', 'the, name', 'y', 'cluster', 'distance', 'surplus'])
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => header.length))
    expect(lines.map((line) => line.slice(0, 3))).toEqual([
      ['1', 'a "q"', '01.50'],
      ['2', 'two\nlines', ''],
      ['3', 'c', ''],
      ['4', 'd', '5'],
      ['\t5 ', ' é', '1e1'],
      ['6', 'f', '6.0'],
      ['7', 'g', '+7'],
      ['8', 'h', '8'],
    ])
    expect(lines.map((line) => line[3] !== '')).toEqual([true, false, false, false, true, true, true, true])
    expect(lines[3].slice(3)).toEqual(['', '', 'surplus,"a,b"'])
  })

  it('names its columns apart from those of the source, and numbers columns without a header', async () => {
    const named = await runOf(source('cluster,distance\n1,2\n3,4\n5,9\n'), { k: 2 })
    expect((await exported(named, 'labels'))[0]).toEqual(['cluster', 'distance', 'cluster_1', 'distance_1'])
    rmSync(join(folder, 'labels.out'))
    const bare = await runOf(source('1,2\n3,4\n5,9\n'), { k: 2 }, { overrides: { header: false } })
    expect((await exported(bare, 'labels'))[0]).toEqual(['column 1', 'column 2', 'cluster', 'distance'])
  })

  it('is UTF-8 with commas whatever the source was, its cells unchanged', async () => {
    const path = join(folder, 'data.csv')
    writeFileSync(path, Buffer.from('größe;wert\r\n1,5;2,25\r\n2,5;3\r\n\r\n9,5;8\r\n', 'latin1'))
    const result = await runOf(path, { k: 1 })
    const rows = await exported(result, 'labels')
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['größe', 'wert', 'cluster'],
      ['1,5', '2,25', '0'],
      ['2,5', '3', '0'],
      ['9,5', '8', '0'],
    ])
    const headed = await runOf(source('3\n2\n1\n1 2\n3   4\n5 9\n', 'study.txt'), { k: 1 })
    rmSync(join(folder, 'labels.out'))
    expect((await exported(headed, 'labels'))[0]).toEqual(['column 1', 'column 2', 'cluster', 'distance'])
  })

  it('has the names given to clusters in a column of their own', async () => {
    const path = join(folder, 'named.csv')
    writeFileSync(path, 'x,cluster_name\n1,mine\n,\n9,too\n')
    const run = await runOf(path, { k: 2, init: 'first-k', features: ['x'] })
    const target = join(folder, 'labels')
    const clusterNames = ['near, by', null]
    const signal = new AbortController().signal
    await writeExport(run, 'labels', target, { replace: true, signal, clusterNames })
    expect(readFileSync(target, 'utf8').trimEnd().split('\n')).toEqual([
      'x,cluster_name,cluster,distance,cluster_name_1',
      '1,mine,0,0,"near, by"',
      ',,,,',
      '9,too,1,0,',
    ])
  })

  it('measures in units of the scaled data, at any size of the values', async () => {
    const big = source('a,b\n1e20,1\n3e20,1\n2e20,7\n8e20,7\n')
    const result = await runOf(big, { k: 1, features: ['a'] })
    const [, ...rows] = await exported(result, 'labels')
    expect(rows.map((row) => Number(row[3]) / 1e20).map((v) => Number(v.toPrecision(5)))).toEqual([
      2.5, 0.5, 1.5, 4.5,
    ])
  })

  it('tells how far it is', async () => {
    const result = await runOf(source(iris), { k: 3 })
    const seen: number[] = []
    const onProgress = (rows: number) => seen.push(rows)
    await writeExport(result, 'labels', join(folder, 'l.csv'), { replace: false, signal, onProgress })
    expect(seen.at(-1)).toBe(150)
  })
})

describe('labels.npy', () => {
  it('has the labels of labels.csv, -1 for rows without one', async () => {
    const lines = ['x,y', '1,2', '', '2,', '3', '4,5,6', ' ', '5,1', '90,7', '', '91,8']
    const result = await runOf(source(lines.join('\n')), { k: 2, features: ['x', 'y'] })
    const [, ...rows] = await exported(result, 'labels')
    const path = join(folder, 'labels.npy')
    const { bytes } = await writeExport(result, 'labels-npy', path, { replace: false, signal })
    const file = readFileSync(path)
    expect(file.length).toBe(bytes)
    const [header, values] = [file.toString('latin1', 0, 128), file.subarray(128)]
    expect(header).toMatch(
      /^\x93NUMPY\x01\x00\x76\x00\{'descr': '<i4', 'fortran_order': False, 'shape': \(7,\), \} +\n$/,
    )
    const labels = rows.map((_, i) => values.readInt32LE(4 * i))
    expect(values.length).toBe(4 * rows.length)
    expect(labels).toEqual(rows.map((row) => (row[2] === '' ? -1 : Number(row[2]))))
    expect(labels).toEqual([
      expect.any(Number),
      -1,
      -1,
      -1,
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ])
  })
})

describe('labels.csv of a source with half a character', () => {
  it('has in its place what the warning says', async () => {
    const path = join(folder, 'data.csv')
    writeFileSync(path, Buffer.from('\ufeffx,name\n1,a\ud83db\n2,c\n', 'utf16le'))
    const result = await runOf(path, { k: 1 })
    expect(result.dataset.receipt.warnings[0]).toMatch(/^Row 2: .* exports have \ufffd in its place\.$/)
    expect((await exported(result, 'labels'))[1].slice(0, 2)).toEqual(['1', 'a\ufffdb'])
  })
})

describe('labels.csv of a source with a title', () => {
  it('has the names of the header, however long that is', async () => {
    const wide = Array.from({ length: 30_000 }, (_, i) => `name ${String(i).padStart(6, '0')}`)
    const rows = [1, 5, 9, 2].map((factor) => wide.map((_, i) => (i * factor) % 7).join())
    const path = source(['Points of four days', wide.join(), ...rows].join('\n'))
    const [header] = await exported(await runOf(path, { k: 2 }), 'labels')
    expect(header).toEqual([...wide, 'cluster', 'distance'])
  })
})

describe('labels.csv of a source that is not the same any more', () => {
  const refused = async (change: (path: string) => void, code: string) => {
    const path = source(iris)
    const result = await runOf(path, { k: 3 })
    change(path)
    const target = join(folder, 'labels.csv')
    await expect(writeExport(result, 'labels', target, { replace: false, signal })).rejects.toMatchObject({
      code,
      kind: 'io',
    })
    expect(readdirSync(folder).filter((name) => name !== 'data.csv')).toEqual([])
  }

  it('is refused when it was removed', () => refused((path) => rmSync(path), 'export.source-missing'))

  it('is refused when it grew or was cut', async () => {
    await refused((path) => writeFileSync(path, '1,1,1,1,x\n', { flag: 'a' }), 'export.source-changed')
    await refused((path) => writeFileSync(path, iris.slice(0, 2000)), 'export.source-changed')
  })

  it('is refused when its bytes differ at the same size and time', async () => {
    const long = new Date('2020-01-01')
    await refused((path) => {
      writeFileSync(path, iris.replace('5.1', '5.2'))
      utimesSync(path, long, long)
    }, 'export.source-changed')
  })

  it('is written when only the time stamp differs', async () => {
    const path = source(iris)
    const result = await runOf(path, { k: 3 })
    utimesSync(path, new Date('2020-01-01'), new Date('2020-01-01'))
    expect(await exported(result, 'labels')).toHaveLength(151)
  })

  it('is never written over the source itself', async () => {
    const path = source(iris)
    const result = await runOf(path, { k: 3 })
    symlinkSync(path, join(folder, 'alias.csv'))
    for (const target of [path, join(folder, 'alias.csv')]) {
      const write = writeExport(result, 'labels', target, { replace: true, signal })
      await expect(write).rejects.toMatchObject({ code: 'export.is-source' })
    }
    expect(readFileSync(path, 'utf8')).toBe(iris)
  })
})

it('a cancelled export leaves nothing', async () => {
  const result = await runOf(source(iris), { k: 3 })
  const controller = new AbortController()
  const options = { replace: false, signal: controller.signal, onProgress: () => controller.abort() }
  const write = writeExport(result, 'labels', join(folder, 'labels.csv'), options)
  await expect(write).rejects.toMatchObject({ kind: 'cancelled' })
  expect(readdirSync(folder)).toEqual(['data.csv'])
})

describe('history', () => {
  it('history.csv has a line an iteration, empty where nothing was counted', async () => {
    const [header, ...rows] = await exported(await runOf(source(iris), { k: 3 }), 'history')
    expect(header.join()).toBe(
      'run,iteration,inertia,max_shift,changed,assign_ms,update_ms,converge_ms,total_ms',
    )
    expect(rows[0]).toEqual(['0', '1', '100', '0.1', '150', '0.75', '0.3', '', '1.2'])
    expect(rows.map((row) => row[1])).toEqual(['1', '2', '3'])
  })

  it('history-centroids.csv ends at the final centroids, under every scaling', async () => {
    const path = source(iris)
    for (const scaling of ['none', 'standardise', 'unit-length'] as const) {
      const result = await runOf(path, { k: 3, scaling })
      const [header, ...rows] = await exported(result, 'history-centroids')
      expect(header.slice(0, 4)).toEqual(['run', 'iteration', 'cluster', 'sepal_length'])
      expect(rows).toHaveLength(9)
      expect(rows.slice(-3).map((row) => row.slice(3).map(Number))).toEqual(
        result.record.clusters.map(({ centroid }) => centroid),
      )
      rmSync(join(folder, 'history-centroids.out'))
    }
  })

  it('that was not kept is refused in one sentence', async () => {
    const result = await runOf(source(iris), { k: 3 })
    const bare = { ...result, centroidHistory: [], record: { ...result.record, history: [] } }
    await expect(exported(bare, 'history')).rejects.toMatchObject({ code: 'export.not-recorded' })
    await expect(exported(bare, 'history-centroids')).rejects.toMatchObject({ code: 'export.not-recorded' })
    expect(readdirSync(folder)).toEqual(['data.csv'])
  })
})

describe('steps', () => {
  it('are pairs of points with their cluster and centroids, each iteration from the one before', async () => {
    const path = source('name,x,y\na,0,0\nb,1,0\nc,10,0.50\nd,11,0\n')
    const result = await runOf(path, { k: 2, features: ['y', 'x'] })
    const written = await writeSteps(result, folder, 2, { replace: false, signal })
    expect(written.map((one) => one.slice(folder.length + 1))).toEqual([
      ...['step-1-points.csv', 'step-1-centroids.csv', 'step-2-points.csv', 'step-2-centroids.csv'],
    ])
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    expect(read('step-1-points.csv')).toBe('y,x,cluster\n0,0,0\n0,1,1\n0.50,10,1\n0,11,1\n')
    expect(read('step-2-points.csv')).toBe('y,x,cluster\n0,0,0\n0,1,0\n0.50,10,1\n0,11,1\n')
    expect(read('step-2-centroids.csv')).toBe('cluster,y,x\n0,0,0.5\n1,0.25,10.5\n')
  })

  it('are fewer when the run had fewer iterations, and serve more than one reading of the source', async () => {
    const result = await runOf(source(iris), { k: 3 })
    expect(await writeSteps(result, folder, 50, { replace: false, signal })).toHaveLength(6)
  })
})

describe('run.json', () => {
  it('tells everything needed to repeat the run', async () => {
    const result = await runOf(source(iris), { k: 3, seed: 42, scaling: 'standardise' })
    const path = join(folder, 'run.json')
    await writeExport(result, 'run', path, { replace: false, signal })
    const run: unknown = JSON.parse(readFileSync(path, 'utf8'))
    expect(run).toMatchObject({
      format: 'centroid-lab-run',
      version: 1,
      file: { name: 'data.csv', bytes: iris.length, sha256: createHash('sha256').update(iris).digest('hex') },
      import: { delimiter: ',', header: true, decimal: '.', encoding: 'utf-8', rows: 150 },
      configuration: { k: 3, seed: 42, scaling: 'standardise', tolerance: 1e-4, max_iterations: 300 },
      machine: { cpu: 'Test processor', versions: { app: '0.1.0' } },
      results: { n: 150, d: 4, inertia: result.record.inertia, timings: { total_ms: 4.25 } },
      centroids: result.record.clusters.map(({ centroid }) => centroid),
    })
    expect(run).toHaveProperty(
      'command_line',
      expect.arrayContaining(['cluster', 'data.csv', '-k', '3', '--seed', '42']),
    )
  })

  it('has the regime that was named, so that the run can be repeated, and those of its segments', async () => {
    const result = await runOf(source(iris), { k: 3 })
    const path = join(folder, 'run.json')
    const documentOf = async (changes: Partial<RunRecord>) => {
      const record = { ...result.record, ...changes }
      await writeExport({ ...result, record }, 'run', path, { replace: true, signal })
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    }
    expect(await documentOf({})).toMatchObject({
      configuration: { regime: null },
      results: { regime: 'as-studied', reason: 'It has one way only.' },
    })
    const position = { run: 0, iteration: 1 }
    const segment = {
      engine: 'cpu',
      device: 'cpu',
      deviceName: 'Test processor',
      from: position,
      to: position,
    } as const
    const named = await documentOf({
      config: { ...result.record.config, regime: 'tiled' },
      ...{ variant: 'fused', regime: 'tiled' },
      engineSegments: [{ ...segment, variant: 'fused', regime: 'tiled' }],
    })
    expect(named).toMatchObject({
      configuration: { regime: 'tiled' },
      results: { engine_segments: [{ variant: 'fused', regime: 'tiled', device_name: 'Test processor' }] },
    })
    expect((named['command_line'] as string[]).join(' ')).toContain('--variant fused --regime tiled')
  })

  it('holds what places a new row: file value = offset + step x engine value', async () => {
    const result = await runOf(source(iris), { k: 3, scaling: 'standardise' })
    const path = join(folder, 'run.json')
    await writeExport(result, 'run', path, { replace: false, signal })
    const run = JSON.parse(readFileSync(path, 'utf8')) as {
      features: { offset: number; step: number }[]
      engine_centroids: number[][]
      centroids: number[][]
    }
    for (const [cluster, row] of run.engine_centroids.entries()) {
      for (const [j, value] of row.entries()) {
        const { offset, step } = run.features[j]
        expect(offset + step * value).toBeCloseTo(run.centroids[cluster][j], 9)
      }
    }
  })

  it('has the scaling of each feature, and the option that repeats it', async () => {
    const columnScalings = [{ column: 'petal_width', scaling: 'robust' }] as const
    const result = await runOf(source(iris), { k: 3, scaling: 'standardise', columnScalings })
    const path = join(folder, 'run.json')
    await writeExport(result, 'run', path, { replace: false, signal })
    const run = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    expect(run).toMatchObject({
      features: ['standardise', 'standardise', 'standardise', 'robust'].map((scaling) => ({ scaling })),
      configuration: { scaling: 'standardise', column_scalings: columnScalings },
    })
    expect(run['command_line']).toEqual(expect.arrayContaining(['--column-scaling', 'petal_width=robust']))
  })

  it('is JSON with null for a dropped cluster', async () => {
    const result = await runOf(source(iris), { k: 3 }, { dropped: [0] })
    const path = join(folder, 'run.json')
    await writeExport(result, 'run', path, { replace: false, signal })
    const text = readFileSync(path, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ engine_centroids: [null, expect.any(Array), expect.any(Array)] })
    expect(text).not.toMatch(/NaN|Infinity/)
  })
})
