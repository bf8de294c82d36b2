/** What each command of the native menu means in the window. */
import { assertNever } from '@shared/assert-never'
import { menuCommands, type CentreView, type MenuCommand } from '@shared/ipc'
import { computed, ref, watch } from 'vue'
import { ask } from '@/api'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useGenerateStore } from '@/stores/generate'
import { usePredictionStore } from '@/stores/prediction'
import { useRunStore } from '@/stores/run'
import { useScanStore } from '@/stores/scan'
import { useSessionStore } from '@/stores/session'
import { useSettingsStore } from '@/stores/settings'
import { useStepsStore } from '@/stores/steps'
import { useVerificationStore } from '@/stores/verification'
import { useBenchmarkShown } from './benchmark/use-benchmark-shown'
import { useBenchmarkStart } from './benchmark/use-benchmark-start'
import type { useExports } from './exports'
import { useSessionCommands } from './session/session-commands'

type Exports = ReturnType<typeof useExports>

export function useMenuCommands(startRun: () => void, exports: Exports) {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const generate = useGenerateStore()
  const prediction = usePredictionStore()
  const run = useRunStore()
  const scan = useScanStore()
  const settings = useSettingsStore()
  const steps = useStepsStore()
  const verification = useVerificationStore()
  const inBenchmark = useBenchmarkShown()
  const comparison = useBenchmarkStart()
  const session = useSessionStore()
  const sessions = useSessionCommands()
  const aboutOpen = ref(false)
  const shortcutsOpen = ref(false)

  const show = (view: CentreView): void => settings.save({ view })

  function cancel(): Promise<void> {
    if (dataset.opening) return dataset.cancel()
    if (session.progress) return session.cancel()
    if (scan.busy && !run.busy) return scan.cancel()
    return run.busy ? run.cancel() : benchmark.cancel()
  }

  /** It needs no file. */
  function showBenchmark(): void {
    if (loaded.value) show('benchmark')
    else benchmark.standalone = true
  }

  function carryOut(command: MenuCommand): unknown {
    switch (command) {
      case 'open':
        return dataset.choose()
      case 'new-session':
        return sessions.begin()
      case 'open-session':
        return sessions.choose()
      case 'save-session':
        return sessions.save(false)
      case 'save-session-as':
        return sessions.save(true)
      case 'open-steps':
        return steps.choose()
      case 'generate':
        return (generate.open = true)
      case 'import-settings':
        return dataset.reviewImport()
      case 'run':
        return inBenchmark.value ? comparison.start() : startRun()
      case 'cancel':
        return cancel()
      case 'undo':
        return config.undo()
      case 'redo':
        return config.redo()
      case 'copy-command-line':
        return exports.copyCommandLine()
      case 'copy-python':
        return exports.copyPython()
      case 'assign-rows':
        return run.result && prediction.choose(run.result.record.id)
      case 'verify':
        return run.result && verification.verifyRun(run.result.record.id)
      case 'export-labels':
        return exports.exportResult('labels')
      case 'export-centroids':
        return exports.exportResult('centroids')
      case 'export-all':
        return exports.exportAll()
      case 'view-clusters':
        return show('clusters')
      case 'view-profiles':
        return show('profiles')
      case 'view-choose-k':
        return show('choose-k')
      case 'view-table':
        return show('table')
      case 'view-steps':
        return show('steps')
      case 'view-benchmark':
        return showBenchmark()
      case 'toggle-settings-panel':
        return settings.save({ leftCollapsed: !settings.values.leftCollapsed })
      case 'toggle-result-panel':
        return settings.save({ rightCollapsed: !settings.values.rightCollapsed })
      case 'shortcuts':
        return (shortcutsOpen.value = true)
      case 'about':
        return (aboutOpen.value = true)
      default:
        return assertNever(command, 'menu command')
    }
  }

  const loaded = computed(() => dataset.summary !== null)
  const canRun = computed(() => loaded.value && config.valid && app.isReady)
  const possible = computed<Readonly<Record<MenuCommand, boolean>>>(() => {
    const result = run.result !== null
    return {
      open: true,
      'new-session': session.datasets.length > 0 && !run.busy,
      'open-session': !run.busy,
      'save-session': session.datasets.length > 0 && session.busy === null,
      'save-session-as': session.datasets.length > 0 && session.busy === null,
      'open-steps': true,
      generate: true,
      'import-settings': dataset.source !== null && dataset.opening === null,
      run: inBenchmark.value ? comparison.canStart.value : canRun.value,
      cancel:
        run.busy ||
        scan.busy ||
        benchmark.runningId !== null ||
        dataset.opening !== null ||
        session.progress !== null,
      undo: config.canUndo,
      redo: config.canRedo,
      'copy-command-line': result,
      'copy-python': result,
      'assign-rows': result,
      verify: result && !run.busy,
      'export-labels': result,
      'export-centroids': result,
      'export-all': result,
      'view-clusters': loaded.value,
      'view-profiles': loaded.value,
      'view-choose-k': loaded.value,
      'view-table': loaded.value,
      'view-steps': loaded.value,
      'view-benchmark': true,
      'toggle-settings-panel': loaded.value,
      'toggle-result-panel': loaded.value,
      shortcuts: true,
      about: true,
    }
  })
  const enabled = computed(() => menuCommands.filter((command) => possible.value[command]))
  // What cannot work now is greyed in the native menu.
  watch(
    () => enabled.value.join(' '),
    () => void ask('app.menu-state', { enabled: enabled.value }).catch(app.fail),
    { immediate: true },
  )

  /** What cannot work now is not begun, whatever asks for it. */
  const menu = (command: MenuCommand): void => void (possible.value[command] && carryOut(command))
  return { aboutOpen, shortcutsOpen, menu }
}
