import type { Dataset } from '@engine/dataset/dataset'
import type { Chance } from './chance'

const names = ['plain', 'a b', 'Acme Ltd', '5 pipe', 'x', '', 'NA', '""', '"a, b"', '"say ""so"""', '" "']
const strays = ['"', '"', '"', '""', '" ', ' "']

/** A table whose every line is a row, with quotes put anywhere into some of them. */
export function tableWithStrayQuotes(chance: Chance): Uint8Array {
  const header = chance.yes(0.8) ? ['x,name,y'] : []
  const name = () => (chance.yes(0.7) ? chance.of(names.slice(0, 5)) : chance.of(names))
  const rows = Array.from({ length: 20 + chance.below(400) }, () =>
    [chance.below(1000), name(), (chance.next() * 9).toFixed(2)].join(','),
  )
  const lines = [...header, ...rows]
  for (let left = 1 + chance.below(8); left > 0; left--) {
    const line = chance.below(lines.length)
    const at = chance.yes(0.5) ? chance.of(cellEnds(lines[line])) : chance.below(lines[line].length + 1)
    lines[line] = lines[line].slice(0, at) + chance.of(strays) + lines[line].slice(at)
  }
  const end = chance.of(['\n', '\r\n', '\r'])
  return Buffer.from(lines.join(end) + (chance.yes(0.8) ? end : ''))
}

/** Where cells begin and end, which is where quotes do most harm. */
function cellEnds(line: string): number[] {
  const commas = [...line.matchAll(/,/g)].flatMap(({ index }) => [index, index + 1])
  return [0, line.length, ...commas]
}

/** @throws Error where a line is no record of its own: nothing there spans lines but what stray quotes join */
export function requireEveryLine(table: Uint8Array, dataset: Dataset | null): void {
  if (dataset === null) throw new Error('a table of 20 rows was refused')
  const lines = Buffer.from(table)
    .toString()
    .split(/\r\n|\n|\r/)
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length
  const read = dataset.firstRecord - 1 + dataset.receipt.records + dataset.receipt.blankLines
  if (read !== count) throw new Error(`${count} lines in the file, ${read} of them read`)
}
