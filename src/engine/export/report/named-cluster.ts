import type { ReportChoice } from '@shared/text-choice'

/** A cluster as a report calls it: by its number, which files have, and by the name that a person gave it. */
export function namedCluster(cluster: number, names: ReportChoice['clusterNames']): string {
  const name = names?.[cluster] ?? null
  return name === null ? String(cluster) : `${cluster} ${name}`
}
