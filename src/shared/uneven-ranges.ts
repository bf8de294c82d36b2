/** Which feature decides a distance by its range alone. */
import type { ColumnInfo } from './dataset'

type Ranged = Pick<ColumnInfo, 'name' | 'min' | 'max'>

export interface RangedFeature {
  readonly name: string
  readonly range: number
}

/** Features that differ by more than this weigh visibly differently. */
const notableRatio = 10

/** The features with the widest and the narrowest range; null where they weigh about the same. */
export function unevenRanges(
  features: readonly Ranged[],
): { readonly widest: RangedFeature; readonly narrowest: RangedFeature } | null {
  const ranges = features
    .map(({ name, min, max }) => ({ name, range: (max ?? 0) - (min ?? 0) }))
    .filter(({ range }) => range > 0)
    .sort((a, b) => b.range - a.range)
  const [widest, narrowest] = [ranges[0], ranges.at(-1)]
  if (!widest || !narrowest || widest.range < notableRatio * narrowest.range) return null
  return { widest, narrowest }
}
