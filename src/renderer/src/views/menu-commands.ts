/** What each command of the native menu means in the window. */
import { assertNever } from '@shared/assert-never'
import type { CentreView, MenuCommand } from '@shared/ipc'
import { ref } from 'vue'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useRunStore } from '@/stores/run'
import { useSettingsStore } from '@/stores/settings'
import { useStepsStore } from '@/stores/steps'
import type { useExports } from './exports'

type Exports = ReturnType<typeof useExports>

export function useMenuCommands(startRun: () => void, exports: Exports) {
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const run = useRunStore()
  const settings = useSettingsStore()
  const steps = useStepsStore()
  const aboutOpen = ref(false)

  const show = (view: CentreView): void => settings.save({ view })

  function carryOut(command: MenuCommand): unknown {
    switch (command) {
      case 'open':
        return dataset.choose()
      case 'open-steps':
        return steps.choose()
      case 'import-settings':
        return dataset.reviewImport()
      case 'run':
        return startRun()
      case 'cancel':
        return dataset.opening ? dataset.cancel() : run.cancel()
      case 'undo':
        return config.undo()
      case 'redo':
        return config.redo()
      case 'copy-command-line':
        return exports.copyCommandLine()
      case 'export-labels':
        return exports.exportResult('labels')
      case 'export-centroids':
        return exports.exportResult('centroids')
      case 'export-all':
        return exports.exportAll()
      case 'view-clusters':
        return show('clusters')
      case 'view-steps':
        return show('steps')
      case 'toggle-settings-panel':
        return settings.save({ leftCollapsed: !settings.values.leftCollapsed })
      case 'toggle-result-panel':
        return settings.save({ rightCollapsed: !settings.values.rightCollapsed })
      case 'about':
        return (aboutOpen.value = true)
      default:
        return assertNever(command, 'menu command')
    }
  }

  return { aboutOpen, menu: (command: MenuCommand): void => void carryOut(command) }
}
