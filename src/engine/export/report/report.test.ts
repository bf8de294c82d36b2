import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type { Language } from '@shared/locale/languages'
import { writeExport } from '../index'

const { signal } = new AbortController()
const nothing = () => undefined
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-report-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function reported(file: string, config: Partial<RunConfig>) {
  const own = mkdtempSync(join(folder, 'case-'))
  const dataset = await openDataset(file, {}, nothing, signal)
  const cpu = { ...defaultRunConfig, engine: 'cpu', variant: 'fused', ...config } as const
  const result = await runKmeans(dataset, cpu, { phase: nothing, iterations: nothing }, signal)
  const written = async (kind: 'report' | 'report-markdown', language?: Language) => {
    const path = join(own, `${kind}-${language ?? ''}`)
    await writeExport(result, kind, path, { replace: false, signal, ...(language && { language }) })
    return readFileSync(path, 'utf8')
  }
  const page = new JSDOM(await written('report')).window.document
  return { result, page, markdown: await written('report-markdown'), written }
}

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const textOf = (page: Document, selector: string): string[] =>
  [...page.querySelectorAll(selector)].map((element) =>
    (element.textContent ?? '').replace(/\s+/g, ' ').trim(),
  )

describe('the report of a run that a person named and noted', () => {
  it('calls clusters by their names beside their numbers, and has the note', async () => {
    const { result } = await reported('examples/iris.csv', { k: 3 })
    const choice = { clusterNames: ['setosa', null, null], note: 'Ask <Marta> about row 42.' }
    const path = join(folder, 'named')
    for (const kind of ['report', 'report-markdown'] as const)
      await writeExport(result, kind, `${path}-${kind}`, { replace: false, signal, ...choice })
    const { document: page } = new JSDOM(readFileSync(`${path}-report`, 'utf8')).window
    expect(textOf(page, 'header p')).toContain('Note: Ask <Marta> about row 42.')
    expect(textOf(page, 'td, th')).toEqual(expect.arrayContaining(['0 setosa', '1', 'cluster 0 setosa']))
    expect(textOf(page, 'svg text')).toContain('setosa')
    const markdown = readFileSync(`${path}-report-markdown`, 'utf8')
    expect(markdown).toMatch(/Note: Ask .*Marta.* about row 42\./)
    expect(markdown).toContain('| 0 setosa |')
  })
})

describe('the report in another language', () => {
  it('has its headings, sentences and numbers in that language, and is English otherwise', async () => {
    const { written } = await reported('examples/iris.csv', { k: 3 })
    const page = new JSDOM(await written('report', 'pl')).window.document
    expect(page.documentElement.lang).toBe('pl')
    expect(textOf(page, 'h1')).toEqual(['Klastry: iris.csv'])
    expect(textOf(page, 'h2')).toEqual(expect.arrayContaining(['Profile', 'Dane', 'Ustawienia', 'Wynik']))
    expect(textOf(page, 'dd').join()).toMatch(/0,5\d\d\d, każda para wierszy/)
    expect(await written('report-markdown', 'it')).toContain('## Come è stato ottenuto')
    expect(await written('report-markdown', 'en')).toContain('## How it was made')
  })
})

describe('the report of wine', () => {
  it('tells data, settings, clusters and how to repeat it, the same on a page and as text', async () => {
    const { page, markdown, result } = await reported('examples/wine.csv', { k: 3, scaling: 'standardise' })
    expect(textOf(page, 'h1')).toEqual(['Clusters of wine.csv'])
    expect(textOf(page, 'h2')).toEqual(
      expect.arrayContaining(['Clusters', 'Profiles', 'Data', 'Settings', 'Result', 'Machine']),
    )
    const [clusters, profiles] = [...page.querySelectorAll('table')]
    expect(clusters?.querySelectorAll('tbody tr')).toHaveLength(3)
    expect(profiles?.querySelectorAll('tbody tr')).toHaveLength(13)
    expect(textOf(page, 'pre')).toEqual([
      'centroid-lab cluster wine.csv -k 3 --engine cpu --device cpu --variant fused --seed 1 --scaling standardise',
    ])
    const facts = textOf(page, 'dd')
    expect(facts).toContain(result.record.resultSha256)
    expect(facts.join()).toMatch(/0\.2\d\d\d, every pair of rows/)
    // Settings are called what the window calls them.
    const settings = ['UTF-8, delimited, delimiter comma, decimal ., with header row', 'Standardise']
    settings.push('Drop the row', 'k-means++, seed 1, 1 run', 'Keep centroid')
    settings.push('Relative shift, tolerance 0.0001, at most 300 iterations')
    expect(facts).toEqual(expect.arrayContaining(settings))
    for (const fact of [result.record.file.sha256 ?? '', 'Standardise', 'proline'])
      expect(markdown).toContain(fact)
    expect(markdown).toMatch(/^\| 0 \| \d+ \| /m)
  })

  it('shows a dot for each row, and each centroid with its number', async () => {
    const { page } = await reported('examples/wine.csv', { k: 4 })
    expect(page.querySelectorAll('svg circle')).toHaveLength(178 + 4)
    expect(textOf(page, 'svg text')).toEqual(expect.arrayContaining(['0', '1', '2', '3']))
  })
})

describe('nothing in a report', () => {
  it('is markup or a script of the data', async () => {
    const hostile = '<script>alert(1)</script>'
    const path = file('a"b.csv', `"${hostile}",b|c\n1,2\n3,4\n9,9\n`)
    const { page, markdown } = await reported(path, { k: 2 })
    expect(page.querySelectorAll('script, img, link, iframe')).toHaveLength(0)
    expect(page.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain("default-src 'none'")
    expect(page.body.textContent).toContain(hostile)
    expect(markdown).not.toContain('<script>')
    expect(markdown).toContain('b\\|c')
  })
})

describe('what is not there is left out', () => {
  it('a silhouette of one cluster, a neighbour of none', async () => {
    const { page } = await reported(file('one.csv', 'a\n1\n2\n4\n'), { k: 1 })
    expect(textOf(page, 'th').join()).not.toContain('silhouette')
    expect(textOf(page, 'tbody tr')[0]).toMatch(/^0 3 100\.0 .* – hardly differs from the others$/)
  })

  it('what sets a cluster without rows apart', async () => {
    const { page } = await reported(file('dropped.csv', 'a,b\n1,1\n1,1\n9,9\n8,9\n'), {
      ...{ k: 4, init: 'first-k', empty: 'drop' },
    })
    expect(textOf(page, 'tbody tr').filter((row) => row.endsWith('no rows')).length).toBeGreaterThan(0)
  })

  it('features and clusters beyond what a page can show, which is said', async () => {
    const names = Array.from({ length: 70 }, (_, j) => `f${j}`)
    const rows = Array.from({ length: 40 }, (_, i) => names.map((_, j) => (i * 37 + j * 11) % 97).join(','))
    const { page } = await reported(file('wide.csv', [names.join(','), ...rows].join('\n')), { k: 30 })
    expect(textOf(page, '.notes li').join()).toContain(
      'Not shown: 6 more clusters and 10 more features; profile.csv has them all.',
    )
  })
})
