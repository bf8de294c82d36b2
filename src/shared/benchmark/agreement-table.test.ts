import { describe, expect, it } from 'vitest'
import { agreementTable } from './agreement-table'
import type { BenchmarkDocument, Measurement } from './document'
import { comparisonDocument } from './testing/document'

/** The first workload's `fused`, and others beside it by their hashes. */
function documentOf(hashes: readonly string[], changes: Partial<Measurement> = {}): BenchmarkDocument {
  const document = comparisonDocument()
  const fused = document.rows.find(({ variant }) => variant === 'fused')
  if (fused === undefined) throw new Error('no fused in the document')
  const rows = hashes.map((resultSha256) => ({ ...fused, ...changes, resultSha256 }))
  return { ...document, rows }
}

function sameBytes(document: BenchmarkDocument): string[] {
  const { columns, rows } = agreementTable(document)
  const at = columns.findIndex(({ header }) => header === 'same bytes')
  return rows.map((cells) => cells[at].text)
}

describe('the table of agreement', () => {
  it('counts the canonical contenders whose results are the same bytes', () => {
    expect(sameBytes(documentOf(['a', 'a', 'b']))).toEqual(['2 of 3 alike', '2 of 3 alike', '1 of 3 alike'])
    expect(sameBytes(documentOf(['a', 'a']))).toEqual(['2 of 2 alike', '2 of 2 alike'])
  })

  it('compares nothing with itself, and no hashes of bounded contenders or of other programs', () => {
    expect(sameBytes(documentOf(['a']))).toEqual(['the only one'])
    expect(sameBytes(documentOf(['a', 'a'], { variant: 'sequential' }))).toEqual(['–', '–'])
    expect(sameBytes(documentOf(['a', 'a'], { engine: null }))).toEqual(['–', '–'])
  })

  it('keeps workloads apart', () => {
    const [one, other] = documentOf(['a', 'b']).rows
    const document = { ...comparisonDocument(), rows: [one, { ...other, k: one.k + 1 }] }
    expect(sameBytes(document)).toEqual(['the only one', 'the only one'])
  })
})
