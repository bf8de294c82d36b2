import { localizedSentence } from '@shared/locale/localized-sentence'
import type { RunConfig } from '@shared/run-config'
import type { Wish } from '@/stores/queue'
import { t } from '@/i18n'
import { nextEngineWords } from './cut-off'
import { formatCount } from './numbers'

/** Why something waits though nothing is at work: a run failed, was cut off and can go on, or made a result. */
export type Hold = 'failed' | 'broken' | 'result'

/** What will be done, as it stands in a list of what waits. */
export function wishWords(wish: Wish): string {
  if (wish.kind === 'open') return t('window.open', [wish.name])
  if (wish.kind === 'show') return t('session.showWish', [wish.name])
  if (wish.kind === 'comparison') return t('window.compare', [localizedSentence(wish.suite.name)])
  const { k, seed, nInit } = wish.config
  const restarts = nInit > 1 ? t('window.restarts', [formatCount(nInit)]) : ''
  return t('window.runWithKSeed', [wish.fileName, formatCount(k), seed, restarts, engineWords(wish.config)])
}

/** Where it runs, as far as that was chosen. */
function engineWords({ engine, variant }: RunConfig): string {
  const by = variant === 'auto' ? '' : variant
  if (engine === 'auto') return by && `, ${by}`
  return t('window.on', [nextEngineWords(engine), by && ` (${by})`])
}
