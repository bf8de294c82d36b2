/** Names of `width` columns: those of the header row, made unique with `_1`, `_2`; else `column 1`, ... */
export function columnNames(header: readonly string[] | null, width: number): readonly string[] {
  const taken = new Set<string>()
  return Array.from({ length: width }, (_, index) => {
    const written = header?.[index]?.trim() ?? ''
    const name = unused(written === '' ? `column ${index + 1}` : written, taken)
    taken.add(name)
    return name
  })
}

function unused(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  let suffix = 1
  while (taken.has(`${name}_${suffix}`)) suffix++
  return `${name}_${suffix}`
}
