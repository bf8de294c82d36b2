import type { Interval } from './bootstrap'
import { contendersOf, placesOf } from './counted'
import type { BenchmarkDocument } from './document'
import { workNotes } from './work-notes'
import { speedupsOf, type Speedup } from './speedups'
import { numberCell, stateCell, unitColumn } from './table'
import type { Table, TableCell } from './table'
import { placeCells, placeColumns } from './time-tables'

/** Speed-ups over a baseline: a row for each dataset and k, a column for each contender; no number where one of the two does not count. */
export function speedupTable(document: BenchmarkDocument, baseline: string = document.suite.baseline): Table {
  const contenders = contendersOf(document)
  const speedups = speedupsOf(document, baseline)
  return {
    title: `Speed-up over ${baseline} (ratio of medians)`,
    columns: [...placeColumns, ...contenders.map((contender) => unitColumn(contender, '×'))],
    rows: placesOf(document).map((place) => {
      const found = contenders.map((contender) =>
        speedups.find(
          ({ row }) => row.dataset === place.dataset && row.k === place.k && row.contender === contender,
        ),
      )
      const best = Math.max(...found.map((one) => one?.speedup ?? -Infinity))
      return [...placeCells(place), ...found.map((one) => speedupCell(one, best))]
    }),
    notes: [...workNotes(document, baseline), ...speedupNotes(speedups)],
  }
}

function speedupCell(found: Speedup | undefined, best: number): TableCell {
  if (found === undefined || found.speedup === null) return stateCell(found?.row, found?.reason ?? null)
  const { speedup, interval, row } = found
  return numberCell(speedup, {
    state: row.state,
    range: intervalRange(interval),
    best: speedup === best && best > 1,
    note: interval !== null && holdsOne(interval) ? 'The repeats do not tell it from the baseline.' : null,
  })
}

/** Whether the repeats leave open which of the two is faster. */
export function holdsOne({ low, high }: Interval): boolean {
  return low <= 1 && high >= 1
}

/** `11.92 to 12.81`. */
export function intervalRange(interval: Interval | null): string | null {
  return interval && `${numberCell(interval.low).text} to ${numberCell(interval.high).text}`
}

function speedupNotes(speedups: readonly Speedup[]): readonly string[] {
  const levels = [...new Set(speedups.flatMap(({ interval }) => (interval ? [interval.level] : [])))]
  const method = levels.map(
    (level) =>
      `Ranges: ${Math.round(100 * level)} % intervals of the ratio by percentile bootstrap of the repeats; one that holds 1 decides nothing.`,
  )
  const refused = speedups.flatMap(({ row, reason }) =>
    reason === null || row.state === 'measured'
      ? []
      : [`No speed-up for ${row.contender} on ${row.dataset}, k = ${row.k}: ${reason}`],
  )
  return [...method, ...refused]
}
