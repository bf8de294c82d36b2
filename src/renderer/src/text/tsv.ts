/** Tables as a spreadsheet takes them from the clipboard: tab separated, full precision, a header. */

export type TsvCell = string | number | null

/** Cells written between two breaths, so that a large table does not hold the thread that draws. */
const cellsAtOnce = 4000

function cellText(cell: TsvCell): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell) : cell.replace(/[\t\r\n]+/g, ' ')
}

export const tsvLine = (cells: readonly TsvCell[]): string => cells.map(cellText).join('\t')

/**
 * The texts of a table that a spreadsheet would take for formulas, with an apostrophe before them; numbers stay what
 * they are.
 */
export function withoutFormulas(table: string): string {
  const neutral = (cell: string) => (/^[=+\-@]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell)
  const line = (text: string) => text.split('\t').map(neutral).join('\t')
  return table.split('\n').map(line).join('\n')
}

/** A small table at once. */
export function tsvText(header: readonly string[], rows: readonly (readonly TsvCell[])[]): string {
  return [header, ...rows].map((row) => `${tsvLine(row)}\n`).join('')
}

/** A table of any size, row by row as it is asked for. */
export async function tsvInSlices(
  header: readonly string[],
  count: number,
  row: (index: number) => readonly TsvCell[],
): Promise<string> {
  const lines = [tsvLine(header)]
  const rowsAtOnce = Math.max(1, Math.floor(cellsAtOnce / Math.max(1, header.length)))
  for (let index = 0; index < count; index++) {
    lines.push(tsvLine(row(index)))
    if (index % rowsAtOnce === rowsAtOnce - 1) await new Promise((resolve) => setTimeout(resolve))
  }
  return `${lines.join('\n')}\n`
}
