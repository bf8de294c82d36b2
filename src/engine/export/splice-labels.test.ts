import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadCpuAddon, type CpuAddon } from '@engine/engines/native'
import type { RunResult } from '@engine/run/types'
import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { exportDialects } from '@shared/text-choice'
import { writeAtomically } from './atomic-file'
import { csvForm } from './csv-text'
import { writeExport } from './index'
import { writeLabelsCellByCell } from './labels'
import { spliceLabels } from './splice-labels'
import { runOf } from './testing/run-of'

const signal = new AbortController().signal
const corpus = join(import.meta.dirname, '..', '..', '..', 'tests', 'corpus')
const cases = JSON.parse(readFileSync(join(corpus, 'cases.json'), 'utf8')) as {
  name: string
  quote: '"' | "'" | ''
}[]
const kept = mkdtempSync(join(tmpdir(), 'centroid-lab-splice-'))
let folder = ''

afterAll(() => rmSync(kept, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(kept, 'test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function writerOfAddon(): NonNullable<CpuAddon['LabelWriter']> {
  const { addon, reason } = loadCpuAddon()
  if (addon?.LabelWriter === undefined) throw new Error(reason ?? 'The addon has no writer of labels.')
  return addon.LabelWriter
}

interface Sizes {
  readonly blockBytes: number
  readonly chunkBytes: number
}

/** Fewer than there may be clusters. */
const awkwardNames = ['near, by; "quoted"', null, ' = 漢字 😀', '=1+1']

async function bothWays(result: RunResult, sizes: Sizes): Promise<void> {
  const Writer = writerOfAddon()
  const onProgress = () => undefined
  const options = { replace: true, signal }
  const [byCell, spliced] = [join(folder, 'cells'), join(folder, 'spliced')]
  for (const dialect of exportDialects) {
    const named = dialect !== 'tab' && { clusterNames: awkwardNames }
    const form = csvForm({ dialect, neutralise: dialect === 'comma', ...named })
    await writeAtomically(byCell, options, (sink) =>
      writeLabelsCellByCell(result, sink, signal, onProgress, form),
    )
    await writeAtomically(spliced, options, (sink) =>
      spliceLabels(result, sink, { signal, onProgress, form, Writer, ...sizes }),
    )
    const what = `${dialect}, blocks of ${sizes.blockBytes}, chunks of ${sizes.chunkBytes} bytes`
    expect(readFileSync(spliced, 'latin1'), what).toBe(readFileSync(byCell, 'latin1'))
  }
}

/** Numbers that look random and are the same in every run. */
function sequenceOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const spaces = ['', '', '', ' ', '\t', '\u00a0', '\u2003', '\u3000', '\v', '\ufeff']
const words = ['x', 'é', '漢字', '😀', "it's", 'a b', '-', '']

/** A table with whatever a cell may hold, some of it wrong. */
function oddTable(next: (below: number) => number): Buffer {
  const delimiter = ',;\t|'[next(4)]
  const end = ['\n', '\r\n', '\n', '\r\n', '\r'][next(5)]
  const pick = <T>(list: readonly T[]) => list[next(list.length)]
  const text = () => pick(spaces) + pick(words) + pick(spaces)
  const quoted = () =>
    `"${text()}${pick(['', '""', delimiter, ',', next(4) === 0 ? '\n' : ''])}${text().replaceAll('"', '')}"`
  const cell = () => (next(3) === 0 ? quoted() : text() + (next(40) === 0 ? '"' : ''))
  const row = (i: number) => {
    const cells = [String(i), `${next(1000) / 8}`, cell(), cell(), next(9) === 0 ? '' : String(next(99))]
    if (next(30) === 0) cells.pop()
    if (next(30) === 0) cells.push(cell(), cell())
    return cells.join(delimiter)
  }
  const lines = [['id', 'x', 'word', 'other', 'y'].join(delimiter)]
  for (let i = 0; i < 60; i++) lines.push(next(25) === 0 ? pick(['', ' ', '""']) : row(i))
  const table = lines.map((line) => line + (next(60) === 0 ? '\n' : end)).join('')
  return encoded(next(2) === 0 ? table : table.slice(0, -end.length), next)
}

function encoded(table: string, next: (below: number) => number): Buffer {
  const way = next(8)
  if (way === 0) return Buffer.from(`\ufeff${table}`, 'utf16le')
  if (way === 1) return Buffer.from(table, 'latin1')
  if (way === 2) return Buffer.concat([Buffer.from(table), Buffer.from([0x31, 0xe9, 0x0a])])
  return Buffer.from(way === 3 ? `\ufeff${table}` : table)
}

describe('labels.csv by the addon is that of the cells, byte for byte', () => {
  it.each(cases)('of $name', async ({ name, quote }) => {
    const overrides: ImportOverrides = quote === '' ? { quote } : {}
    const path = join(corpus, 'files', `${name}.csv`)
    const result = await runOf(path, { k: 1, missing: 'mean' }, { overrides })
    await bothWays(result, { blockBytes: 1, chunkBytes: 1 })
    await bothWays(result, { blockBytes: 37, chunkBytes: 11 })
    await bothWays(result, { blockBytes: 1 << 16, chunkBytes: 100 })
  })

  it('of tables of odd cells, in blocks of all sizes', async () => {
    let loaded = 0
    for (let seed = 1; seed <= 150; seed++) {
      const next = sequenceOf(seed)
      const path = join(folder, 'odd.csv')
      writeFileSync(path, oddTable(next))
      const k = 1 + next(3)
      const result = await runOf(path, { k, features: ['x', 'y'] }).catch((thrown: unknown) => {
        if (thrown instanceof LabError) return null
        throw thrown
      })
      if (result === null) continue
      loaded++
      await bothWays(result, { blockBytes: 1 + next(4000), chunkBytes: 1 + next(500) })
    }
    expect(loaded).toBeGreaterThan(75)
  })

  it('of cells parted by blanks, and of the headed format', async () => {
    const path = join(folder, 'blanks.txt')
    const rows = Array.from(
      { length: 200 },
      (_, i) => ` ${i} \t${i % 7}  "a ""b""" 'c ${i % 5 === 0 ? '' : '9'} \r\n`,
    )
    writeFileSync(path, `x y word mark z\n${rows.join('')}`)
    await bothWays(await runOf(path, { k: 2, features: ['x', 'y'] }), { blockBytes: 100, chunkBytes: 30 })
    const points = Array.from({ length: 200 }, (_, i) => `${i}  ${i % 3}\n`).join('')
    writeFileSync(path, `200\n2\n3\n${points}`)
    await bothWays(await runOf(path, { k: 3 }), { blockBytes: 100, chunkBytes: 30 })
  })

  it('of a line longer than a block, and of one cell of many lines', async () => {
    const path = join(folder, 'long.csv')
    const long = 'y'.repeat(20_000)
    writeFileSync(path, `x,text\n1,${long}\n2,"${'line\n'.repeat(2000)}"\n3,b\n4,c\n`)
    await bothWays(await runOf(path, { k: 2 }), { blockBytes: 512, chunkBytes: 64 })
  })
})

it('distances have the text that JavaScript gives them, at any size', async () => {
  const Writer = writerOfAddon()
  const next = sequenceOf(7)
  const mantissas = [1, 1.5, 2 - 2 ** -52, 1 + 2 ** -52]
  while (mantissas.length < 150) mantissas.push(1 + (next(2 ** 26) * 2 ** 26 + next(2 ** 26)) / 2 ** 52)
  for (let i = 1; i < 100; i++) mantissas.push(1 + i * 2 ** -9)
  const x = Float64Array.from(mantissas)
  const text = Buffer.from('0\n'.repeat(x.length))
  const out = new Uint8Array(x.length * 40)
  for (let exponent = -1074; exponent < 1024; exponent++) {
    const rows = {
      ...{ x, d: 1, labels: new Int32Array(x.length), centroids: new Float64Array(1), scale: 2 ** exponent },
      ...{ names: null, leftOut: new Uint32Array(0), pointRows: null },
    }
    const form = {
      delimiter: ',',
      quote: '"',
      separator: ',',
      mark: '.',
      width: 1,
      surplus: false,
      chunkBytes: 999,
    }
    const { written } = await new Writer(rows, form).write(text, 2, 0, out)
    const lines = Buffer.from(out.subarray(0, written)).toString().trimEnd().split('\n')
    const texts = lines.map((line) => line.split(',')[2])
    expect(texts).toEqual(mantissas.map((mantissa) => String(mantissa * 2 ** exponent)))
  }
})

describe('a large labels.csv', () => {
  const large = async () => {
    const path = join(folder, 'large.csv')
    const rows = Array.from({ length: 40_000 }, (_, i) => `${i % 997}.5,${(i * 7) % 1013},name ${i}\n`)
    writeFileSync(path, `a,b,name\n${rows.join('')}`)
    return runOf(path, { k: 3 })
  }

  it('tells how far it is', async () => {
    const seen: number[] = []
    const onProgress = (rows: number) => seen.push(rows)
    await writeExport(await large(), 'labels', join(folder, 'l.csv'), { replace: false, signal, onProgress })
    expect(seen.at(-1)).toBe(40_000)
  })

  it('leaves nothing when it is cancelled, or its source is not the same any more', async () => {
    const result = await large()
    const { path } = result.dataset.file
    const text = readFileSync(path, 'utf8')
    const target = join(folder, 'labels.csv')
    const controller = new AbortController()
    const stop = { replace: false, signal: controller.signal, onProgress: () => controller.abort() }
    await expect(writeExport(result, 'labels', target, stop)).rejects.toMatchObject({ kind: 'cancelled' })
    const changes = [
      `${text}1,1,x\n`,
      text.slice(0, 400_000),
      text.replace('name 9', 'same 9'),
      text.replace('name 9', 'na\0e 9'),
    ]
    for (const changed of changes) {
      writeFileSync(path, changed)
      const write = writeExport(result, 'labels', target, { replace: false, signal })
      await expect(write).rejects.toMatchObject({ code: 'export.source-changed', kind: 'io' })
    }
    rmSync(path)
    const write = writeExport(result, 'labels', target, { replace: false, signal })
    await expect(write).rejects.toMatchObject({ code: 'export.source-missing' })
    expect(readdirSync(folder)).toEqual([])
  })
})
