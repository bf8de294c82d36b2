/** What runs, in few words for the status bar. */
import type { LiveRun } from '@/stores/run'
import { formatCount } from './numbers'
import { engineWords, phaseWords } from './words'

/** `Clustering with k = 3 on CPU · fused: iterating`; engine and variant are known from the first iteration on. */
export function runningWords(live: LiveRun | null, cancelling: boolean): string {
  if (cancelling) return 'Cancelling the run…'
  if (live === null) return 'Starting the run…'
  const { config, on, phase } = live
  const where = on === null ? '' : ` on ${engineWords[on.engine]} · ${on.variant}`
  const doing = phaseWords[phase]
  return `Clustering with k = ${formatCount(config.k)}${where}: ${doing[0].toLowerCase()}${doing.slice(1)}`
}
