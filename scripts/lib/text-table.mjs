/**
 * A table for the terminal; columns of numbers are set to the right.
 * @param {readonly string[]} header
 * @param {ReadonlyArray<readonly string[]>} rows
 */
export function textTable(header, rows) {
  const columns = header.map((name, column) => {
    const cells = rows.map((row) => row[column])
    const width = Math.max(name.length, ...cells.map((cell) => cell.length))
    const isNumeric = cells.every((cell) => cell === '' || Number.isFinite(Number(cell)))
    return { width, isNumeric }
  })
  const line = (/** @type {readonly string[]} */ cells) =>
    cells
      .map((cell, column) => {
        const { width, isNumeric } = columns[column]
        return isNumeric ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  const rule = columns.map(({ width }) => '-'.repeat(width)).join('  ')
  return [line(header), rule, ...rows.map(line)].join('\n')
}
