/** What a person would be told in the window before a run: of the settings, not of the file. */
import type { Dataset } from '@engine/dataset/dataset'
import { printable } from '@shared/printable'
import { startsAlike, type RunConfig } from '@shared/run-config'
import { unevenRanges } from '@shared/uneven-ranges'
import { shortNumber } from './text-table'

/** Of unscaled features, the one whose range alone decides. @param used the names of those that are clustered */
export function scalingAdvice({ columns }: Dataset, config: RunConfig, used: readonly string[]): string[] {
  if (config.scaling !== 'none' || (config.columnScalings ?? []).length > 0) return []
  const uneven = unevenRanges(columns.filter(({ name }) => used.includes(name)))
  if (uneven === null) return []
  const { widest, narrowest } = uneven
  const [wide, narrow] = [widest, narrowest].map(({ name, range }) => [printable(name), shortNumber(range)])
  return [
    `Note: ${wide[0]} dominates the distance: its range is ${wide[1]}, that of ${narrow[0]} ${narrow[1]}. Consider --scaling standardise.\n`,
  ]
}

/** Starts that are drawn at random may end in a poor clustering. */
export function restartAdvice({ init, nInit }: RunConfig): string[] {
  if (nInit > 1 || startsAlike(init)) return []
  return ['Note: one start was tried. --n-init 10 keeps the best of ten.\n']
}
