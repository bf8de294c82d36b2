import type { BrokenRun } from '@shared/ipc'
import type { EngineId } from '@shared/variant'
import { plural } from './numbers'
import { engineWords } from './words'

/** What a person is asked when a run lost its device, or its process, in the middle. */
export function cutOffSentence({ engine, deviceName, config, restart, iterations, next }: BrokenRun): string {
  const where = config.nInit > 1 ? ` of restart ${restart + 1}` : ''
  const lost = engine === 'cpu' ? nextEngineWords(engine) : `${engineWords[engine]} (${deviceName})`
  return `The run was cut off on ${lost} after ${plural(iterations, 'iteration')}${where}, which are kept: go on with ${nextEngineWords(next)}, or run it again.`
}

/** An engine in a sentence. */
export function nextEngineWords(next: EngineId): string {
  return next === 'cpu' ? 'the CPU' : engineWords[next]
}
