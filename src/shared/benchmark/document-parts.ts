import type { BenchmarkDocument, Measurement, PlannedCell } from './document'

/**
 * A comparison on its way to the window, as texts of JSON: each is sent and read by itself, where thousands of rows at once would
 * hold up what draws. First the document without plan and rows, then arrays of `{ cell }` and `{ row }`.
 */
export type DocumentParts = readonly string[]

type Item = { readonly cell: PlannedCell } | { readonly row: Measurement }

/** Characters of a part, about; a single row can have more. */
const partLength = 131_072

export function partsOf(document: BenchmarkDocument): DocumentParts {
  const items: readonly Item[] = [
    ...document.plan.map((cell) => ({ cell })),
    ...document.rows.map((row) => ({ row })),
  ]
  const parts: string[][] = []
  let length = Infinity
  for (const text of items.map((item) => JSON.stringify(item))) {
    if (length > partLength) {
      parts.push([])
      length = 0
    }
    parts[parts.length - 1].push(text)
    length += text.length
  }
  const head = JSON.stringify({ ...document, plan: [], rows: [] })
  return [head, ...parts.map((texts) => `[${texts.join()}]`)]
}

/** The document again; parts in their order. @param breathe called after each; may wait */
export async function documentOf(
  parts: AsyncIterable<string>,
  breathe: () => Promise<void>,
): Promise<BenchmarkDocument> {
  let head: BenchmarkDocument | null = null
  const plan: PlannedCell[] = []
  const rows: Measurement[] = []
  for await (const part of parts) {
    if (head === null) head = JSON.parse(part) as BenchmarkDocument
    else
      for (const item of JSON.parse(part) as readonly Item[]) {
        if ('cell' in item) plan.push(item.cell)
        else rows.push(item.row)
      }
    await breathe()
  }
  if (head === null) throw new TypeError('Expected the parts of a comparison but received none')
  return { ...head, plan, rows }
}
