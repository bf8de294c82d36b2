import type { NumericColumn } from './dataset'

type Figures = Map<string, unknown>

/** Stands for the rows where every row is a point. */
const allRows = {}
const known = new WeakMap<NumericColumn, WeakMap<object, Figures>>()

/**
 * A figure of the rows of a column that are points, which is found once and asked for by every run on them. What is interrupted
 * is found anew.
 * @param rows the array itself is what they are known by; null for all @param name of the figure, with all else that it depends on
 */
export async function figureOf<T>(
  column: NumericColumn,
  rows: Uint32Array | null,
  name: string,
  find: () => Promise<T>,
): Promise<T> {
  const figures = figuresOf(column, rows ?? allRows)
  if (!figures.has(name)) figures.set(name, await find())
  return figures.get(name) as T
}

function figuresOf(column: NumericColumn, rows: object): Figures {
  const ofColumn = known.get(column) ?? new WeakMap<object, Figures>()
  known.set(column, ofColumn)
  const figures = ofColumn.get(rows) ?? new Map<string, unknown>()
  ofColumn.set(rows, figures)
  return figures
}
