import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { csvLine } from '@engine/export/csv-text'
import { inspect } from '@engine/csv/inspect'
import { openDataset } from '@engine/csv/open-dataset'
import { isBlank, readRecords, type CsvRecord } from '@engine/csv/records'
import { tableReader } from '@engine/csv/reader'
import { readSample } from '@engine/csv/sample'
import type { RecordForm } from '@engine/csv/table-reader'
import { BlockDecoder } from '@engine/csv/text-decoder'
import { writeExport } from '@engine/export'
import { runOf } from '@engine/export/testing/run-of'
import type { Dialect, ImportOverrides } from '@shared/dataset'

const folder = join(import.meta.dirname, '..', 'corpus')
const scratch = mkdtempSync(join(tmpdir(), 'centroid-lab-corpus-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const never = new AbortController().signal

/** A file of the corpus: how it is to be read, and why where that is not Python's reading. */
interface Case extends Pick<Dialect, 'encoding' | 'delimiter' | 'quote'> {
  readonly name: string
  readonly what: string
  readonly notPython?: string
  /** All records, where Python has others. */
  readonly cells?: Cells
  /** Beginnings or parts of the sentences that the import tells. */
  readonly warnings: readonly string[]
}
type Cells = readonly (readonly string[])[]

const parsed = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const cases = parsed('cases.json') as readonly Case[]
const python = parsed('python.json') as Readonly<Record<string, Cells>>
const pathOf = ({ name }: Case) => join(folder, 'files', `${name}.csv`)
const decoded = (one: Case) => new BlockDecoder(one.encoding).decode(readFileSync(pathOf(one)), true)
const textOf = (one: Case) => decoded(one).text
const withoutBlank = (records: Cells) => records.filter((cells) => !isBlank(cells))

/** Every reader there is; each answers all records of a file. */
const readers: Readonly<Record<string, (one: Case, form: RecordForm) => Promise<Cells> | Cells>> = {
  'of a file': async (one, form) => {
    const records: (readonly string[])[] = []
    for await (const batch of readRecords(pathOf(one), form, never))
      records.push(...batch.map(({ cells }) => cells))
    return records
  },
  'of the preview': (one, form) => readSample(decoded(one), true, form).records.map(({ cells }) => cells),
  'of blocks of one character': (one, form) => {
    const reader = tableReader({ form })
    const parts = textOf(one)
      .split('')
      .map((character) => reader.push(character, false))
    return withoutBlank([...parts, reader.push('', true)].flat())
  },
}

const overrides = ({ quote }: Case): ImportOverrides => (quote === '' ? { quote } : {})

describe('the corpus of awkward files', () => {
  it.each(cases)('$name: $what', async (one) => {
    const { dialect, form } = await inspect(pathOf(one), overrides(one))
    const { encoding, delimiter } = one
    expect(dialect).toMatchObject({ encoding, delimiter })
    const right = one.cells ?? python[one.name]
    for (const [name, read] of Object.entries(readers)) {
      expect(await read(one, form), `the reader ${name}`).toEqual(right)
    }
    const { receipt } = await openDataset(pathOf(one), overrides(one), () => undefined, never)
    const warnings = receipt.warnings.join('\n')
    for (const sentence of one.warnings) expect(warnings).toContain(sentence)
    if (one.warnings.length === 0) expect(warnings).toBe('')
  })

  it.each(cases)('$name: its cells stand in labels.csv as they stand in the file', async (one) => {
    const result = await runOf(pathOf(one), { k: 1, missing: 'mean' }, { overrides: overrides(one) })
    const { columns, form, firstRecord } = result.dataset
    const source: CsvRecord[] = []
    for await (const batch of readRecords(pathOf(one), form, never)) source.push(...batch)
    const path = join(scratch, `${one.name}.csv`)
    await writeExport(result, 'labels', path, { replace: false, signal: never })
    const width = columns.length
    const written = await openDataset(path, { header: true }, () => undefined, never)
    const rows: (readonly string[])[] = []
    for await (const batch of readRecords(path, written.form, never))
      rows.push(...batch.map(({ cells }) => cells))
    const data = source.filter(({ record }) => record >= firstRecord).map(({ cells }) => cells)
    expect(rows.slice(1).map((cells) => cells.slice(0, width))).toEqual(
      data.map((cells) => Array.from({ length: width }, (_, column) => cells[column] ?? '')),
    )
    const surplus = (cells: readonly string[]) =>
      cells.slice(width).every((cell) => cell === '') ? '' : csvLine(cells.slice(width)).slice(0, -1)
    expect(rows.slice(1).map((cells) => cells[width + 2] ?? '')).toEqual(data.map(surplus))
    expect(rows.map((cells) => cells.length)).toEqual(rows.map(() => rows[0].length))
    expect(written.receipt.warnings).toEqual([])
  })

  it('has a reason for every file that is read otherwise than by Python, and for no other', () => {
    expect(cases.length).toBeGreaterThanOrEqual(100)
    for (const { name, notPython, cells } of cases) {
      expect(Object.keys(python)).toContain(name)
      if (notPython === undefined) expect(cells).toBeUndefined()
      else expect(cells, name).not.toEqual(python[name])
    }
  })

  const hasPython = spawnSync('python3', ['--version']).status === 0
  it.skipIf(!hasPython)('holds what Python reads today (where there is a Python)', () => {
    const now = execFileSync('python3', [join(folder, 'read_with_python.py')], { encoding: 'utf8' })
    expect(JSON.parse(now)).toEqual(python)
  })
})
