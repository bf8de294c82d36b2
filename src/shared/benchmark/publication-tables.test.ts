import { describe, expect, it } from 'vitest'
import type { BenchmarkDocument, Measurement } from './document'
import { markdownOf } from './markdown'
import { publicationTables } from './publication-tables'
import type { Publication } from './suite'
import { notPrinted } from './table-notes'
import { comparisonDocument } from './testing/document'
import { ratioDocument } from './testing/ratio-document'

const note =
  'WebGPU stands in for CUDA, which did not run in this comparison: the same variant, as measured on WebGPU.'

function tableNamed(document: BenchmarkDocument, name: string, baseline?: string) {
  const found = publicationTables(document, baseline).find((one) => one.name === name)
  if (found === undefined) throw new Error(`Expected the table ${name}`)
  return found.table
}
const textsOf = (document: BenchmarkDocument, name: string, baseline?: string) =>
  tableNamed(document, name, baseline).rows.map((cells) => cells.map(({ text }) => text))

describe('ratios of a study beside those measured', () => {
  const both = ratioDocument({ cuda: [[1, 2], [1, 4]], webgpu: [[2, 2]] }) // prettier-ignore

  it('stand in a table, smallest, mean and largest, with the data behind them', () => {
    expect(textsOf(both, 'Ratios')).toEqual([
      [
        ...['GPU only over hybrid', '5', 'cuda/irregular-reduction', 'cuda/hybrid-parallel', 'cuda:0'],
        ...['2.600', '3.200', '3.500', '2.000', '3.000', '4.000', '2'],
      ],
      [
        ...['GPU only over hybrid', '5', 'webgpu/irregular-reduction', 'webgpu/hybrid-parallel', 'webgpu:0'],
        ...['2.600', '3.200', '3.500', '1.000', '1.000', '1.000', '1'],
      ],
    ])
    expect(tableNamed(both, 'Ratios').notes).not.toContain(note)
    expect(tableNamed(both, 'Ratios').notes).not.toContain(notPrinted())
    expect(markdownOf(both)).toContain('A study: published ratios beside measured')
  })

  it('mark that WebGPU stands in where CUDA took no part', () => {
    const alone = ratioDocument({ webgpu: [[2, 2]] })
    expect(textsOf(alone, 'Ratios')[0]?.[2]).toBe('webgpu/irregular-reduction, stands in for CUDA')
    expect(tableNamed(alone, 'Ratios').notes).toContain(note)
  })

  it('say in the cell why there is none', () => {
    const none = (document: BenchmarkDocument) => textsOf(document, 'Ratios')[0]?.slice(8)
    expect(none(ratioDocument({}))).toEqual([...Array<string>(3).fill('no k = 5 in this comparison'), '0'])
    const sole = ratioDocument({ cuda: [[1, 2]] })
    const unpaired = { ...sole, rows: sole.rows.slice(0, 1), plan: sole.plan.slice(0, 1) }
    expect(none(unpaired)?.[0]).toBe('not in this comparison')
  })

  it('say what a dash among the published ones means', () => {
    const { publication } = both.suite
    const ratios = publication?.ratios.map((ratio) => ({ ...ratio, min: null, mean: null })) ?? []
    const onlyMax = publication && { ...both.suite, publication: { ...publication, ratios } }
    const found = { ...both, suite: onlyMax ?? both.suite }
    expect(textsOf(found, 'Ratios')[0]?.slice(5, 8)).toEqual(['–', '–', '3.500'])
    expect(tableNamed(found, 'Ratios').notes).toContain('–: the study prints no such number.')
  })

  it('have the data behind them in a table ordered by words', () => {
    const words = (document: BenchmarkDocument) => textsOf(document, 'Ratio data').map((cells) => cells[5])
    const reversed = both.rows.map((row) =>
      row.dataset === 'data 0' ? { ...row, hostDeviceBytesPerIteration: 40_000 } : row,
    )
    expect(words({ ...both, rows: reversed })).toEqual(['2000', '10\u202f000', '10\u202f000'])
    expect(textsOf(both, 'Ratio data')[0]?.slice(6)).toEqual([
      ...['cuda/irregular-reduction', 'cuda/hybrid-parallel', '1.000', '2.000', '2.000'],
    ])
    expect(publicationTables(ratioDocument({ cuda: [[1, 2]] })).map(({ name }) => name)).toEqual(['Ratios'])
  })

  it('have no words in that table where none cross', () => {
    const rows = both.rows.map((row) => ({ ...row, hostDeviceBytesPerIteration: 0 }))
    const { title, columns } = tableNamed({ ...both, rows }, 'Ratio data')
    expect(title).toBe('Ratios of each dataset')
    expect(columns.map(({ header }) => header)).not.toContain('words an iteration')
    expect(textsOf({ ...both, rows }, 'Ratio data')[0]).toHaveLength(columns.length)
  })
})

describe('published times', () => {
  const document = comparisonDocument()
  const reason = 'The cuda engine cannot be used: No NVIDIA GPU found: choose cpu or webgpu.'
  const nothing = { totalsMs: [], verification: null }
  const noCuda = { state: 'skipped', reason, deviceName: null, ...nothing } as const
  /** CUDA skipped; the same variant on WebGPU behind it. */
  const onWebGpu = {
    ...document,
    rows: document.rows.flatMap((row): readonly Measurement[] => {
      if (row.engine !== 'cuda') return [row]
      const moved = { engine: 'webgpu', device: 'webgpu:0', contender: 'webgpu/global-atomics' } as const
      return [
        { ...row, ...noCuda },
        { ...row, ...moved },
      ]
    }),
  }

  it('of CUDA stand beside the same variant on WebGPU where there is no CUDA, marked so', () => {
    const row = textsOf(onWebGpu, 'Published')[1]
    expect(row?.[4]).toBe('webgpu/global-atomics, stands in for CUDA')
    expect(row?.[6]).toBe('1.920')
    expect(tableNamed(onWebGpu, 'Published').notes).toContain(note)
    expect(tableNamed(document, 'Published').notes).not.toContain(note)
  })

  it('of CUDA stand beside CUDA, with the reason, where it is here and its cell was left out', () => {
    const limited = 'Not run: 14 h predicted on H200; the limit of a cell is 10 min.'
    const rows = onWebGpu.rows.map((row) =>
      row.engine === 'cuda' ? { ...row, deviceName: 'NVIDIA H200', reason: limited } : row,
    )
    const row = textsOf({ ...onWebGpu, rows }, 'Published')[1]
    expect(row?.[4]).toBe('cuda:0/global-atomics')
    expect(row?.[6]).toBe('not run: 14 h predicted on H200')
    expect(tableNamed({ ...onWebGpu, rows }, 'Published').notes).not.toContain(note)
  })

  it('of CUDA say that there is none where nothing stands in', () => {
    const rows = document.rows.map((row) => (row.engine === 'cuda' ? { ...row, ...noCuda } : row))
    const row = textsOf({ ...document, rows }, 'Published')[1]
    expect([row?.[6], row?.[8]]).toEqual(['not run: no CUDA here', 'not run: no CUDA here'])
  })

  it('give a speed-up that is said to be computed where the study prints none', () => {
    const { publication } = document.suite
    const times = publication?.times.map((time) => ({ ...time, speedup: null })) ?? []
    const silent: Publication = { title: 'A study', hardware: '', note: '', ratios: [], times }
    const found = { ...document, suite: { ...document.suite, publication: silent } }
    expect(textsOf(found, 'Published').map((cells) => cells[7])).toEqual(['–', '50.86 computed'])
    expect(tableNamed(found, 'Published').notes.join(' ')).toContain('ratios of the printed times, over C++')
    expect(tableNamed(found, 'Published').notes).toContain(notPrinted())
    expect(tableNamed(document, 'Published').notes).not.toContain(notPrinted())
    expect(textsOf(found, 'Published', 'cpu/fused').map((cells) => cells[7])).toEqual(['–', '–'])
    expect(textsOf(document, 'Published').map((cells) => cells[7])).toEqual(['1.000', '51.00'])
  })
})
