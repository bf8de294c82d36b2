import { crossoversOf, hasUnlikeWork, isLocated, type PairCrossings } from './crossover'
import {
  crossoverSentences,
  rangeText,
  scaledPointNotes,
  sizeSymbols,
  unlikeWorkNote,
} from './crossover-text'
import type { ScalingGroup } from './scaling'
import { countText } from './significant'
import { numberCell, textCell, textColumn, unitColumn } from './table'
import type { Table, TableCell } from './table'
import { undecidedLocation } from './verdict'
import { t } from '../locale/translate'

/** Where one contender overtakes another over the size that varies. */
export function crossoverTable(group: ScalingGroup): Table {
  const pairs = crossoversOf(group)
  const symbol = sizeSymbols[group.varies]
  return {
    title: t('benchmark-tables.crossoversOver', [symbol, groupText(group)]),
    columns: [
      ...['overtakes', t('benchmark-tables.isOvertaken')].map(textColumn),
      { header: symbol, unit: null, numeric: true },
      unitColumn(t('benchmark-tables.timeThere'), 'ms'),
      textColumn(t('benchmark-tables.inWords')),
    ],
    rows: pairs.flatMap((pair) => crossingRows(pair, group)),
    notes: [
      t('benchmark-tables.pointsByLogLogInterpolationBetween'),
      ...withoutLocation(pairs, group),
      ...withoutCrossing(pairs, group),
      ...(hasUnlikeWork(group) ? [unlikeWorkNote()] : []),
      ...scaledPointNotes(group),
    ],
  }
}

/** `uniform data, d = 2, k = 5`: what stays the same. */
export function groupText({ data, n, d, k }: ScalingGroup): string {
  const sizes = Object.entries({ N: n, d, k }).map(([name, size]) =>
    size === null ? '' : `${name} = ${countText(size)}`,
  )
  return [data, ...sizes].filter((part) => part !== '').join(', ')
}

function crossingRows(pair: PairCrossings, { varies }: ScalingGroup): readonly (readonly TableCell[])[] {
  const located = pair.crossings.filter(isLocated)
  return located.map((crossing) => [
    textCell(crossing.above),
    textCell(crossing.below),
    numberCell(crossing.at),
    numberCell(crossing.ms),
    ...crossoverSentences({ ...pair, crossings: [crossing] }, varies).map((words) => textCell(words)),
  ])
}

/** More of them than this are counted, not named. */
const namedPairs = 12

/** Pairs that cross where the repeats do not decide. */
function withoutLocation(pairs: readonly PairCrossings[], { varies }: ScalingGroup): readonly string[] {
  const open = pairs.flatMap((pair) => {
    const crossings = pair.crossings.filter((crossing) => !isLocated(crossing))
    return crossings.length === 0 ? [] : [{ ...pair, crossings }]
  })
  if (open.length <= namedPairs) return open.flatMap((pair) => crossoverSentences(pair, varies))
  const range = rangeText(open[0], varies)
  return [t('benchmark-tables.pairsCrossSomewhereInTheRange', [open.length, range, undecidedLocation()])]
}

function withoutCrossing(pairs: readonly PairCrossings[], { varies }: ScalingGroup): readonly string[] {
  const apart = pairs.filter(({ crossings }) => crossings.length === 0)
  if (apart.length === 0) return []
  if (apart.length > namedPairs) {
    return [t('benchmark-tables.pairsHaveNoCrossoverInThe', [apart.length, rangeText(apart[0], varies)])]
  }
  return apart.flatMap((pair) => crossoverSentences(pair, varies))
}
