/** One table of a view written to a file, its outcome told in the status bar. */
import { ref } from 'vue'
import { t } from '@/i18n'
import { useAppStore } from '@/stores/app'
import { formatBytes } from '@/text/numbers'

interface Written {
  readonly path: string
  readonly bytes: number
}

export function useExportTable() {
  const app = useAppStore()
  const saving = ref(false)

  /** @param write null where the dialog was closed */
  async function save(write: () => Promise<Written | null>): Promise<void> {
    if (saving.value) return
    saving.value = true
    try {
      const written = await write()
      const name = written?.path.split(/[\\/]/).at(-1) ?? ''
      if (written) app.message = t('results.saved', [name, formatBytes(written.bytes)])
    } catch (thrown) {
      app.fail(thrown)
    } finally {
      saving.value = false
    }
  }

  return { saving, save }
}
