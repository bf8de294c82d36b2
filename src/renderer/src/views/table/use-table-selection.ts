/** Rows selected in the table: the same rows that are marked in the plots. */
import { maxCopiedRows } from '@shared/table'
import { LabError } from '@shared/errors'
import { t } from '@/i18n'
import { ask, rowsAtPositions } from '@/api'
import { isAmong, toggled } from '@/components/table/row-selection'
import { formatCount, plural } from '@/text/numbers'
import { withoutFormulas } from '@/text/tsv'
import { useAppStore } from '@/stores/app'
import { useSelectionStore } from '@/stores/selection'
import { useSettingsStore } from '@/stores/settings'

/** What main puts on the clipboard. */
const maxCharacters = 1 << 24

interface OpenTable {
  readonly tableId: string
  readonly rows: number
}

export function useTableSelection(table: () => OpenTable | null) {
  const app = useAppStore()
  const selection = useSelectionStore()
  const settings = useSettingsStore()
  /** Where a stretch begins. */
  let anchor = 0

  async function at(position: number): Promise<number | undefined> {
    const shown = table()
    return shown ? (await rowsAtPositions(shown.tableId, position, position + 1))[0] : undefined
  }

  async function stretch(from: number, end: number): Promise<void> {
    const shown = table()
    if (!shown) return
    const rows = await rowsAtPositions(shown.tableId, from, end)
    await selection.select(rows.sort(), 'replace')
  }

  async function pick(position: number, how: 'one' | 'toggle' | 'range'): Promise<void> {
    if (how === 'range') {
      return stretch(Math.min(anchor, position), Math.max(anchor, position) + 1)
    }
    anchor = position
    const row = await at(position)
    if (row === undefined) return
    const isOnly = selection.rows?.length === 1 && isAmong(selection.rows, row)
    if (how === 'one') return isOnly ? undefined : selection.select(Uint32Array.of(row), 'replace')
    return selection.select(toggled(selection.rows, row), 'replace')
  }

  const all = (): Promise<void> => stretch(0, table()?.rows ?? 0)

  /** In the order of the table; of very many the first ones. */
  async function copy(): Promise<void> {
    const [shown, picked] = [table(), selection.rows]
    if (!shown || !picked) return
    const wanted = picked.slice(0, maxCopiedRows)
    const { text, rows } = await ask('table.text', { tableId: shown.tableId, rows: wanted })
    const safe = settings.values.neutraliseFormulas ? withoutFormulas(text) : text
    if (safe.length > maxCharacters) throw tooLong(rows)
    await ask('app.copy', { text: safe })
    const more = picked.length > rows ? t('rows.ofSelected', [formatCount(picked.length)]) : ''
    app.message = t('rows.copied', [plural(rows, 'row'), more])
  }

  return { pick, all, copy }
}

function tooLong(rows: number): LabError {
  const sentence = t('rows.areTooMuchTextForThe', [plural(rows, 'row')])
  return new LabError('input', 'table.clipboard', sentence)
}
