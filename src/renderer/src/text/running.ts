/** What runs, in few words for the status bar. */
import { localizedSentence } from '@shared/locale/localized-sentence'
import { isApproximate } from '@shared/approximate'
import type { RunRecord } from '@shared/run-record'
import type { VariantId } from '@shared/variant'
import { t } from '@/i18n'
import type { LiveRun } from '@/stores/run'
import { formatCount } from './numbers'
import { engineWords, phaseWords } from './words'

/** `Clustering with k = 3 on CPU · fused: iterating`; engine and variant are known from the first iteration on. */
export function runningWords(live: LiveRun | null, cancelling: boolean): string {
  if (cancelling) return t('results.cancellingTheRun')
  if (live === null) return t('results.startingTheRun')
  const { config, on, phase } = live
  const where = on === null ? '' : t('results.on', [engineWords[on.engine], variantName(on.variant)])
  const doing = phaseWords[phase]
  return t('results.clusteringWithK', [formatCount(config.k), where, doing[0].toLowerCase(), doing.slice(1)])
}

/** `k 3, fused, CPU`: how a run is called among others. */
export function runTitle({ k, variant, engine }: Pick<RunRecord, 'k' | 'variant' | 'engine'>): string {
  return `k ${k}, ${variantName(variant)}, ${engineWords[engine]}`
}

/** `fused`, `mini-batch (approximate)`. */
export function variantName(variant: VariantId): string {
  return isApproximate(variant) ? t('results.approximate2', [variant]) : variant
}

/** `fused, tiled`: the variant, and how it was carried out where the engine tells. */
export function variantWords({ variant, regime }: Pick<RunRecord, 'variant' | 'regime'>): string {
  const name = variantName(variant)
  return regime === null ? name : `${name}, ${regime}`
}

type Ran = Pick<RunRecord, 'engine' | 'deviceName' | 'variant' | 'regime' | 'reason'>

/** `CPU · AMD EPYC · fused, tiled`: what a result was made with. */
export function ranWords(record: Ran): string {
  return [engineWords[record.engine], record.deviceName, variantWords(record)].join(' · ')
}

/** The same with the reason for the regime. */
export function ranDetails(record: Ran): string {
  return [ranWords(record), ...(record.reason === null ? [] : [localizedSentence(record.reason)])].join('. ')
}
