/** What a cluster is, in one sentence. */
import { apartWords, setApart } from '@shared/distinctive'
import { t } from '@/i18n'
import type { ReadCluster, ReadProfile, DistinctiveFeature } from '@/plots/profile/read-profile'
import { profileFormat } from './feature-format'
import { featureValue, namedFeature } from './feature-words'
import { formatShare, plural } from './numbers'

/** One feature that sets a cluster apart. */
export interface Clause {
  /** `petal length 1.462 cm against 4.906 cm elsewhere`. */
  readonly says: string
  /** `4.1 sd lower`. */
  readonly by: string
}

export interface ClusterSentence {
  /** `Cluster 2 (50 rows, 33.3 %)`. */
  readonly lead: string
  readonly clauses: readonly Clause[]
  /** Where no feature sets it apart, why. */
  readonly instead: string
}

function clauseOf(profile: ReadProfile, distinctive: DistinctiveFeature, isFirst: boolean): Clause {
  const { feature, mean, elsewhere, difference } = distinctive
  const column = profile.columns[feature]
  if (!column) return { says: '', by: '' }
  const says = profileFormat(profile, feature, 'file')
  const value = (of: number): string => featureValue(column, of, says)
  const other = t(isFirst ? 'profiles.againstElsewhere' : 'profiles.against2', [value(elsewhere)])
  return { says: `${namedFeature(column).name} ${value(mean)} ${other}`, by: apartWords(difference) }
}

/** The three features that set a cluster apart, with both means and the standardised difference. */
export function clusterSentence(profile: ReadProfile, cluster: ReadCluster, name: string): ClusterSentence {
  const { size, distinctive } = cluster
  const lead = t('profiles.cluster6', [name, plural(size, 'row'), formatShare(size / profile.rows)])
  if (size >= profile.rows) return { lead, clauses: [], instead: t('profiles.theOnlyClusterWithNothingTo') }
  const clauses = setApart(distinctive).map((one, at) => clauseOf(profile, one, at === 0))
  return {
    lead,
    clauses,
    instead: clauses.length === 0 ? t('profiles.hardlyDiffersFromTheOtherRows') : '',
  }
}

/** The sentence as plain text, to be copied: with blanks that break, as one types them. */
export function sentenceText({ lead, clauses, instead }: ClusterSentence): string {
  if (clauses.length === 0) return `${lead}: ${instead}`
  const said = clauses.map(({ says, by }) => `${says.replaceAll('\u00a0', ' ')} (${by})`)
  return `${lead}: ${said.join(', ')}.`
}
