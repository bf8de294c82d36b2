/** What a column says of a row that is no measurement of it: how much it counts, or which class it has. */
export type ColumnRole = 'weight' | 'label'

const names: Readonly<Record<ColumnRole, RegExp>> = {
  weight: /^((sample|case|row)[_ -]?)?weights?$|^wt$/i,
  label: /^(labels?|class(es)?|target|clusters?)$/i,
}

/** By its name alone: such a column is no feature unless a person says so. */
export function roleOf(name: string): ColumnRole | null {
  const trimmed = name.trim()
  if (names.weight.test(trimmed)) return 'weight'
  return names.label.test(trimmed) ? 'label' : null
}
