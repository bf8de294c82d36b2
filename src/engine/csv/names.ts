/** Names of `width` columns: those of the header row, made unique with `_1`, `_2`; else `column 1`, ... */
export function columnNames(header: readonly string[] | null, width: number): readonly string[] {
  const taken = new Set<string>()
  /** Suffixes tried for a name: all below stay taken, so a thousand equal names cost no million looks. */
  const tried = new Map<string, number>()
  return Array.from({ length: width }, (_, index) => {
    const written = header?.[index]?.trim() ?? ''
    const name = unused(written === '' ? `column ${index + 1}` : written, taken, tried)
    taken.add(name)
    return name
  })
}

function unused(name: string, taken: ReadonlySet<string>, tried: Map<string, number>): string {
  if (!taken.has(name)) return name
  let suffix = tried.get(name) ?? 1
  while (taken.has(`${name}_${suffix}`)) suffix++
  tried.set(name, suffix)
  return `${name}_${suffix}`
}
