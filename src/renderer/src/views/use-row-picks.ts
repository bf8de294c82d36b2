/** Selected rows become part of the settings: the only ones that are clustered, or left out. Undo takes it back. */
import type { RowsCondition } from '@shared/row-filter/row-filter'
import { t } from '@/i18n'
import { rowNumbers } from '@/api'
import { plural } from '@/text/numbers'
import { withPickedRows } from '@/text/picked-rows'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useSelectionStore } from '@/stores/selection'

export function useRowPicks() {
  const app = useAppStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const selection = useSelectionStore()

  async function apply(kind: RowsCondition['kind']): Promise<void> {
    const [{ summary }, { rows }] = [dataset, selection]
    if (!summary || !rows) return
    const numbers = await rowNumbers(summary.id, rows)
    if (dataset.summary !== summary) return
    config.setFilter(withPickedRows(config.config.filter ?? null, kind, numbers))
    const count = plural(rows.length, 'row')
    // They have been dealt with: what is clustered now is to be seen, not they.
    selection.clear()
    app.message =
      kind === 'rows'
        ? t('window.onlyTheSelectedWillBeClustered', [count])
        : t('window.theSelectedWillBeLeftOut', [count])
  }

  const during = (kind: RowsCondition['kind']): void => void apply(kind).catch(app.fail)
  return { keepOnly: (): void => during('rows'), leaveOut: (): void => during('not-rows') }
}
