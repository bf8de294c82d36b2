/** Text as a Python literal: JSON's strings are Python's, but for pairs of surrogates, which are written as they are. */
export function text(value: string): string {
  return JSON.stringify(value)
}

/** Numbers as Python reads them: the shortest text of a float64. */
export function number(value: number): string {
  if (Number.isNaN(value)) return 'np.nan'
  if (!Number.isFinite(value)) return value < 0 ? '-np.inf' : 'np.inf'
  return String(value)
}

export function list(values: readonly number[]): string {
  return `[${values.map(number).join(', ')}]`
}

export function truth(value: boolean): string {
  return value ? 'True' : 'False'
}

/** On one line, whatever a file is called. */
export function comment(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
