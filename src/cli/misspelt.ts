import { LabError } from '@shared/errors'

/** An option nobody knows, with the one that was probably meant; the list of them all is help's. */
export function noSuchOption(given: string, known: readonly string[]): LabError {
  const meant = nearest(given, known)
  const what = meant === null ? `--help lists all options` : `did you mean ${meant}? --help lists them all`
  return new LabError('input', 'argument.option', `There is no option ${given}: ${what}.`)
}

/** A beginning of exactly one of them, or else the one that two slips at most make of it. */
function nearest(given: string, known: readonly string[]): string | null {
  const begun = known.filter((one) => given.length > 3 && one.startsWith(given))
  if (begun.length === 1) return begun[0] ?? null
  const slips = known.map((one) => ({ one, count: slipsBetween(given, one) }))
  const best = slips.sort((a, b) => a.count - b.count)[0]
  return best && best.count <= 2 && given.length > 4 ? best.one : null
}

/** Letters put in, left out or taken for another (Levenshtein 1966). */
function slipsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const other = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(other, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    above = row
  }
  return above[b.length] ?? 0
}
