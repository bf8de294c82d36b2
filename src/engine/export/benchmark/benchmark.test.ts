import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { markdownOf } from '@shared/benchmark/markdown'
import { benchmarkFileNames, type BenchmarkExport } from '@shared/benchmark/requests'
import { comparisonDocument, scalingDocument } from '@shared/benchmark/testing/document'
import { limitedDocument } from '@shared/benchmark/testing/limited-document'
import { ratioDocument } from '@shared/benchmark/testing/ratio-document'
import type { TitledPlot } from '@shared/plot-image'
import { unzip } from '../../../../scripts/lib/unzip.mjs'
import { writeBenchmark } from '.'

const never = new AbortController().signal
const baseline = 'cpu/sequential'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchmark-export-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The fixture with its first dataset under a name that a reader could take for something else. */
function named(name: string): BenchmarkDocument {
  const text = JSON.stringify(comparisonDocument()).replaceAll('"uniform 100k"', JSON.stringify(name))
  return JSON.parse(text) as BenchmarkDocument
}

async function written(
  document: BenchmarkDocument,
  what: BenchmarkExport,
  plots: readonly TitledPlot[] = [],
): Promise<string> {
  const path = join(folder, benchmarkFileNames[what])
  await writeBenchmark(document, what, { baseline, plots }, path, { replace: true, signal: never })
  return path
}

async function csv(what: 'timings' | 'speedups', document = comparisonDocument()): Promise<string[]> {
  return (await readFile(await written(document, what), 'utf8')).trimEnd().split('\n')
}

/** Signature, IHDR of 640 x 480, nothing else: what a workbook needs to place it. */
function png(): TitledPlot {
  const bytes = Buffer.alloc(33)
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes)
  bytes.write('IHDR', 12)
  bytes.writeUInt32BE(640, 16)
  bytes.writeUInt32BE(480, 20)
  return { name: 'times-iris-csv-k3', title: 'Execution times', format: 'png', bytes }
}

let workbooks = 0

/** The parts of a workbook as text, by their names. */
async function parts(
  document: BenchmarkDocument,
  plots: readonly TitledPlot[] = [],
): Promise<Map<string, string>> {
  const into = join(folder, `xlsx-${workbooks++}`)
  const names: string[] = []
  await unzip(await written(document, 'xlsx', plots), into, (name: string) => {
    names.push(name)
    return name
  })
  const read = names.map(async (name) => [name, await readFile(join(into, name), 'utf8')] as const)
  return new Map(await Promise.all(read))
}

describe('timings.csv of a comparison', () => {
  it('has the columns of the specification and a line for each cell', async () => {
    const [header, first, ...rest] = await csv('timings')
    expect(header).toBe(
      'dataset,n,d,k,engine,device,variant,regime,iterations,repeats,mean_ms,median_ms,sd_ms,min_ms,max_ms,' +
        'per_iteration_ms,load_ms,upload_ms,init_ms,assign_ms,update_ms,converge_ms,iterate_ms,download_ms,' +
        'other_ms,host_device_bytes_per_iteration,result_sha256,precision,grade',
    )
    expect(first).toMatch(
      /^uniform 100k,100000,2,5,cpu,cpu,sequential,as-studied,20,5,120\.5.*,120\.02,2\.7.*,0,,float32,bounded$/,
    )
    expect(rest).toHaveLength(15)
    const regimeOf = (variant: string) => rest.find((line) => line.includes(`,${variant},`))?.split(',')[7]
    expect(['fused', 'numpy'].map(regimeOf)).toEqual(['tiled', ''])
  })

  it('tells no time of a result that disagrees', async () => {
    const line = (await csv('timings')).find((one) =>
      one.startsWith('iris.csv,150,4,3,cuda,cuda:0,global-atomics,'),
    )
    expect(line).toBe(
      `iris.csv,150,4,3,cuda,cuda:0,global-atomics,as-studied,0,0${','.repeat(16)}0,,float32,bounded`,
    )
  })
})

describe('of a row that is scaled from fewer iterations', () => {
  it('timings.csv has what was measured', async () => {
    const line = (await csv('timings', limitedDocument()))[1]
    expect(line).toMatch(/^uniform 100k,100000,2,5,cpu,cpu,sequential,as-studied,5,1,33,33,,33,33,5\.40/)
  })

  it('speedups.csv says with the ratio that it is scaled', async () => {
    const lines = await csv('speedups', limitedDocument())
    expect(lines[2]).toMatch(/,cpu\/sequential,cpu,fused \(scaled over 5 of 20 iterations\),12\.\d+$/)
    expect(lines[6]).toMatch(/,cpu\/sequential,cpu,fused,\d/)
  })

  it('timings.xlsx shows no number of it without its mark, in cells wide enough', async () => {
    const found = await parts(limitedDocument(), [])
    const styles = found.get('xl/styles.xml') ?? ''
    const format = (digits: string) => `&quot;≈ &quot;${digits}&quot; over 5 of 20 iterations&quot;`
    expect(styles).toContain(`formatCode="[&lt;0.001]${format('0.00E+00')};${format('0.000')}"`)
    const texts = [...found.values()].join('')
    expect(texts).toContain(
      '5 of 20 iterations: these are their times; other tables scale them (median ≈ 120.0 ms)',
    )
    expect(texts).toContain('≈ CPU Sequential')
    const speedups = found.get('xl/worksheets/sheet2.xml') ?? ''
    const widths = [...speedups.matchAll(/<col [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))
    expect(widths[6]).toBeGreaterThan('≈ 12.345 over 5 of 20 iterations'.length)
  })

  it('report.html marks it in tables and figures', async () => {
    const html = await readFile(await written(limitedDocument(), 'html'), 'utf8')
    expect(html).toContain('>≈ 120.0 from 5 of 20 iterations<')
    expect(html).toContain('≈ 120.0 ms from 5 of 20 iterations</text>')
    expect(html).toContain('not run: 14 h predicted on 16 threads')
  })
})

describe('speedups.csv', () => {
  it('has the columns of the specification and no number where a result does not count', async () => {
    const lines = await csv('speedups')
    expect(lines[0]).toBe('dataset,n,d,k,baseline,engine,variant,speedup')
    expect(lines[2]).toBe(`uniform 100k,100000,2,5,cpu/sequential,cpu,fused,${120.02 / 9.52}`)
    expect(lines).toContain('iris.csv,150,4,3,cpu/sequential,cuda,global-atomics,')
    expect(lines).toContain('iris.csv,150,4,6,cpu/sequential,outside,numpy,')
  })

  it('names the device where two of one engine ran a variant, so that no two lines are equal', async () => {
    const document = comparisonDocument()
    const second = document.rows
      .filter(({ engine }) => engine === 'cuda')
      .map((row) => ({ ...row, device: 'cuda:1', contender: row.contender.replace('cuda:0', 'cuda:1') }))
    expect(second.length).toBeGreaterThan(0)
    const lines = await csv('speedups', { ...document, rows: [...document.rows, ...second] })
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines).toContain('iris.csv,150,4,3,cpu/sequential,cuda,global-atomics (cuda:1),')
    expect(lines[2]).toMatch(/,cpu,fused,/)
  })

  it('has no number where so many more iterations were made that the times tell of other work', async () => {
    const document = comparisonDocument()
    const rows = document.rows.map((row) => (row.variant === 'fused' ? { ...row, iterations: 300 } : row))
    const lines = await csv('speedups', { ...document, rows })
    expect(lines[2]).toBe('uniform 100k,100000,2,5,cpu/sequential,cpu,fused,')
  })
})

describe('timings.xlsx', () => {
  const part = (found: Map<string, string>, name: string): string => found.get(name) ?? ''

  it('has a sheet for times, speed-ups, machine and plots, with the images given', async () => {
    const found = await parts(comparisonDocument(), [png()])
    const sheets = [...part(found, 'xl/workbook.xml').matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(
      ([, name]) => name,
    )
    expect(sheets).toEqual(['Times', 'Speed-ups', 'Machine', 'Plots', 'Published'])
    expect([...found.keys()].some((name) => /^xl\/media\/.*\.png$/.test(name))).toBe(true)
    expect(part(found, 'xl/worksheets/sheet4.xml')).toContain('<drawing ')
    expect(part(found, 'xl/worksheets/sheet1.xml')).toMatch(/<pane [^>]*state="frozen"/)
  })

  it('has sheets for what a study published, ratios with the data behind them', async () => {
    const found = await parts(ratioDocument({ webgpu: [[1, 2], [1, 4]] }), []) // prettier-ignore
    const names = [...part(found, 'xl/workbook.xml').matchAll(/<sheet [^>]*name="([^"]*)"/g)]
    expect(names.map(([, name]) => name).slice(-2)).toEqual(['Ratios', 'Ratio data'])
    const texts = [...found.values()].join('')
    expect(texts).toContain('webgpu/irregular-reduction, stands in for CUDA')
    expect(texts).toContain('WebGPU stands in for CUDA, which did not run in this comparison')
    const ratios = part(found, `xl/worksheets/sheet${names.length - 1}.xml`)
    expect(ratios).toMatch(/<c r="J2"[^>]*><v>3<\/v>/)
  })

  it('holds numbers as numbers and a name like a formula as text', async () => {
    const formula = '=HYPERLINK("x")'
    const found = await parts(named(formula), [])
    const times = part(found, 'xl/worksheets/sheet1.xml')
    expect(times).toMatch(/<c r="B2"(?: s="\d+")?><v>100000<\/v><\/c>/)
    expect(times).toMatch(/<c r="A2"[^>]* t="(?:s|inlineStr)"/)
    expect([...found.values()].join('')).not.toMatch(/<f[ >]/)
    expect([...found.values()].join('')).toContain('=HYPERLINK(')
  })

  it('has charts in the place of pictures where there is no window, drawn from cells of the workbook', async () => {
    const found = await parts(scalingDocument(), [])
    const charts = [...found.keys()].filter((name) => name.startsWith('xl/charts/'))
    const drawing = part(found, 'xl/drawings/drawing4.xml')
    expect([...drawing.matchAll(/<c:chart [^>]*r:id="/g)]).toHaveLength(charts.length)
    for (const name of charts) expect(part(found, '[Content_Types].xml')).toContain(`PartName="/${name}"`)
    const titles = charts.map((name) => /<a:t>([^<]*)</.exec(part(found, name))?.[1])
    expect(titles).toContain('Execution time over N: uniform data, d = 2, k = 5')
    expect(titles.filter((title) => title?.startsWith('Phases of each run'))).toHaveLength(4)
    const values = part(found, 'xl/worksheets/sheet5.xml')
    const drawn = [...part(found, charts[4]).matchAll(/\$C\$(\d+):[^<]*<\/c:f>.*?<c:v>([^<]*)</g)]
    expect(drawn.length).toBeGreaterThan(3)
    for (const [, row, value] of drawn) {
      expect(values).toMatch(new RegExp(`<c r="C${row}"[^>]*><v>${value}</v>`))
    }
  })

  it('charts what a study published as marks of its own beside those measured', async () => {
    const found = await parts(comparisonDocument(), [])
    const charts = [...found].filter(([name]) => name.startsWith('xl/charts/')).map(([, xml]) => xml)
    const publishedIn = (title: string) => {
      const xml = charts.find((one) => one.includes(title)) ?? ''
      const series = [...xml.matchAll(/<c:ser>.*?<\/c:ser>/g)].map(([one]) => one)
      const theirs = series.filter((one) => one.includes('<c:v>published</c:v>'))
      return theirs.map((one) => [
        [...(/<c:val>.*<\/c:val>/.exec(one)?.[0] ?? '').matchAll(/<c:v>([^<]*)</g)].map(([, value]) => value),
        one.includes('<c:symbol val="plus"/>'),
      ])
    }
    const workload = 'uniform 100k: N = 100\u202f000, d = 2, k = 5'
    expect(publishedIn(`Execution times. ${workload}`)).toEqual([[['412', '8.1'], true]])
    expect(publishedIn(`Speed-up over CPU Sequential. ${workload}`)).toEqual([[['51'], true]])
    expect(publishedIn('Execution times. iris.csv: N = 150, d = 4, k = 3')).toEqual([])
  })

  it('charts the ratios of a study beside those measured, and these over the words transferred', async () => {
    const found = await parts(ratioDocument({ webgpu: [[1, 4], [1, 2]] }), []) // prettier-ignore
    const charts = [...found].filter(([name]) => name.startsWith('xl/charts/')).map(([, xml]) => xml)
    const chartOf = (title: string) => charts.find((xml) => xml.includes(title)) ?? ''
    const valuesOf = (xml: string, of: 'c:val' | 'c:xVal' | 'c:yVal') =>
      [...xml.matchAll(new RegExp(`<${of}>(.*?)</${of}>`, 'g'))].map(([, values = '']) =>
        [...values.matchAll(/<c:v>([^<]*)</g)].map(([, value]) => Number(value)),
      )
    const words = chartOf('Speed-up against words transferred: GPU only over hybrid')
    expect(valuesOf(words, 'c:xVal')).toEqual([[1000, 2000]])
    expect(valuesOf(words, 'c:yVal')).toEqual([[4, 2]])
    const beside = chartOf('Published ratios beside measured: GPU only over hybrid')
    expect(valuesOf(beside, 'c:val')).toEqual([
      [2, 3, 4],
      [2.6, 3.2, 3.5],
    ])
    expect(beside).toContain('stands in for CUDA')
  })

  it('charts no time that does not count, and says why', async () => {
    const found = await parts(named('<b>&'), [])
    const charts = [...found].filter(([name]) => name.startsWith('xl/charts/')).map(([, xml]) => xml)
    const times = charts.find((xml) => xml.includes('Execution times. iris.csv: N = 150, d = 4, k = 3')) ?? ''
    const labels = [...times.matchAll(/<c:pt idx="(\d)"><c:v>([^<]*)</g)].map(
      ([, at, text]) => `${at} ${text}`,
    )
    expect(labels).toContain('2 cuda:0 Global atomics: disagrees')
    expect(labels.filter((label) => /^2 [\d.]+$/.test(label)).map((label) => Number(label.slice(2)))).toEqual(
      [0, 0],
    )
    expect(charts.some((xml) => xml.includes('Execution times. &lt;b&gt;&amp;: N ='))).toBe(true)
  })

  it('of a comparison without a time that counts says that nothing can be plotted', async () => {
    const found = await parts({ ...comparisonDocument(), rows: [] }, [])
    expect([...found.values()].join('')).toContain('No time counts yet')
    expect([...found.keys()].some((name) => name.startsWith('xl/charts/'))).toBe(false)
  })
})

describe('report.html', () => {
  it('is one file without script or anything to load, every text escaped', async () => {
    const plots: TitledPlot[] = [
      { name: 'a', title: 'a "<plot>', format: 'svg', bytes: Buffer.from('<svg onload="x()"/>') },
    ]
    const text = await readFile(await written(named('<b>'), 'html', plots), 'utf8')
    expect(text).not.toMatch(/<script|https?:|<link|@import|url\(|onload/i)
    expect(text).toMatch(/http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;/)
    expect(text).not.toContain('<b>')
    expect(text).toContain('&lt;b&gt;')
    expect(text).toContain('alt="a &quot;&lt;plot&gt;"')
    expect(text).toContain('src="data:image/svg+xml;base64,')
  })

  it('heads each plot of the window by its title, and not by the name of its file', async () => {
    const text = await readFile(await written(comparisonDocument(), 'html', [png()]), 'utf8')
    expect(text).toContain('<figcaption>Execution times</figcaption>')
    expect(text).not.toContain('times-iris-csv-k3')
  })

  it('shows what disagrees struck through with its state, and names machine and study', async () => {
    const text = await readFile(await written(comparisonDocument(), 'html'), 'utf8')
    expect(text).toMatch(/<svg[^>]* aria-label="Execution times"/)
    expect(text).toContain('<s>0.4000</s>')
    for (const fact of ['NVIDIA H200', '550.54', '-O3', 'Published on: a GeForce of 2013.', '412.0']) {
      expect(text).toContain(fact)
    }
  })

  it('of part of a comparison says so', async () => {
    const document = comparisonDocument()
    const part: BenchmarkDocument = { ...document, state: 'paused', rows: document.rows.slice(0, 3) }
    const text = await readFile(await written(part, 'html'), 'utf8')
    expect(text).toContain('This comparison is paused: 3 of 16 cells are finished.')
  })
})

describe('a dataset whose name would steer a terminal or turn text round', () => {
  const document = named('a\x1b[2Jb\u202ec\x9b')
  // Line feeds and tabs are ours; a package's bytes are not text.
  const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

  it('is shown with its controls in the report, the workbook and Markdown', async () => {
    const sheets = await parts(document)
    const texts = [
      await readFile(await written(document, 'html'), 'utf8'),
      markdownOf(document),
      ...[...sheets].filter(([name]) => name.endsWith('.xml')).map(([, text]) => text),
    ]
    for (const text of texts) expect(text).not.toMatch(steering)
    expect(texts[0]).toContain('a\\x1b[2Jb\\u{202e}c\\x9b')
    expect(texts.slice(2).join('')).toContain('a\\x1b[2Jb\\u{202e}c\\x9b')
  })

  it('keeps its bytes in the CSV', async () => {
    expect((await csv('timings', document)).join('')).toContain('a\x1b[2Jb\u202ec\x9b')
  })
})

it('benchmark.json and suite.json read back to what was written', async () => {
  const document = comparisonDocument()
  expect(JSON.parse(await readFile(await written(document, 'document'), 'utf8'))).toEqual(document)
  expect(JSON.parse(await readFile(await written(document, 'suite'), 'utf8'))).toEqual(document.suite)
})

it('suite.json refuses a dataset that nothing names, for it could not be run again', async () => {
  const document = comparisonDocument()
  const cases = [{ dataset: { kind: 'loaded', datasetId: 'gone', name: 'iris.csv' } as const, k: [3] }]
  const work = written({ ...document, suite: { ...document.suite, cases } }, 'suite')
  await expect(work).rejects.toThrow(/^iris\.csv is loaded and has no path/)
})

it('never takes the place of a dataset', async () => {
  const path = join(folder, 'data.csv')
  await writeFile(path, 'a,b\n1,2\n')
  const document = comparisonDocument()
  const cases = [{ dataset: { kind: 'file', path, name: 'iris.csv' } as const, k: [3] }]
  const work = writeBenchmark(
    { ...document, suite: { ...document.suite, cases } },
    'timings',
    { baseline, plots: [] },
    path,
    { replace: true, signal: never },
  )
  await expect(work).rejects.toMatchObject({ code: 'export.is-source' })
})
