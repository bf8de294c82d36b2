import { crossoversOf, type Crossing, type PairCrossings } from './crossover'
import { crossoverSentences, sizeSymbols } from './crossover-text'
import type { ScalingGroup } from './scaling'
import { numberCell, textCell, textColumn, unitColumn } from './table'
import type { Table, TableCell } from './table'

/** Where one contender overtakes another over the size that varies. */
export function crossoverTable(group: ScalingGroup): Table {
  const pairs = crossoversOf(group)
  const symbol = sizeSymbols[group.varies]
  return {
    title: `Crossovers over ${symbol}: ${groupText(group)}`,
    columns: [
      ...['overtakes', 'is overtaken'].map(textColumn),
      { header: symbol, unit: null, numeric: true },
      unitColumn('time there', 'ms'),
      textColumn('in words'),
    ],
    rows: pairs.flatMap((pair) => pairRows(pair, group)),
    notes: [
      'Points by log-log interpolation between the two sizes at which the order changes; intervals by percentile bootstrap of the repeats.',
    ],
  }
}

/** `uniform data, d = 2, k = 5`: what stays the same. */
export function groupText({ data, n, d, k }: ScalingGroup): string {
  const sizes = [n === null ? '' : `N = ${n}`, d === null ? '' : `d = ${d}`, k === null ? '' : `k = ${k}`]
  return [data, ...sizes].filter((part) => part !== '').join(', ')
}

function pairRows(pair: PairCrossings, { varies }: ScalingGroup): readonly (readonly TableCell[])[] {
  const sentences = crossoverSentences(pair, varies)
  const row = (crossing: Crossing | undefined, sentence: string): readonly TableCell[] => [
    textCell(crossing?.above ?? pair.first),
    textCell(crossing?.below ?? pair.second),
    numberCell(crossing?.at ?? null),
    numberCell(crossing?.ms ?? null),
    textCell(sentence),
  ]
  return sentences.map((sentence, at) => row(pair.crossings[at], sentence))
}
