/** What a variant is called in sentences, tables and plots; its id is what one types. */
import type { VariantId } from './variant'

/** Names of programs and libraries, and ids that leave a word out. */
const ownTitles: ReadonlyMap<VariantId, string> = new Map([
  ['openmp', 'OpenMP'],
  ['tbb', 'oneTBB'],
  ['sort-reduce', 'Sort and reduce'],
  ['hybrid-parallel', 'Hybrid, parallel'],
  ['mini-batch', 'Mini-batch'],
])

/** Of any id, also of a variant that only a file of another version knows. */
export function variantTitle(id: VariantId): string {
  const words = id.replaceAll('-', ' ')
  return ownTitles.get(id) ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
