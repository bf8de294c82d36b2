/**
 * What a person would read as one number: digits in groups, a sign or brackets, a currency before, a unit behind. Dates,
 * times and codes that go on behind the unit are none.
 */
const likeNumber =
  /^[(+\-−]?\s*\p{Sc}?\s*[+\-−]?(?:\d[\d.,'’\u00a0\u202f ]*|[.,]\d+)(?:e[+-]?\d+)?\s*(?:\p{Sc}|[\p{L}%‰°²³/·]{0,6})\)?$/iu

/** Longer cells are text. */
const longest = 40

export function looksLikeNumber(cell: string): boolean {
  return cell.length <= longest && likeNumber.test(cell.trim())
}
