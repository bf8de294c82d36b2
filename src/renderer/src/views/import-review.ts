/** The import preview while it is worked on: every change is looked at in the file before anything loads. */
import type { ColumnType, Dialect, ImportOverrides, ImportPreview } from '@shared/dataset'
import { toErrorReport } from '@shared/errors'
import { onScopeDispose, ref, shallowRef } from 'vue'
import { ask } from '@/api'
import { debounced } from '@/debounced'
import type { ImportReview, ImportSource } from '@/stores/dataset'

/** Changes closer together than this are asked about once. */
const debounceMs = 150

type TypesByColumn = Readonly<Record<number, ColumnType>>

/** What detection says goes on standing beside what was set by hand. */
function detectedDialect(before: Dialect, now: ImportPreview, overrides: ImportOverrides): Dialect {
  const set = Object.keys(overrides)
  const found = Object.entries(now.receipt.dialect).filter(([key]) => !set.includes(key))
  return { ...before, ...Object.fromEntries(found) }
}

function detectedTypes(
  before: TypesByColumn,
  now: ImportPreview,
  { columnTypes = {} }: ImportOverrides,
): TypesByColumn {
  const known = now.columns.map(({ index, type }) => [
    index,
    columnTypes[index] === undefined ? type : (before[index] ?? type),
  ])
  return Object.fromEntries(known)
}

export function useImportReview(review: ImportReview) {
  const { source } = review
  const overrides = shallowRef(source.overrides)
  const preview = shallowRef(source.preview)
  const dialect = shallowRef(source.detected.receipt.dialect)
  const types = shallowRef(detectedTypes({}, source.detected, {}))
  const error = shallowRef<string | null>(null)
  const asking = ref(false)
  let newest = 0
  let look: () => Promise<void> = () => Promise.resolve()
  let answered = Promise.resolve()
  const looking = debounced(() => (answered = look()), debounceMs)

  function show(next: ImportPreview, under: ImportOverrides): void {
    preview.value = next
    dialect.value = detectedDialect(dialect.value, next, under)
    types.value = detectedTypes(types.value, next, under)
    error.value = null
  }

  async function askFor(under: ImportOverrides, mine: number): Promise<void> {
    try {
      const next = await ask('app.preview', { token: source.token, overrides: under })
      if (mine === newest) show(next, under)
    } catch (thrown) {
      if (mine === newest) error.value = toErrorReport(thrown).message
    } finally {
      if (mine === newest) asking.value = false
    }
  }

  /** Shows what a change would do; the newest change wins, whatever is answered first. */
  function change(next: ImportOverrides): void {
    overrides.value = next
    asking.value = true
    const mine = ++newest
    look = () => askFor(next, mine)
    looking.ask()
  }

  /** The source as it stands now, its last change looked at; null while it cannot be read that way. */
  async function whenReviewed(): Promise<ImportSource | null> {
    looking.flush()
    await answered
    if (error.value !== null) return null
    return { ...source, preview: preview.value, overrides: overrides.value }
  }

  onScopeDispose(() => {
    looking.cancel()
    newest++
  })

  return { overrides, preview, dialect, types, error, asking, change, whenReviewed }
}
