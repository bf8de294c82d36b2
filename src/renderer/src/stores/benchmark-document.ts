/** A comparison as main tells it, read without holding up what draws. */
import { cellId, rowsByCell } from '@shared/benchmark/cells'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { documentOf } from '@shared/benchmark/document-parts'
import { statisticsOf } from '@shared/benchmark/statistics'
import { timesGroups } from '@/text/benchmark/times-rows'
import { ask } from '@/api'

/** Work between two pauses. */
const maxMs = 4

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Parts that are read in one go: the head and one more. */
const fewParts = 2

/** @throws LabError what `app.bench-document` throws */
export async function fetchDocument(benchId: string): Promise<BenchmarkDocument> {
  const { ticket, parts } = await ask('app.bench-document', { benchId })
  let begun = performance.now()
  async function breathe(): Promise<void> {
    if (parts <= fewParts || performance.now() - begun < maxMs) return
    await nextTurn()
    begun = performance.now()
  }
  const document = await documentOf(texts(ticket, parts), breathe)
  await prepare(document, breathe)
  return document
}

async function* texts(ticket: number, parts: number): AsyncGenerator<string> {
  for (let part = 0; part < parts; part++) {
    const { text } = await ask('app.bench-document-part', { ticket, part })
    yield text
  }
}

const rowsAtOnce = 50

/** Works out what is kept with cells, rows and plans, and what every table asks for. */
async function prepare({ plan, rows }: BenchmarkDocument, breathe: () => Promise<void>): Promise<void> {
  for (let at = 0; at < Math.max(plan.length, rows.length); at += rowsAtOnce) {
    plan.slice(at, at + rowsAtOnce).forEach(cellId)
    for (const row of rows.slice(at, at + rowsAtOnce)) {
      cellId(row)
      statisticsOf(row.totalsMs)
    }
    await breathe()
  }
  rowsByCell(rows)
  await breathe()
  timesGroups(plan)
  await breathe()
}
