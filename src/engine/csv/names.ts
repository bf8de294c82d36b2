/**
 * Names of `width` columns: those of the header row; else `column 1`, ... The first of equal names keeps it, the others get
 * `_1`, `_2`, and never a name that another column has in the header.
 */
export function columnNames(header: readonly string[] | null, width: number): readonly string[] {
  const written = Array.from({ length: width }, (_, index) => header?.[index]?.trim() ?? '')
  const inHeader = new Set(written)
  const taken = new Set<string>()
  /** Suffixes tried for a name: all below stay taken, so a thousand equal names cost no million looks. */
  const tried = new Map<string, number>()
  return written.map((own, index) => {
    const isFirst = own !== '' && !taken.has(own)
    const name = isFirst ? own : unused(own === '' ? `column ${index + 1}` : own, taken, inHeader, tried)
    taken.add(name)
    return name
  })
}

function unused(
  name: string,
  taken: ReadonlySet<string>,
  inHeader: ReadonlySet<string>,
  tried: Map<string, number>,
): string {
  const isFree = (candidate: string) => !taken.has(candidate) && !inHeader.has(candidate)
  if (isFree(name)) return name
  let suffix = tried.get(name) ?? 1
  while (!isFree(`${name}_${suffix}`)) suffix++
  tried.set(name, suffix)
  return `${name}_${suffix}`
}
