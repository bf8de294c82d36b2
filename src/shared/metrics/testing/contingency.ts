import { ContingencyCounter, type Contingency } from '../contingency'

/** The answer of a generator that only gives way. */
export function drained<T>(work: Generator<undefined, T>): T {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}

/** The table of two label arrays of the same points. */
export function contingency(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  rows: number,
  columns: number,
): Contingency {
  const counter = new ContingencyCounter(rows, columns, first.length)
  for (let point = 0; point < first.length; point++) counter.add(first[point], second[point])
  return drained(counter.table())
}
