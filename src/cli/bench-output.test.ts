import { describe, expect, it } from 'vitest'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { scaledNote } from '@shared/benchmark/cell-limit'
import { limitedDocument } from '@shared/benchmark/testing/limited-document'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { ratioDocument } from '@shared/benchmark/testing/ratio-document'
import { phasesTable } from '@shared/benchmark/phases-table'
import { benchText } from './bench-output'

const document = comparisonDocument()

function changed(change: (row: Measurement) => Partial<Measurement>): BenchmarkDocument {
  return { ...document, rows: document.rows.map((row) => ({ ...row, ...change(row) })) }
}
const textOf = (changes: Parameters<typeof changed>[0] = () => ({})) => benchText(changed(changes), [])
const repeated = (repeats: number) => textOf(({ totalsMs }) => ({ totalsMs: totalsMs.slice(0, repeats) }))
const reason = 'The cuda engine cannot be used: No NVIDIA GPU found: choose cpu or webgpu.'
const skippedCuda = ({ engine }: Measurement): Partial<Measurement> =>
  engine === 'cuda' ? { state: 'skipped', reason, totalsMs: [], verification: null } : {}
/** The line of a contender on the first dataset with the first k. */
const lineOf = (text: string, contender: string) =>
  text.split('\n').find((line) => line.startsWith('uniform 100k') && line.includes(` 5  ${contender} `))

describe('the table of bench', () => {
  it('gives speed-ups to three digits with their intervals and the level', () => {
    expect(lineOf(textOf(), 'cpu/fused')).toMatch(/ 12\.6 \(1\d\.\d to 1\d\.\d\) /)
    expect(lineOf(textOf(), 'cpu/sequential')).toMatch(/ 20 +5\.401 +1 +100 % +2\.100e-8 +measured/)
    expect(textOf()).toContain('with their intervals at a level of 94 %')
    expect(textOf()).not.toContain('~')
  })

  it('has one kind of dash where there is no number', () => {
    expect(lineOf(repeated(1), 'cpu/fused')).toMatch(/ cpu\/fused +tiled +1 +(\S+) +\1 +- +\1 +\1 /)
  })

  it('marks what is scaled from fewer iterations, and says in the cell why there is no time', () => {
    const text = benchText(limitedDocument(), [])
    expect(lineOf(text, 'cpu/sequential')).toMatch(
      / 1 +≈ 120\.0 +≈ 120\.0 +- +≈ 120\.0 +≈ 120\.0 +5 of 20 +5\.401 +1 +not compared: 5 of 20 iterations +- +measured/,
    )
    expect(lineOf(text, 'cpu/fused')).toMatch(/ 2 .* 20 .* ≈ ~12\.\d +100 % /)
    expect(text).toMatch(/iris\.csv .* outside\/numpy +- +0 +not run: 14 h predicted on 16 threads +-/)
    expect(text).toContain(`\n${scaledNote()}\nWithin the limit of 10 min a cell: 5 of 20 iterations, `)
  })

  it('names the regime of each contender, and says once why', () => {
    const text = textOf()
    expect(text).toMatch(/ contender +regime +runs +median ms /)
    expect(lineOf(text, 'cpu/fused')).toMatch(/ cpu\/fused +tiled +5 /)
    expect(lineOf(text, 'cpu/sequential')).toMatch(/ cpu\/sequential +as-studied +5 /)
    expect(lineOf(text, 'outside/numpy')).toMatch(/ outside\/numpy +- +5 /)
    expect(text.split('cpu/fused, tiled: Few centroids: every distance is computed.\n')).toHaveLength(2)
    expect(
      lineOf(
        textOf(() => ({ regime: null, regimeReason: null })),
        'cpu/fused',
      ),
    ).toMatch(/fused +- +5 /)
  })

  it('marks what the repeats do not decide and says why', () => {
    expect(lineOf(repeated(3), 'cpu/fused')).toMatch(/ ~12\.6 \(1\d\.\d to 1\d\.\d\) /)
    expect(repeated(3)).toMatch(
      /at a level of 75 %, .*\n~: inconclusive, for the interval contains 1 or its level is under 90 %/,
    )
    expect(lineOf(repeated(1), 'cpu/fused')).toMatch(/ ~12\.6 +100 % /)
    expect(repeated(1)).toContain('~: inconclusive, for one repeat gives no interval.')
  })

  it('has the ratios of a study beside those measured, and why nothing was', () => {
    const text = benchText(ratioDocument({ webgpu: [[1, 2], [1, 4]] }), []) // prettier-ignore
    expect(text).toMatch(
      /GPU only over hybrid +5 +webgpu\S+, stands in for CUDA .* 2\.000 +3\.000 +4\.000 +2\n/,
    )
    expect(text).toContain('Ratios by words transferred an iteration\n')
    expect(lineOf(textOf(skippedCuda), 'cuda:0/global-atomics')).toMatch(/ 0 +not run: no CUDA here +- /)
  })

  it('has no speed-up where the iterations differ, and says so', () => {
    const text = textOf(({ contender }) => (contender === 'cpu/fused' ? { iterations: 300 } : {}))
    expect(text.match(/cpu\/fused has no speed-up/g)).toHaveLength(1)
    expect(lineOf(text, 'cpu/fused')).toMatch(/ 300 +\d\S+ +300 iterations instead of 20 +100 % /)
    expect(text).toContain(
      'cpu/fused has no speed-up where it made another number of iterations than cpu/sequential (uniform 100k, k = 5: 300 instead of 20;',
    )
  })

  it('says that phases come from other runs, where there are phases', () => {
    const sentence = 'are means of separate runs'
    expect(textOf()).toContain(sentence)
    expect(textOf(() => ({ phases: null }))).not.toContain(sentence)
    const counted: BenchmarkDocument = { ...document, suite: { ...document.suite, timing: 'total' } }
    expect(benchText(counted, [])).not.toContain(sentence)
    expect(phasesTable(counted).notes.join(' ')).not.toContain(sentence)
  })
})
