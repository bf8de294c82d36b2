import type { BrokenRun } from '@shared/ipc'
import type { EngineId } from '@shared/variant'
import { formatCount, plural } from './numbers'
import { engineWords } from './words'

/** What a person is asked when a run lost its device, or its process, in the middle. */
export function cutOffSentence(run: BrokenRun): string {
  const { engine, deviceName, next } = run
  const lost = engine === 'cpu' ? nextEngineWords(engine) : `${engineWords[engine]} (${deviceName})`
  return `The run was cut off on ${lost} after ${reachedWords(run)}, which are kept: go on with ${nextEngineWords(next)}, or run it again.`
}

/** How far it came. */
export function reachedWords({ config, restart, iterations }: BrokenRun): string {
  const where = config.nInit > 1 ? ` of restart ${formatCount(restart + 1)}` : ''
  return `${plural(iterations, 'iteration')}${where}`
}

/** An engine in a sentence. */
export function nextEngineWords(next: EngineId): string {
  return next === 'cpu' ? 'the CPU' : engineWords[next]
}
