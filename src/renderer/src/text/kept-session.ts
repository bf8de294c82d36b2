import type { KeptSession } from '@shared/ipc'
import { plural } from './numbers'
import { dateFormat, t } from '@/i18n'

const clock = { timeStyle: 'short' } as const
const date = { dateStyle: 'medium' } as const
const dayMs = 86_400_000

/** What a kept session holds, e.g. "3 runs, and one to go on with". */
export function keptWords({ runs, isCutOff }: Pick<KeptSession, 'runs' | 'isCutOff'>): string {
  if (!isCutOff) return plural(runs, 'run')
  return runs === 0 ? t('start.aRunToGoOnWith') : t('start.andOneToGoOnWith', [plural(runs, 'run')])
}

/** When it was used, as a person says it: "today, 14:05", "yesterday, 14:05", "3 Nov 2026, 14:05". */
export function whenWords(iso: string, now = new Date()): string {
  const then = new Date(iso)
  const days = Math.round((startOfDay(now) - startOfDay(then)) / dayMs)
  const day =
    days === 0 ? t('start.today') : days === 1 ? t('start.yesterday') : dateFormat(date).format(then)
  return `${day}, ${dateFormat(clock).format(then)}`
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
}
