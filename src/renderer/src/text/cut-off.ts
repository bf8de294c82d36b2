import type { BrokenRun } from '@shared/ipc'
import type { EngineId } from '@shared/variant'
import { formatCount, plural } from './numbers'
import { engineWords } from './words'
import { t } from '@/i18n'

/** What a person is asked when a run lost its device, or its process, in the middle. */
export function cutOffSentence(run: BrokenRun): string {
  const { engine, deviceName, next } = run
  const lost = engine === 'cpu' ? nextEngineWords(engine) : `${engineWords[engine]} (${deviceName})`
  return t('window.theRunWasCutOffOn', [lost, reachedWords(run), nextEngineWords(next)])
}

/** How far it came. */
export function reachedWords({ config, restart, iterations }: BrokenRun): string {
  const where = config.nInit > 1 ? t('window.ofRestart', [formatCount(restart + 1)]) : ''
  return `${plural(iterations, 'iteration')}${where}`
}

/** An engine in a sentence. */
export function nextEngineWords(next: EngineId): string {
  return next === 'cpu' ? t('window.theCpu') : engineWords[next]
}
