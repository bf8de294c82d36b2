import type { PlannedCell } from '@shared/benchmark/document'
import { formatCount } from '../numbers'
import { t } from '@/i18n'

/** `N = 205, d = 2, k = 256`; what cannot be read has no size. */
export function workloadWords({ n, d, k }: Pick<PlannedCell, 'n' | 'd' | 'k'>): string {
  const size = n === 0 ? t('benchmark.sizeUnknown') : `N = ${formatCount(n)}, d = ${formatCount(d)}`
  return `${size}, k = ${formatCount(k)}`
}
