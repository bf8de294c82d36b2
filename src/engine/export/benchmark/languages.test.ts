/** Whoever reads a comparison reads it in one language: no English sentence is left in an Italian or Polish one. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { markdownOf } from '@shared/benchmark/markdown'
import { comparisonDocument, scalingDocument } from '@shared/benchmark/testing/document'
import { limitedDocument } from '@shared/benchmark/testing/limited-document'
import { ratioDocument } from '@shared/benchmark/testing/ratio-document'
import type { Language } from '@shared/locale/languages'
import { localizedSentence } from '@shared/locale/localized-sentence'
import { speaking } from '@shared/locale/translate'
import { unzip } from '../../../../scripts/lib/unzip.mjs'
import { presets } from '../../benchmark/presets'
import { scaleSuite } from '../../benchmark/scale-suite'
import { writeBenchmark } from '.'

const languages = ['it', 'pl'] as const satisfies readonly Language[]
const never = new AbortController().signal
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchmark-languages-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Words that neither Italian nor Polish has, at least two of them in a text: names of engines and of data have one at most. */
const english =
  /\b(the|of|and|with|is|are|was|which|than|each|over|from|this|their|not|run|times|median)\b/giu

/** With sentences that the engine says, and names that have no language. */
function withoutNames(document: BenchmarkDocument): BenchmarkDocument {
  const { publication } = document.suite
  const text = JSON.stringify(document)
    .replaceAll(
      '12 of 150 labels are not the nearest.',
      'Its result has another number of labels or centroids.',
    )
    .replaceAll('The device was lost.', 'It gave another number of labels.')
  return {
    ...(JSON.parse(text) as BenchmarkDocument),
    suite: {
      ...document.suite,
      name: 'Goldsborough: table',
      description: presets(1)[0]?.suite.description ?? '',
      publication: publication && {
        ...publication,
        hardware: '-',
        note: presets(1)[0]?.suite.publication?.note ?? '',
      },
    },
  }
}

const documents: readonly (readonly [string, BenchmarkDocument])[] = [
  ['a comparison', comparisonDocument()],
  ['a sweep', scalingDocument()],
  ['one with a limit', limitedDocument()],
  ['ratios', ratioDocument({ webgpu: [[1, 2], [1, 4]] })], // prettier-ignore
  ['part of one', { ...comparisonDocument(), state: 'paused', rows: comparisonDocument().rows.slice(0, 3) }],
]

/** Alone in a cell or beside a mark. */
const alone = new Set(['published', 'measured', 'failed', 'disagrees', 'skipped', 'contender', 'speed-up'])

const left = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => text.trim()))].filter(
    (text) => alone.has(text) || (text.match(english) ?? []).length > 1,
  )

async function written(document: BenchmarkDocument, what: 'html' | 'xlsx', language: Language) {
  const path = join(folder, `${language}.${what}`)
  const view = { baseline: document.suite.baseline, plots: [] }
  await writeBenchmark(document, what, view, path, { replace: true, signal: never, language })
  return path
}

let books = 0
async function partsOf(path: string): Promise<ReadonlyMap<string, string>> {
  const into = join(folder, `book-${books++}`)
  const names: string[] = []
  await unzip(path, into, (name: string) => {
    names.push(name)
    return name
  })
  const read = names.map(async (name) => [name, await readFile(join(into, name), 'utf8')] as const)
  return new Map(await Promise.all(read))
}

for (const language of languages) {
  for (const [name, document] of documents) {
    it(`report.html and Markdown of ${name} in ${language}`, async () => {
      const page = await readFile(await written(withoutNames(document), 'html', language), 'utf8')
      expect(page).toContain(`<html lang="${language}">`)
      const body = page.slice(page.indexOf('<body>'))
      const texts = [...body.matchAll(/>([^<>]+)</g), ...body.matchAll(/(?:title|aria-label|alt)="([^"]*)"/g)]
      expect(left(texts.map(([, text = '']) => text))).toEqual([])
      const markdown = speaking(language, () => markdownOf(withoutNames(document)))
      expect(left(markdown.split(/[\n|]/u))).toEqual([])
    })

    it(`timings.xlsx of ${name} in ${language}, its charts drawn from the sheet that is there`, async () => {
      const parts = await partsOf(await written(withoutNames(document), 'xlsx', language))
      const xml = [...parts].filter(([part]) => part.endsWith('.xml')).map(([, text]) => text)
      const texts = xml.flatMap((text) => [...text.matchAll(/<(?:t|a:t|c:v)(?: [^>]*)?>([^<]*)</g)])
      expect(left(texts.map(([, text = '']) => text))).toEqual([])
      const sheets = [...(parts.get('xl/workbook.xml') ?? '').matchAll(/<sheet [^>]*name="([^"]*)"/g)]
      const names = sheets.map(([, sheet = '']) => sheet)
      expect(names[0]).toBe(language === 'it' ? 'Tempi' : 'Czasy')
      const drawnFrom = xml.flatMap((text) =>
        [...text.matchAll(/<c:f>'([^']*)'!/g)].map(([, sheet = '']) => sheet),
      )
      expect(drawnFrom.every((sheet) => names.includes(sheet))).toBe(true)
      // CSV headers are the same in every language, here as in timings.csv.
      expect(texts.map(([, text]) => text)).toContain('host_device_bytes_per_iteration')
    })
  }

  it(`names, descriptions and notes of the published comparisons in ${language}, at every size`, () => {
    const suites = presets(1).flatMap(({ suite }) =>
      suite.cases.every(({ dataset }) => dataset.kind === 'generated')
        ? [suite, scaleSuite(suite, 0.1)]
        : [suite],
    )
    const texts = suites.flatMap(({ name, description, publication }) => [
      ...[name, description],
      ...(publication === null ? [] : [publication.note]),
    ])
    const said = speaking(language, () => texts.map(localizedSentence))
    expect(left(said)).toEqual([])
    said.forEach((text, at) => expect(text).not.toBe(texts[at]))
  })
}
